package enginepayment

import (
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

var (
	standard     = catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	professional = catalogue.PriceRef{Product: "professional", Interval: catalogue.Monthly, Currency: "AUD"}
)

// stops makes one call to a gateway fail, as if the server had stopped or the response was lost.
type stops struct {
	at    int // number of the intercepted point; -1 for none
	point int
}

func (s *stops) intercept(fakegateway.Call) error {
	s.point++
	if s.point == s.at {
		return fault.New(fault.Unavailable, "The server has stopped.")
	}
	return nil
}

// A server stops before or after each call of the gateway in turn, and another one continues. In the bank's own ledger
// there is one debit for each invoice, and nothing is lost.
func TestCollect_DebitsEachInvoiceOnceWhereverAServerStops(t *testing.T) {
	t.Parallel()
	for _, bank := range []struct{ settlement, keys time.Duration }{{0, 0}, {0, 30 * day}, {time.Hour, 0}, {3 * day, 30 * day}, {10 * day, 0}} {
		t.Run(fmt.Sprintf("settlement %s keys %s", bank.settlement, bank.keys), func(t *testing.T) {
			t.Parallel()
			points := 0
			for at := -1; at <= points; at++ {
				s := &stops{at: at}
				runLife(t, fakegateway.Config{
					Kind: billing.BankDebitMethod, Settlement: bank.settlement, ReturnWindow: 7 * day, KeyRetention: bank.keys,
				}, s)
				points = max(points, s.point)
			}
			assert.GreaterOrEqual(t, points, 10)
		})
	}
}

// runLife lets a customer subscribe, renew, change the plan and get a refund.
func runLife(t *testing.T, c fakegateway.Config, s *stops) {
	t.Helper()
	e := newEnv(t, newSQLite(t), c, s.intercept)
	first, second := e.Provider, e.server(t, nil)
	e.assertCanceledPageChargesNothing(t, first, second)
	customer, err := first.CreateCustomer(t.Context(), payment.NewCustomer{Key: rand.Text(), OrganisationID: "org", Name: "Northside Clinic"})
	require.NoError(t, err)
	sub, err := first.Subscribe(t.Context(), payment.NewSubscription{Key: "subscribe", CustomerID: customer.ID, Price: standard})
	require.NoError(t, err)

	e.Provider = second
	for range 6 { // a payment that the bank does not know is given up when it is not found for an hour
		e.advance(t, time.Hour)
	}
	sub, err = second.Subscription(t.Context(), sub.ID)
	require.NoError(t, err)
	require.Equal(t, billing.Redirect, sub.Next.Kind)
	e.visit(t, sub.Next.URL, fakegateway.Pays)
	e.advance(t, 11*day)
	require.Equal(t, billing.Active, e.status(t, sub.ID))

	e.Provider = first
	_, err = first.ChangePlan(t.Context(), payment.PriceChange{Key: "change", SubscriptionID: sub.ID, From: standard, To: professional})
	require.NoError(t, err)
	e.Provider = second
	e.advance(t, 15*day)
	sub, err = second.Subscription(t.Context(), sub.ID)
	require.NoError(t, err)
	assert.Nil(t, sub.Pending)
	changed := sub.Price == professional

	e.Provider = first // renews
	_, err = e.clock.Advance(6 * day)
	require.NoError(t, err)
	_, _ = first.collect(t.Context(), customer.ID, collectTimeout)
	e.Provider = second
	e.advance(t, 20*day)
	require.Equal(t, billing.Active, e.status(t, sub.ID))

	invoices := e.invoices(t, customer.ID)
	refunded, err := money.New(100, "AUD")
	require.NoError(t, err)
	_, err = first.Refund(t.Context(), payment.Refund{Key: "refund", InvoiceID: invoices[0].ID, Amount: refunded})
	require.NoError(t, err)
	e.advance(t, 12*day)

	debited := 0
	for _, inv := range e.invoices(t, customer.ID) {
		if inv.Status == billing.InvoiceVoid {
			assert.False(t, changed, "the change that could not be paid was dropped")
			continue
		}
		debited++
	}
	debits := e.bank.Debits(e.customerRef(t, customer.ID))
	assert.Len(t, debits, debited, "stopped at point %d", s.at)
	sub, err = second.Subscription(t.Context(), sub.ID)
	require.NoError(t, err)
	assert.Contains(t, []billing.NextActionKind{billing.NoAction, billing.Wait}, sub.Next.Kind, "nothing is left to the customer")
	all := e.invoices(t, customer.ID)
	given := all[len(all)-len(invoices)].Refunded.Minor()
	if c.KeyRetention == 0 && given == 0 {
		return // without keys a refund that the bank does not know is not sent again
	}
	assert.Equal(t, refunded.Minor(), given)
}

// assertCanceledPageChargesNothing lets a customer open a page, cancel the order, and complete the page nevertheless.
func (e *env) assertCanceledPageChargesNothing(t *testing.T, first, second *Provider) {
	t.Helper()
	customer, err := first.CreateCustomer(t.Context(), payment.NewCustomer{Key: rand.Text(), OrganisationID: "other", Name: "Southside Clinic"})
	require.NoError(t, err)
	sub, err := first.Subscribe(t.Context(), payment.NewSubscription{Key: "order", CustomerID: customer.ID, Price: standard})
	require.NoError(t, err)
	if sub, err = second.Subscription(t.Context(), sub.ID); sub.Next.URL == "" {
		require.NoError(t, err)
		return // the server has stopped before the page was opened
	}
	_, err = first.CancelSubscription(t.Context(), payment.Cancellation{Key: "withdraw", SubscriptionID: sub.ID})
	require.NoError(t, err)
	e.Provider = second
	e.advance(t, time.Hour)
	e.visit(t, sub.Next.URL, fakegateway.Pays)
	assert.Equal(t, billing.IncompleteExpired, e.status(t, sub.ID))
	assert.Empty(t, e.bank.Debits(e.customerRef(t, customer.ID)))
	e.Provider = first
}

func (e *env) status(t *testing.T, id string) billing.Status {
	t.Helper()
	s, err := e.Subscription(t.Context(), id)
	require.NoError(t, err)
	return s.Status
}

func (e *env) invoices(t *testing.T, customerID string) []billing.Invoice {
	t.Helper()
	list, err := e.ListInvoices(t.Context(), payment.InvoicePage{CustomerID: customerID, Limit: 100})
	require.NoError(t, err)
	return list.Invoices
}

// customerRef returns the customer's reference at the bank.
func (e *env) customerRef(t *testing.T, customerID string) (ref string) {
	t.Helper()
	require.NoError(t, e.Read(t.Context(), customerID, ledger.Scope{}, func(_ plugin.Tx, r *ledger.Record) error {
		s, err := stateOf(r.Customer)
		ref = s.Ref
		return err
	}))
	return ref
}
