//go:build stripe_test_mode

package stripepayment_test

import (
	"bytes"
	"crypto/rand"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// testClockEnv contains a customer with a card and a test clock, by which Stripe bills the customer. The tests that use
// it verify facts of docs/stripe.md.
type testClockEnv struct {
	*stripepayment.Provider
	t          *testing.T
	stripe     *stripe.Client
	clockID    string
	now        time.Time
	customerID string
}

func newTestClockEnv(t *testing.T) *testClockEnv {
	t.Helper()
	key := os.Getenv("DIY_STRIPE_TEST_KEY")
	require.NotEmpty(t, key, "DIY_STRIPE_TEST_KEY is not set")
	pushCatalogue(t, key)
	p, err := stripepayment.New(stripepayment.Config{SecretKey: key, Catalogue: catalogue.Default(),
		Clock: systemclock.New()})
	require.NoError(t, err)
	c := &testClockEnv{Provider: p, t: t, stripe: stripe.NewClient(key), now: time.Now().Truncate(time.Second)}
	clock, err := c.stripe.V1TestHelpersTestClocks.Create(t.Context(),
		&stripe.TestHelpersTestClockCreateParams{FrozenTime: new(c.now.Unix())})
	require.NoError(t, err)
	c.clockID = clock.ID
	customer, err := c.stripe.V1Customers.Create(t.Context(), &stripe.CustomerCreateParams{TestClock: &c.clockID})
	require.NoError(t, err)
	c.customerID = customer.ID
	_, err = p.AddCard(t.Context(), payment.NewCard{Key: rand.Text(), CustomerID: c.customerID, MethodID: "pm_card_visa"})
	require.NoError(t, err)
	return c
}

// advanceTo moves the test clock and waits until Stripe has done everything that is due.
func (c *testClockEnv) advanceTo(now time.Time) {
	c.t.Helper()
	c.now = now
	_, err := c.stripe.V1TestHelpersTestClocks.Advance(c.t.Context(), c.clockID,
		&stripe.TestHelpersTestClockAdvanceParams{FrozenTime: new(now.Unix())})
	require.NoError(c.t, err)
	require.EventuallyWithT(c.t, func(t *assert.CollectT) {
		clock, err := c.stripe.V1TestHelpersTestClocks.Retrieve(c.t.Context(), c.clockID, nil)
		if assert.NoError(t, err) {
			assert.Equal(t, stripe.TestHelpersTestClockStatusReady, clock.Status)
		}
	}, 2*time.Minute, 2*time.Second)
}

func (c *testClockEnv) subscribe(price catalogue.PriceRef, trialDays int) billing.Subscription {
	c.t.Helper()
	s, err := c.Subscribe(c.t.Context(),
		payment.NewSubscription{Key: rand.Text(), CustomerID: c.customerID, Price: price, TrialDays: trialDays})
	require.NoError(c.t, err)
	return s
}

func (c *testClockEnv) readSubscription(id string) billing.Subscription {
	c.t.Helper()
	s, err := c.Subscription(c.t.Context(), id)
	require.NoError(c.t, err)
	return s
}

func monthlyPrice(product string) catalogue.PriceRef {
	return catalogue.PriceRef{Product: product, Interval: catalogue.Monthly, Currency: "AUD"}
}

// A schedule changes the price and the interval at the renewal, owns the subscription afterwards and can be released.
func TestStripeTestMode_ScheduleChangesThePlanAtTheRenewal(t *testing.T) {
	c := newTestClockEnv(t)
	s := c.subscribe(monthlyPrice("standard"), 0)
	changedSub, err := c.ChangePlan(t.Context(), payment.PriceChange{
		Key: rand.Text(), SubscriptionID: s.ID, From: s.Price, To: professional, When: billing.ChangeAtRenewal,
	})
	require.NoError(t, err)
	require.Equal(t, &billing.ScheduledChange{To: professional, Amount: aud(81600), At: s.CurrentPeriodEnd},
		changedSub.Scheduled)
	quote, err := c.QuoteChange(t.Context(),
		payment.PriceChange{SubscriptionID: s.ID, From: s.Price, To: professional, When: billing.ChangeAtRenewal})
	require.NoError(t, err)

	c.advanceTo(s.CurrentPeriodEnd.Add(2 * time.Hour)) // the invoice is a draft for an hour

	renewedSub := c.readSubscription(s.ID)
	assert.Equal(t, professional, renewedSub.Price)
	assert.Equal(t, s.CurrentPeriodEnd.AddDate(1, 0, 0), renewedSub.CurrentPeriodEnd)
	assert.Equal(t, quote.Next.Amount, renewedSub.LatestInvoice.AmountDue)
	assert.Nil(t, renewedSub.Scheduled)
	endingSub, err := c.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: rand.Text(), SubscriptionID: s.ID, End: true})
	require.NoError(t, err, "the finished schedule is released")
	assert.Equal(t, endingSub.CurrentPeriodEnd, endingSub.EndsAt)
}

