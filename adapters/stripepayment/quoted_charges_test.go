package stripepayment_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// accountEdit changes the account of a customer, as staff do in Stripe's dashboard.
type accountEdit func(t *testing.T, f *fakeStripe, customerID string)

// changeBalance adds the amount to the customer's balance. A negative amount is credit.
func changeBalance(amount int) accountEdit {
	return func(t *testing.T, f *fakeStripe, customerID string) {
		t.Helper()
		f.mustPost(t, "/v1/customers/"+customerID+"/balance_transactions",
			url.Values{"amount": {strconv.Itoa(amount)}, "currency": {"aud"}})
	}
}

// editBeforeRequest makes the edit before the n-th request of the adapter, counting from 0. The returned function reports
// the route of that request; "" if the adapter made fewer requests.
func (f *fakeStripe) editBeforeRequest(t *testing.T, n int, customerID string, edit accountEdit) (route func() string) {
	t.Helper()
	editedRoute := ""
	f.beforeRequest = func(r *http.Request) {
		if n == 0 {
			editedRoute = r.Method + " " + r.URL.Path
			edit(t, f, customerID)
		}
		n--
	}
	return func() string { f.beforeRequest = nil; return editedRoute }
}

func quotedAmounts(q billing.Quote) billing.QuotedAmounts {
	return billing.QuotedAmounts{DueNow: q.DueNow, CreditAfter: q.CreditAfter}
}

// A purchase is charged as quoted or refused, whenever the credit of the customer changes.
func TestSubscribe_ChargesTheQuoteWhenStaffChangeTheCreditAtAnyTime(t *testing.T) {
	t.Parallel()
	const oldCredit = 10000
	for name, tt := range map[string]struct {
		edit     accountEdit
		scenario paymenttest.Scenario
		status   billing.Status
	}{
		"more credit":                            {changeBalance(-5000), paymenttest.Pays, billing.Active},
		"less credit":                            {changeBalance(5000), paymenttest.Pays, billing.Active},
		"less credit, card needs authentication": {changeBalance(5000), paymenttest.NeedsAuthentication, billing.Incomplete},
		"more credit, card is declined":          {changeBalance(-5000), paymenttest.InsufficientFunds, billing.Incomplete},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refusals := map[string]bool{}
			for n := 0; ; n++ {
				f := newFakeStripe(t, catalogue.Default())
				p := f.provider(t, catalogue.Default())
				c := f.newCustomerWithMethod(t, p, tt.scenario)
				changeBalance(-oldCredit)(t, f, c.ID)
				req := subscribeRequest(c, "standard")
				q, err := p.QuoteSubscription(t.Context(), req)
				require.NoError(t, err)
				require.Equal(t, yearlyAmount(t, "standard")-oldCredit, q.DueNow.Minor())
				req.Quoted = quotedAmounts(q)

				route := f.editBeforeRequest(t, n, c.ID, tt.edit)
				s, err := p.Subscribe(t.Context(), req)
				edited := route()

				if err == nil {
					assert.Equal(t, tt.status, s.Status, edited)
					assert.Equal(t, q.DueNow, s.LatestInvoice.AmountDue, edited)
				} else {
					refusals[edited] = true
					assert.Equal(t, billing.ErrQuoteOutdated().Error(), err.Error(), edited)
					assert.Zero(t, f.sumOfCharges(t, c.ID), edited)
					c, err := p.Customer(t.Context(), c.ID)
					require.NoError(t, err)
					assert.NotEqual(t, int64(oldCredit), c.Credit.Minor())
					assert.Positive(t, c.Credit.Minor(), "the credit of the canceled invoice is given back")
					subs, err := p.ListSubscriptions(t.Context(), c.ID)
					require.NoError(t, err)
					for _, s := range subs {
						assert.Equal(t, billing.IncompleteExpired, s.Status)
					}
				}
				if edited == "" {
					break
				}
			}
			assert.True(t, refusals["POST /v1/subscriptions"], "after the last preview")
		})
	}
}

func yearlyAmount(t *testing.T, product string) int64 {
	t.Helper()
	amount, err := catalogue.Default().Price(yearlyPrice(product))
	require.NoError(t, err)
	return amount.Minor()
}

