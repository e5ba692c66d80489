package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const pay = "POST /v1/invoices/in_1/pay"

var continuation = payment.Continuation{Key: "key-1", SubscriptionID: "sub_1"}

func TestAnOpenInvoiceIsPaidWithTheDefaultCard(t *testing.T) {
	s := newScript(t).on(readSubscription, fine(expanded(incomplete)), fine(active)).on(pay, fine(invoice("paid", "paid")))

	after, err := s.provider().ContinueSubscription(t.Context(), continuation)

	require.NoError(t, err)
	assert.Equal(t, billing.Active, after.Status)
	assert.Equal(t, []string{readSubscription, pay, readSubscription}, s.routes())
	assert.Equal(t, url.Values{"payment_method": {"pm_1"}, "off_session": {"false"}}, s.last(pay).params)
	assert.Equal(t, "key-1", s.last(pay).key())
}

func TestWhatThePaymentIsAnsweredIsNotTheResult(t *testing.T) {
	for name, refused := range map[string]answer{
		"declined":             declined(),
		"wants authentication": refusal(402, object{"type": "card_error", "code": "invoice_payment_intent_requires_action"}),
		"paid meanwhile":       invalidRequest(object{"message": "Invoice is already paid"}),
		"the card is gone":     missing("payment_method"),
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(readSubscription, fine(expanded(incomplete)), fine(incomplete)).on(pay, refused).
				on(readPayment, fine(paymentIntent("requires_action")))
			after, err := s.provider().ContinueSubscription(t.Context(), continuation)
			require.NoError(t, err)
			assert.Equal(t, billing.RequiresAction, after.LatestInvoice.Payment.Status)
			assert.NotEmpty(t, after.LatestInvoice.Payment.ClientSecret)
		})
	}
}

func TestContinuationsThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		found object
		pay   answer
		want  fault.Code
	}{
		"an outage":      {expanded(incomplete), refusal(500, object{"type": "api_error"}), fault.Unavailable},
		"an old key":     {expanded(incomplete), refusal(400, object{"type": "idempotency_error"}), fault.Conflict},
		"it has ended":   {expanded(incomplete.with(object{"status": "canceled"})), answer{}, fault.Conflict},
		"it is unpaid":   {expanded(incomplete.with(object{"status": "unpaid"})), answer{}, fault.Conflict},
		"it has no card": {incomplete.with(object{"customer": cardless}), answer{}, fault.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(readSubscription, fine(c.found)).on(pay, c.pay)
			_, err := s.provider().ContinueSubscription(t.Context(), continuation)
			assert.Equal(t, c.want, fault.CodeOf(err))
		})
	}
}

func TestNothingToPayChangesNothing(t *testing.T) {
	for _, found := range []object{active, trialing} {
		s := newScript(t).on(readSubscription, fine(expanded(found)))
		_, err := s.provider().ContinueSubscription(t.Context(), continuation)
		require.NoError(t, err)
		assert.Equal(t, []string{readSubscription}, s.routes())
	}
}
