package stripepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

func TestSubscription_AdviceDecidesWhetherADeclineIsHard(t *testing.T) {
	declined := func(fields object) object {
		return object{"type": "card_error", "code": "card_declined", "charge": "ch_1"}.withFields(fields)
	}
	failedCharge := func(id string, outcome object) object {
		return object{"id": id, "object": "charge", "status": "failed", "outcome": outcome}
	}
	for name, c := range map[string]struct {
		err    object
		charge any
		want   bool
	}{
		"no advice, soft code": {declined(object{"decline_code": "insufficient_funds"}), nil, false},
		"no advice, hard code": {declined(object{"decline_code": "lost_card"}), nil, true},
		"do not try again": {declined(object{"decline_code": "generic_decline", "advice_code": "do_not_try_again"}),
			nil, true},
		"try again later, hard code": {declined(object{"decline_code": "transaction_not_allowed",
			"advice_code": "try_again_later"}), nil, false},
		"confirm card data": {declined(object{"decline_code": "incorrect_number", "advice_code": "confirm_card_data"}),
			nil, false},
		"network 01": {declined(object{"network_advice_code": "01"}), nil, true},
		"network 03, try again later": {declined(object{"advice_code": "try_again_later", "network_advice_code": "03"}),
			nil, true},
		"network 21": {declined(object{"network_advice_code": "21"}), nil, true},
		"network 02, hard code": {declined(object{"decline_code": "pickup_card", "network_advice_code": "02"}), nil,
			false},
		"unknown network advice, hard code": {declined(object{"decline_code": "lost_card", "network_advice_code": "43"}), nil,
			true},
		"advice of the charge": {declined(object{"decline_code": "generic_decline"}),
			failedCharge("ch_1", object{"advice_code": "do_not_try_again"}), true},
		"network advice of the charge": {declined(object{"decline_code": "generic_decline"}),
			failedCharge("ch_1", object{"network_advice_code": "21"}), true},
		"advice of an earlier charge": {declined(object{"decline_code": "generic_decline"}),
			failedCharge("ch_0", object{"advice_code": "do_not_try_again"}), false},
	} {
		t.Run(name, func(t *testing.T) {
			intent := paymentIntent("requires_payment_method").
				withFields(object{"last_payment_error": c.err, "latest_charge": c.charge})
			s := newStub(t).respond(readSubscriptionRoute, okResponse(incompleteSubscription)).
				respond(readPaymentRoute, okResponse(intent))
			sub, err := s.provider().Subscription(t.Context(), "sub_1")
			require.NoError(t, err)
			assert.Equal(t, c.want, sub.LatestInvoice.Payment.HardDecline)
		})
	}
}

func TestSubscription_ReportsDeclinedMethodAndTimeOfFailedCharge(t *testing.T) {
	failedAt := time.Unix(1_795_000_000, 0).UTC()
	for name, c := range map[string]struct {
		code   string
		charge any
		want   billing.FailedAttempt
	}{
		"failed authentication": {"payment_intent_authentication_failure", nil, billing.FailedAttempt{}},
		"failed charge": {"card_declined", object{"id": "ch_1", "object": "charge", "status": "failed", "created": failedAt.Unix()},
			billing.FailedAttempt{MethodID: "pm_1", At: failedAt}},
		"earlier charge": {"card_declined", object{"id": "ch_0", "object": "charge", "status": "failed"},
			billing.FailedAttempt{MethodID: "pm_1"}},
		"failure before the charge": {"card_declined", nil, billing.FailedAttempt{MethodID: "pm_1"}},
	} {
		t.Run(name, func(t *testing.T) {
			lastError := object{"type": "card_error", "code": c.code, "charge": "ch_1",
				"message": "Your card has insufficient funds.", "payment_method": object{"id": "pm_1"}}
			intent := paymentIntent("requires_payment_method").
				withFields(object{"last_payment_error": lastError, "latest_charge": c.charge})
			s := newStub(t).respond(readSubscriptionRoute, okResponse(incompleteSubscription)).
				respond(readPaymentRoute, okResponse(intent))
			sub, err := s.provider().Subscription(t.Context(), "sub_1")
			require.NoError(t, err)
			assert.Equal(t, c.want, sub.Next.Failed)
			assert.Equal(t, "Your card has insufficient funds.", sub.Next.Reason)
		})
	}
}