// A plan change is charged as quoted or refused. Stripe charges its invoice together with the change, so only a payment that
// is not completed can be compared after that.
func TestChangePlan_ChargesTheQuoteWhenStaffChangeTheCredit(t *testing.T) {
	t.Parallel()
	const oldCredit = 1000
	refund := func(t *testing.T, f *fakeStripe, customerID string) {
		t.Helper()
		charges := f.mustGet(t, "/v1/charges?customer="+customerID)["data"].([]any)
		f.mustPost(t, "/v1/refunds", url.Values{"payment_intent": {charges[0].(map[string]any)["payment_intent"].(string)}, "amount": {"5000"}})
	}
	for name, tt := range map[string]struct {
		edit        accountEdit
		needsAction bool // the card needs authentication when the change is charged
		window      bool // an edit immediately before the change is charged
	}{
		"more credit":                            {changeBalance(-500), false, true},
		"less credit":                            {changeBalance(500), false, true},
		"less credit, card needs authentication": {changeBalance(500), true, false},
		"refund":                                 {refund, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := 0; ; n++ {
				f := newFakeStripe(t, catalogue.Default())
				p := f.provider(t, catalogue.Default())
				c := f.newCustomerWithCard(t, p)
				s, err := p.Subscribe(t.Context(), subscribeRequest(c, "standard"))
				require.NoError(t, err)
				charged := f.sumOfCharges(t, c.ID)
				if tt.needsAction {
					id, err := f.makeCard(t, paymenttest.NeedsAuthentication)
					require.NoError(t, err)
					_, err = p.AddCard(t.Context(), payment.NewCard{Key: "new-card", CustomerID: c.ID, MethodID: id})
					require.NoError(t, err)
				}
				changeBalance(-oldCredit)(t, f, c.ID)
				req := payment.PriceChange{Key: "change", SubscriptionID: s.ID, From: standard, To: professional}
				q, err := p.QuoteChange(t.Context(), req)
				require.NoError(t, err)
				req.At, req.Quoted = q.At, quotedAmounts(q)

				route := f.editBeforeRequest(t, n, c.ID, tt.edit)
				changedSub, err := p.ChangePlan(t.Context(), req)
				edited := route()

				isChange := edited == "POST /v1/subscriptions/"+s.ID && n > 0
				switch {
				case err != nil:
					assert.Equal(t, fault.Conflict, fault.CodeOf(err), edited)
					current, err := p.Subscription(t.Context(), s.ID)
					require.NoError(t, err)
					assert.Equal(t, standard, current.Price, edited)
					assert.Nil(t, current.Pending, edited)
					assert.Equal(t, charged, f.sumOfCharges(t, c.ID), edited)
				case changedSub.LatestInvoice.AmountDue != q.DueNow:
					assert.True(t, tt.window && isChange, "%s: %s instead of %s", edited, changedSub.LatestInvoice.AmountDue, q.DueNow)
				}
				if edited == "" {
					break
				}
			}
		})
	}
}

// A server stops between two requests, and another one repeats the purchase with the same key.
func TestSubscribe_RepeatOfAQuotedPurchaseChargesOnce(t *testing.T) {
	t.Parallel()
	for writes := 0; ; writes++ {
		f := newFakeStripe(t, catalogue.Default())
		p := f.provider(t, catalogue.Default())
		req := subscribeRequest(f.newCustomerWithCard(t, p), "standard")
		q, err := p.QuoteSubscription(t.Context(), req)
		require.NoError(t, err)
		req.Quoted = quotedAmounts(q)

		f.failWritesAfter(writes)
		_, firstErr := p.Subscribe(t.Context(), req)
		f.allowAllWrites()
		s, err := p.Subscribe(t.Context(), req)

		require.NoError(t, err, writes)
		assert.Equal(t, billing.Active, s.Status, writes)
		assert.Equal(t, q.DueNow.Minor(), f.sumOfCharges(t, req.CustomerID), writes)
		subs, err := p.ListSubscriptions(t.Context(), req.CustomerID)
		require.NoError(t, err)
		assert.Equal(t, []billing.Subscription{s}, subs, writes)
		if firstErr == nil {
			assert.Equal(t, 3, writes, "preview, create, pay")
			break
		}
	}
}
