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
	deleteSubscriptionRoute = "DELETE /v1/subscriptions/sub_1"
	voidInvoiceRoute        = "POST /v1/invoices/in_1/void"
)

var (
	cancellation         = payment.Cancellation{Key: "key-1", SubscriptionID: "sub_1"}
	voidingCancellation  = payment.Cancellation{Key: "key-1", SubscriptionID: "sub_1", VoidInvoices: true}
	cancellationIfUnpaid = payment.Cancellation{Key: "key-1", SubscriptionID: "sub_1", IfUnpaid: true}
)

// canceledSubscription is the active subscription after its end.
var canceledSubscription = activeSubscription.withFields(object{"status": "canceled"})

func TestCancelSubscription_RecordsItsKey(t *testing.T) {
	s := newStub(t).respond(updateSubscriptionRoute, okResponse(activeSubscription)).
		respond(deleteSubscriptionRoute, okResponse(canceledSubscription))
	sub, err := s.provider().CancelSubscription(t.Context(), cancellation)
	require.NoError(t, err)
	assert.Equal(t, billing.Canceled, sub.Status)
	assert.Equal(t, []string{updateSubscriptionRoute, deleteSubscriptionRoute}, s.routes())
	assert.Equal(t, "key-1", s.lastRequest(updateSubscriptionRoute).key())
	assert.Equal(t, "key-1", s.lastRequest(updateSubscriptionRoute).params.Get("metadata[cancellation]"))
	assert.Equal(t, url.Values{
		"expand[0]": {"latest_invoice.confirmation_secret"}, "expand[1]": {"latest_invoice.payments"},
		"expand[2]": {"pending_setup_intent"}, "expand[3]": {"schedule"}, "expand[4]": {"customer"},
		"expand[5]": {"default_payment_method"},
	}, s.lastRequest(deleteSubscriptionRoute).params)
}

func TestCancelSubscription_ReturnsASubscriptionThatEndedMeanwhile(t *testing.T) {
	for name, refusal := range map[string]response{
		"gone": resourceMissingResponse("id"), "refused": invalidRequestResponse(nil),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(updateSubscriptionRoute, okResponse(activeSubscription)).
				respond(deleteSubscriptionRoute, refusal).
				respond(readSubscriptionRoute, okResponse(canceledSubscription))
			sub, err := s.provider().CancelSubscription(t.Context(), cancellation)
			require.NoError(t, err, "the subscription has ended")
			assert.Equal(t, billing.Canceled, sub.Status)
		})
	}
}

func TestCancelSubscription_OnlyReadsAnExpiredSubscription(t *testing.T) {
	s := newStub(t).respond(updateSubscriptionRoute, invalidRequestResponse(nil)).
		respond(readSubscriptionRoute, okResponse(activeSubscription.withFields(object{"status": "incomplete_expired"})))
	sub, err := s.provider().CancelSubscription(t.Context(), cancellation)
	require.NoError(t, err)
	assert.Equal(t, billing.IncompleteExpired, sub.Status)
}

func TestCancelSubscription_PastDueSubscriptionIsKeptIfItsInvoiceCannotBeVoided(t *testing.T) {
	overdueSubscription := activeSubscription.withFields(object{
		"status": "past_due", "latest_invoice": invoice("open", "open"),
	})
	paidSubscription := activeSubscription.withFields(object{"latest_invoice": invoice("paid", "paid")})
	for name, c := range map[string]struct {
		voidInvoice response
		rereadSub   object
		want        fault.Code
	}{
		"paid meanwhile":      {invalidRequestResponse(nil), paidSubscription, fault.Conflict},
		"payment in progress": {invalidRequestResponse(nil), overdueSubscription, fault.Conflict},
		"outage":              {errorResponse(500, object{}), overdueSubscription, fault.Unavailable},
		"retired key":         {keyReusedResponse, overdueSubscription, fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(updateSubscriptionRoute, okResponse(overdueSubscription)).
				respond(voidInvoiceRoute, c.voidInvoice).
				respond(readSubscriptionRoute, okResponse(c.rereadSub)).
				respond(listInvoicesRoute, okResponse(list(invoice("open", "open")))).
				respond(updateCustomerRoute, okResponse(customer))
			_, err := s.provider().CancelSubscription(t.Context(), voidingCancellation)
			assert.Equal(t, c.want, fault.CodeOf(err))
			assert.Equal(t, name == "retired key", errors.Is(err, payment.ErrKeyRetired))
			assert.NotContains(t, s.routes(), deleteSubscriptionRoute)
		})
	}
}

