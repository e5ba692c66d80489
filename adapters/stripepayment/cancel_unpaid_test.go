package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var unlessPaid = payment.Cancellation{Key: "key-1", SubscriptionID: "sub_1", IfUnpaid: true}

func TestOneThatWasPaidIsSpared(t *testing.T) {
	for name, s := range map[string]*script{
		"before":                newScript(t).on(claim, fine(active)),
		"while it was canceled": newScript(t).on(claim, fine(incomplete)).on(void, invalidRequest(nil)).on(readSubscription, fine(active)),
	} {
		t.Run(name, func(t *testing.T) {
			s.on(readPayment, fine(paymentIntent("succeeded")))
			spared, err := s.provider().CancelSubscription(t.Context(), unlessPaid)
			require.NoError(t, err)
			assert.Equal(t, billing.Active, spared.Status)
			assert.NotContains(t, s.routes(), cancel)
		})
	}
}

func TestOneThatWasNotPaidCanNotBePaidBeforeItIsEnded(t *testing.T) {
	for name, after := range map[string]object{
		"incomplete still": incomplete.with(object{"latest_invoice": invoice("void", "canceled")}),
		"expired by that":  incomplete.with(object{"status": "incomplete_expired", "latest_invoice": invoice("void", "canceled")}),
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(claim, fine(incomplete)).on(void, fine(invoice("void", "canceled"))).on(readSubscription, fine(after)).
				on(cancel, fine(after.with(object{"status": "incomplete_expired"})))
			ended, err := s.provider().CancelSubscription(t.Context(), unlessPaid)
			require.NoError(t, err)
			assert.Equal(t, billing.IncompleteExpired, ended.Status)
			assert.Equal(t, []string{claim, void}, s.routes()[:2])
		})
	}
}

func TestOneWhosePaymentIsOnItsWayIsLeftAlone(t *testing.T) {
	s := newScript(t).on(claim, fine(incomplete)).on(void, invalidRequest(nil)).on(readSubscription, fine(incomplete))
	_, err := s.provider().CancelSubscription(t.Context(), unlessPaid)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.NotContains(t, s.routes(), cancel)
}

func TestNothingIsEndedWhileNobodyKnowsWhetherItCanBePaid(t *testing.T) {
	s := newScript(t).on(claim, fine(incomplete)).on(void, refusal(500, object{}))
	_, err := s.provider().CancelSubscription(t.Context(), unlessPaid)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.NotContains(t, s.routes(), cancel)
}
