package fakepayment_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

func TestRefund_RepeatedRequestReturnsTheSameTaxedInvoice(t *testing.T) {
	e := newEnv(t, func(c *fakepayment.Config) { c.Prices = catalogue.Default() })
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 0)
	require.Equal(t, "GST 10 %", listInvoices(t, e.Provider, s.CustomerID)[0].TaxName)
	req := payment.RefundRequest{Key: newKey(), InvoiceID: s.LatestInvoice.ID, Amount: aud(t, 100)}

	inv, err := e.Refund(t.Context(), req)
	require.NoError(t, err)
	repeatedInv, err := e.Refund(t.Context(), req)

	require.NoError(t, err)
	assert.Equal(t, inv, repeatedInv)
}

func TestRefundAndDispute_EmitEventsAboutTheSubscription(t *testing.T) {
	for eventType, returnPayment := range map[string]func(*env, string) error{
		"charge.dispute.created": func(e *env, invoiceID string) error { return e.Dispute(t.Context(), invoiceID) },
		"charge.refunded": func(e *env, invoiceID string) error {
			_, err := e.Refund(t.Context(), payment.RefundRequest{Key: newKey(), InvoiceID: invoiceID, Amount: aud(t, 100)})
			return err
		},
	} {
		e := newEnv(t)
		s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 0)

		require.NoError(t, returnPayment(e, s.LatestInvoice.ID))

		events := e.events(t)
		i := slices.IndexFunc(events, func(event payment.Event) bool { return event.Type == eventType })
		require.GreaterOrEqual(t, i, 0, eventType)
		assert.Equal(t, payment.SubscriptionChanged, events[i].Kind)
		assert.Equal(t, []string{s.CustomerID, s.ID}, []string{events[i].CustomerID, events[i].SubscriptionID})
	}
}

func TestParseEvents_FailedRefundNamesTheInvoice(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "standard_yearly", 0)
	require.NoError(t, e.RefundKeepingCredit(t.Context(), s.LatestInvoice.ID, aud(t, 100)))

	require.NoError(t, e.ReverseRefund(t.Context(), fakepayment.FailedRefund{
		ID: "re_1", InvoiceID: s.LatestInvoice.ID, Amount: aud(t, 100), Created: noon,
	}))

	events := e.events(t)
	event := events[len(events)-1]
	assert.Equal(t, "refund.failed", event.Type)
	assert.Equal(t, []string{s.LatestInvoice.ID}, event.InvoiceIDs)
	assert.Equal(t, s.ID, event.SubscriptionID)
}