func TestCancelSubscription_InvoicePaidMeanwhileStaysPaid(t *testing.T) {
	subscriptionWithOpenInvoice := canceledSubscription.withFields(object{"latest_invoice": invoice("open", "open")})
	s := newStub(t).respond(updateSubscriptionRoute, okResponse(activeSubscription)).
		respond(deleteSubscriptionRoute, okResponse(subscriptionWithOpenInvoice)).
		respond(voidInvoiceRoute, invalidRequestResponse(nil)).respond(readSubscriptionRoute, okResponse(canceledSubscription))
	sub, err := s.provider().CancelSubscription(t.Context(), cancellation)
	require.NoError(t, err)
	assert.Equal(t, billing.Succeeded, sub.LatestInvoice.Payment.Status)
}

func TestCancelSubscription_ReportsFailures(t *testing.T) {
	outage := errorResponse(500, object{"type": "api_error"})
	for name, c := range map[string]struct {
		updateSubscription, deleteSubscription, readSubscription, voidInvoice response
		want                                                                  fault.Code
	}{
		"used key": {updateSubscription: keyReusedResponse, readSubscription: okResponse(activeSubscription),
			want: fault.Conflict},
		"missing": {updateSubscription: resourceMissingResponse("id"), readSubscription: resourceMissingResponse("id"),
			want: fault.NotFound},
		"outage when recording the key": {updateSubscription: outage, want: fault.Unavailable},
		"outage when canceling": {updateSubscription: okResponse(activeSubscription), deleteSubscription: outage,
			want: fault.Unavailable},
		"refused while active": {updateSubscription: okResponse(activeSubscription),
			deleteSubscription: invalidRequestResponse(nil), readSubscription: okResponse(activeSubscription), want: fault.Invalid},
		"outage when voiding": {
			updateSubscription: okResponse(activeSubscription),
			deleteSubscription: okResponse(canceledSubscription.withFields(object{"latest_invoice": invoice("open",
				"open")})), voidInvoice: outage,
			want: fault.Unavailable,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(updateSubscriptionRoute, c.updateSubscription).
				respond(deleteSubscriptionRoute, c.deleteSubscription).respond(readSubscriptionRoute, c.readSubscription).
				respond(voidInvoiceRoute, c.voidInvoice).respond(updateCustomerRoute, keyReusedResponse)
			_, err := s.provider().CancelSubscription(t.Context(), cancellation)
			assert.Equal(t, c.want, fault.CodeOf(err))
		})
	}
}

func TestCancelSubscription_IfUnpaidKeepsASubscriptionWhoseInvoiceCannotBeVoided(t *testing.T) {
	for name, c := range map[string]struct {
		voidInvoice response
		rereadSub   object
		want        fault.Code
	}{
		"paid meanwhile":      {invalidRequestResponse(nil), activeSubscription, ""},
		"payment in progress": {invalidRequestResponse(nil), incompleteSubscription, fault.Conflict},
		"outage":              {errorResponse(500, object{}), incompleteSubscription, fault.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(updateSubscriptionRoute, okResponse(incompleteSubscription)).
				respond(voidInvoiceRoute, c.voidInvoice).
				respond(readSubscriptionRoute, okResponse(c.rereadSub))
			sub, err := s.provider().CancelSubscription(t.Context(), cancellationIfUnpaid)
			assert.Equal(t, c.want, fault.CodeOf(err))
			if c.want == "" {
				assert.Equal(t, billing.Active, sub.Status)
			}
			assert.NotContains(t, s.routes(), deleteSubscriptionRoute)
		})
	}
}

func TestCancelSubscription_IfUnpaidVoidsTheInvoiceFirst(t *testing.T) {
	for name, voidedSub := range map[string]object{
		"still incomplete": incompleteSubscription.withFields(object{"latest_invoice": invoice("void", "canceled")}),
		"expired with its invoice": incompleteSubscription.withFields(object{"status": "incomplete_expired",
			"latest_invoice": invoice("void", "canceled")}),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(updateSubscriptionRoute, okResponse(incompleteSubscription)).
				respond(voidInvoiceRoute, okResponse(invoice("void", "canceled"))).
				respond(readSubscriptionRoute, okResponse(voidedSub)).
				respond(deleteSubscriptionRoute, okResponse(voidedSub.withFields(object{"status": "incomplete_expired"})))
			sub, err := s.provider().CancelSubscription(t.Context(), cancellationIfUnpaid)
			require.NoError(t, err)
			assert.Equal(t, billing.IncompleteExpired, sub.Status)
			assert.Equal(t, []string{updateSubscriptionRoute, voidInvoiceRoute}, s.routes()[:2])
		})
	}
}