func TestStripeTestMode_PreviewEqualsTheInvoiceOfTheChange(t *testing.T) {
	for name, tt := range map[string]struct {
		currentPrice, nextPrice catalogue.PriceRef
		trialDays               int
		credit                  int64
	}{
		"upgrade": {standard, professional, 0, 0}, "downgrade": {professional, standard, 0, 0},
		"longer interval": {monthlyPrice("standard"), standard, 0, 0},
		"end of a trial":  {standard, professional, 7, 0}, "with credit": {standard, professional, 0, 1234},
		"too small to charge": {standard, professional, 7, 81580},
	} {
		t.Run(name, func(t *testing.T) {
			c := newTestClockEnv(t)
			s := c.subscribe(tt.currentPrice, tt.trialDays)
			if tt.credit > 0 {
				_, err := c.AddCredit(t.Context(),
					payment.CreditGrant{Key: rand.Text(), CustomerID: c.customerID, Amount: aud(tt.credit)})
				require.NoError(t, err)
			}
			c.advanceTo(c.now.Add(3*24*time.Hour + 5*time.Hour))
			req := payment.PriceChange{SubscriptionID: s.ID, From: tt.currentPrice, To: tt.nextPrice, EndTrial: tt.trialDays > 0}
			quote, err := c.QuoteChange(t.Context(), req)
			require.NoError(t, err)

			req.Key, req.At = rand.Text(), quote.At
			changedSub, err := c.ChangePlan(t.Context(), req)

			require.NoError(t, err)
			page, err := c.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: c.customerID, Limit: 1})
			require.NoError(t, err)
			assert.Equal(t, quote.DueNow, changedSub.LatestInvoice.AmountDue)
			assert.Equal(t, quote.Total, page.Invoices[0].Total)
			assert.Equal(t, quote.Tax, page.Invoices[0].Tax)
			assert.ElementsMatch(t, quote.Lines, page.Invoices[0].Lines)
			customer, err := c.Customer(t.Context(), c.customerID)
			require.NoError(t, err)
			assert.Equal(t, quote.CreditAfter.Minor(), customer.Credit.Minor())
			assert.Equal(t, quote.Next.At, changedSub.CurrentPeriodEnd)
		})
	}
}

func TestStripeTestMode_EndOfAnExtendedTrialChargesNothing(t *testing.T) {
	c := newTestClockEnv(t)
	s := c.subscribe(standard, 7)
	newTrialEnd := s.TrialEnd.AddDate(0, 0, 10)
	s, err := c.ExtendTrial(t.Context(), payment.TrialExtension{Key: rand.Text(), SubscriptionID: s.ID, Until: newTrialEnd})
	require.NoError(t, err)
	assert.Equal(t, newTrialEnd, s.CurrentPeriodEnd)
	for _, end := range []bool{true, false, true} {
		s, err = c.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: rand.Text(), SubscriptionID: s.ID, End: end})
		require.NoError(t, err)
		assert.Equal(t, end, !s.EndsAt.IsZero())
	}
	c.advanceTo(newTrialEnd.Add(2 * time.Hour))
	canceledSub := c.readSubscription(s.ID)
	assert.Equal(t, billing.Canceled, canceledSub.Status)
	assert.Zero(t, canceledSub.LatestInvoice.AmountDue.Minor())
}

func TestStripeTestMode_InvoiceOfACanceledSubscriptionIsOnlyPaidOnRequest(t *testing.T) {
	c := newTestClockEnv(t)
	s := c.subscribe(standard, 7)
	_, err := c.AddCard(t.Context(),
		payment.NewCard{Key: rand.Text(), CustomerID: c.customerID, MethodID: "pm_card_chargeCustomerFail"})
	require.NoError(t, err)
	c.advanceTo(s.TrialEnd.Add(2 * time.Hour))
	require.Equal(t, billing.PastDue, c.readSubscription(s.ID).Status)
	s, err = c.CancelSubscription(t.Context(), payment.Cancellation{Key: rand.Text(), SubscriptionID: s.ID, IfOverdue: true})
	require.NoError(t, err)
	assert.Equal(t, billing.InvoiceOpen, s.LatestInvoice.Status)
	inv, err := c.stripe.V1Invoices.Retrieve(t.Context(), s.LatestInvoice.ID, nil)
	require.NoError(t, err)
	assert.False(t, inv.AutoAdvance)
	_, err = c.AddCard(t.Context(), payment.NewCard{Key: rand.Text(), CustomerID: c.customerID, MethodID: "pm_card_visa"})
	require.NoError(t, err)
	c.advanceTo(c.now.AddDate(0, 0, 20))
	require.Equal(t, billing.InvoiceOpen, c.readSubscription(s.ID).LatestInvoice.Status)

	paidSub, err := c.PayInvoice(t.Context(), payment.InvoicePayment{
		Key: rand.Text(), InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountRemaining(), Ended: true,
	})

	require.NoError(t, err)
	assert.Equal(t, billing.Canceled, paidSub.Status)
	assert.Equal(t, billing.InvoicePaid, paidSub.LatestInvoice.Status)
}

func TestStripeTestMode_RefundIsWithdrawnFromTheCredit(t *testing.T) {
	c := newTestClockEnv(t)
	s := c.subscribe(standard, 0)
	document, err := c.InvoicePDF(t.Context(), c.customerID, s.LatestInvoice.ID)
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(document.PDF, []byte("%PDF")))
	_, err = c.AddCredit(t.Context(), payment.CreditGrant{Key: rand.Text(), CustomerID: c.customerID, Amount: aud(300)})
	require.NoError(t, err)

	_, err = c.Refund(t.Context(),
		payment.RefundRequest{Key: rand.Text(), InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountDue})

	require.NoError(t, err)
	customer, err := c.Customer(t.Context(), c.customerID)
	require.NoError(t, err)
	assert.Zero(t, customer.Credit.Minor())
	returnedPayments, err := c.ReturnedPayments(t.Context(), c.customerID)
	require.NoError(t, err)
	require.Len(t, returnedPayments, 1)
	assert.Equal(t, []int64{s.LatestInvoice.AmountDue.Minor(), 300},
		[]int64{returnedPayments[0].Amount.Minor(), returnedPayments[0].Withdrawn.Minor()})
	_, err = c.Refund(t.Context(), payment.RefundRequest{Key: rand.Text(), InvoiceID: s.LatestInvoice.ID, Amount: aud(1)})
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, billing.NoHold, c.readSubscription(s.ID).Hold)
}
