package stripepayment_test

import (
	"errors"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	claim  = "POST /v1/subscriptions/sub_1"
	cancel = "DELETE /v1/subscriptions/sub_1"
	void   = "POST /v1/invoices/in_1/void"
)

var (
	cancellation = payment.Cancellation{Key: "key-1", SubscriptionID: "sub_1"}
	canceled     = active.with(object{"status": "canceled"})
)

func TestASubscriptionIsCanceledUnderItsKey(t *testing.T) {
	s := newScript(t).on(claim, fine(active)).on(cancel, fine(canceled))
	ended, err := s.provider().CancelSubscription(t.Context(), cancellation)
	require.NoError(t, err)
	assert.Equal(t, billing.Canceled, ended.Status)
	assert.Equal(t, []string{claim, cancel}, s.routes())
	assert.Equal(t, "key-1", s.last(claim).key())
	assert.Equal(t, "key-1", s.last(claim).params.Get("metadata[cancellation]"))
	assert.Equal(t, url.Values{
		"expand[0]": {"latest_invoice.confirmation_secret"}, "expand[1]": {"latest_invoice.payments"}, "expand[2]": {"pending_setup_intent"},
	}, s.last(cancel).params)
}

func TestAnEndedSubscriptionIsReturnedAsItIs(t *testing.T) {
	for _, status := range []string{"canceled", "incomplete_expired"} {
		s := newScript(t).on(claim, fine(active.with(object{"status": status})))
		ended, err := s.provider().CancelSubscription(t.Context(), cancellation)
		require.NoError(t, err)
		assert.Equal(t, billing.Status(status), ended.Status)
		assert.Equal(t, []string{claim}, s.routes())
	}
}

func TestWhatWasCanceledBeforeIsNoFailure(t *testing.T) {
	for name, again := range map[string]answer{"gone": missing("id"), "refused": invalidRequest(nil)} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(claim, fine(active)).on(cancel, again).on(readSubscription, fine(canceled))
			ended, err := s.provider().CancelSubscription(t.Context(), cancellation)
			require.NoError(t, err, "the claim is a replay, the subscription is over")
			assert.Equal(t, billing.Canceled, ended.Status)
		})
	}
}

func TestWhatLetsNothingBeWrittenAnyMoreIsRead(t *testing.T) {
	s := newScript(t).on(claim, invalidRequest(nil)).on(readSubscription, fine(active.with(object{"status": "incomplete_expired"})))
	ended, err := s.provider().CancelSubscription(t.Context(), cancellation)
	require.NoError(t, err)
	assert.Equal(t, billing.IncompleteExpired, ended.Status)
}

func TestTheLastBillOfACanceledSubscriptionCanNotBePaidAnyMore(t *testing.T) {
	unpaid := canceled.with(object{"latest_invoice": invoice("open", "open")})
	voided := canceled.with(object{"latest_invoice": invoice("void", "canceled")})
	s := newScript(t).on(claim, fine(active)).on(cancel, fine(unpaid)).on(void, fine(invoice("void", "canceled"))).on(readSubscription, fine(voided))

	ended, err := s.provider().CancelSubscription(t.Context(), cancellation)

	require.NoError(t, err)
	assert.Equal(t, billing.IntentCanceled, ended.LatestInvoice.Payment.Status)
	assert.Equal(t, []string{claim, cancel, void, readSubscription}, s.routes())
	assert.Equal(t, "key-1-void", s.last(void).key())
}

func TestCancel_VoidsTheOpenInvoiceBeforeItEndsThePastDueSubscription(t *testing.T) {
	pastDue := active.with(object{"status": "past_due", "latest_invoice": invoice("open", "open")})
	voided := active.with(object{"latest_invoice": invoice("void", "canceled")})
	s := newScript(t).on(claim, fine(pastDue)).on(void, fine(invoice("void", "canceled"))).on(readSubscription, fine(voided)).
		on(cancel, fine(voided.with(object{"status": "canceled"})))

	ended, err := s.provider().CancelSubscription(t.Context(), cancellation)

	require.NoError(t, err)
	assert.Equal(t, billing.Canceled, ended.Status)
	assert.Equal(t, []string{claim, void, readSubscription, cancel}, s.routes())
}

func TestCancel_PastDueSubscriptionGoesOnUnlessItsInvoiceIsVoid(t *testing.T) {
	pastDue := active.with(object{"status": "past_due", "latest_invoice": invoice("open", "open")})
	paid := active.with(object{"latest_invoice": invoice("paid", "paid")})
	for name, c := range map[string]struct {
		void  answer
		after object
		want  fault.Code
	}{
		"it was paid meanwhile":   {invalidRequest(nil), paid, fault.Conflict},
		"a payment is on its way": {invalidRequest(nil), pastDue, fault.Conflict},
		"nobody knows":            {refusal(500, object{}), pastDue, fault.Unavailable},
		"its key was retired":     {usedKey, pastDue, fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(claim, fine(pastDue)).on(void, c.void).on(readSubscription, fine(c.after)).on(retire, fine(customer))
			_, err := s.provider().CancelSubscription(t.Context(), cancellation)
			assert.Equal(t, c.want, fault.CodeOf(err))
			assert.Equal(t, name == "its key was retired", errors.Is(err, payment.ErrKeyRetired))
			assert.NotContains(t, s.routes(), cancel)
		})
	}
}

func TestABillThatWasPaidMeanwhileStaysPaid(t *testing.T) {
	unpaid := canceled.with(object{"latest_invoice": invoice("open", "open")})
	s := newScript(t).on(claim, fine(active)).on(cancel, fine(unpaid)).on(void, invalidRequest(nil)).on(readSubscription, fine(canceled))
	ended, err := s.provider().CancelSubscription(t.Context(), cancellation)
	require.NoError(t, err)
	assert.Equal(t, billing.Succeeded, ended.LatestInvoice.Payment.Status)
}

func TestCancellationsThatFail(t *testing.T) {
	outage := refusal(500, object{"type": "api_error"})
	for name, c := range map[string]struct {
		claim, cancel, read, void answer
		want                      fault.Code
	}{
		"an old key":            {claim: usedKey, read: fine(active), want: fault.Conflict},
		"nothing there":         {claim: missing("id"), read: missing("id"), want: fault.NotFound},
		"an outage at first":    {claim: outage, want: fault.Unavailable},
		"an outage then":        {claim: fine(active), cancel: outage, want: fault.Unavailable},
		"refused while it runs": {claim: fine(active), cancel: invalidRequest(nil), read: fine(active), want: fault.Invalid},
		"an outage at the end": {
			claim: fine(active), cancel: fine(canceled.with(object{"latest_invoice": invoice("open", "open")})), void: outage, want: fault.Unavailable,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(claim, c.claim).on(cancel, c.cancel).on(readSubscription, c.read).on(void, c.void).on(retire, usedKey)
			_, err := s.provider().CancelSubscription(t.Context(), cancellation)
			assert.Equal(t, c.want, fault.CodeOf(err))
		})
	}
}
