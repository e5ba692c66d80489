package stripepayment_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// processingIntent returns a processing payment intent, with a charge that contains the details of its payment method.
func processingIntent(chargedAt time.Time, methodDetails object) object {
	return paymentIntent("processing").withFields(object{"latest_charge": object{
		"id": "ch_1", "object": "charge", "status": "pending", "created": chargedAt.Unix(),
		"payment_method_details": methodDetails,
	}})
}

func TestSubscription_ProcessingPaymentHasMethodAndExpectedDate(t *testing.T) {
	march := func(day int) time.Time { return time.Date(2026, time.March, day, 12, 0, 0, 0, time.UTC) } // the 1st is a Sunday
	becsDetails := object{"type": "au_becs_debit", "au_becs_debit": object{"last4": "3456"}}
	sepaDetails := object{"type": "sepa_debit", "sepa_debit": object{"last4": "3000"}}
	for name, c := range map[string]struct {
		chargedAt time.Time
		details   object
		label     string
		want      time.Time
	}{
		"BECS within a week":      {march(2), becsDetails, "BECS Direct Debit •••• 3456", march(5)},
		"BECS over a weekend":     {march(5), becsDetails, "BECS Direct Debit •••• 3456", march(10)},
		"BECS from a Saturday":    {march(7), becsDetails, "BECS Direct Debit •••• 3456", march(11)},
		"SEPA over two weekends":  {march(2), sepaDetails, "SEPA Direct Debit •••• 3000", march(20)},
		"unknown settlement time": {march(2), object{"type": "novelty"}, "novelty", time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(readSubscriptionRoute, okResponse(incompleteSubscription)).
				respond(readPaymentRoute, okResponse(processingIntent(c.chargedAt, c.details)))

			sub, err := s.provider().Subscription(t.Context(), "sub_1")

			require.NoError(t, err)
			assert.Equal(t, billing.Wait, sub.Next.Kind)
			assert.Equal(t, "in_1", sub.Next.InvoiceID)
			require.NotNil(t, sub.Next.Method)
			assert.Equal(t, c.label, sub.Next.Method.Label)
			assert.Equal(t, c.want, sub.Next.Until)
			assert.Equal(t, []string{"latest_charge"}, s.lastRequest(readPaymentRoute).params["expand[0]"])
		})
	}
}

func TestPayInvoice_ReturnsConflictWhileThePaymentIsProcessing(t *testing.T) {
	s := newStub(t).respond(readInvoiceRoute, okResponse(openInvoice)).respond(payInvoiceRoute, invalidRequestResponse(nil)).
		respond(readPaymentRoute, okResponse(processingIntent(noon, nil)))
	_, err := s.provider().PayInvoice(t.Context(), invoicePayment)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, fault.MessageOf(billing.ErrPaymentProcessing()), fault.MessageOf(err))
}

// Stripe would not charge the bank account if the subscription's payment settings allowed only cards.
func TestAddCard_AllowsTheLiveSubscriptionToChargeTheBankAccount(t *testing.T) {
	f := newFakeStripe(t, catalogue.Default())
	p := f.provider(t, catalogue.Default())
	c := f.newCustomerWithCard(t, p)
	s, err := p.Subscribe(t.Context(), subscribeRequest(c, "standard"))
	require.NoError(t, err)
	allowedTypes := func() any {
		return f.mustGet(t, "/v1/subscriptions/"+s.ID)["payment_settings"].(map[string]any)["payment_method_types"]
	}
	require.Equal(t, []any{"card"}, allowedTypes())
	bankAccountMethodID, err := f.makeCard(t, paymenttest.Settles)
	require.NoError(t, err)

	_, err = p.AddCard(t.Context(), payment.NewCard{Key: rand.Text(), CustomerID: c.ID, MethodID: bankAccountMethodID})

	require.NoError(t, err)
	assert.Equal(t, []any{"card", "au_becs_debit"}, allowedTypes())
	cards, err := p.Cards(t.Context(), c.ID)
	require.NoError(t, err)
	require.Len(t, cards, 2)
	assert.Equal(t, billing.BankDebitMethod, cards[0].Kind, "the list has bank accounts too")
	writes := f.executedWrites()
	_, err = p.SetDefaultCard(t.Context(), payment.SavedCardRequest{Key: rand.Text(), CustomerID: c.ID, MethodID: bankAccountMethodID})
	require.NoError(t, err)
	assert.Equal(t, writes+1, f.executedWrites(), "the subscription needs no further change")
}
