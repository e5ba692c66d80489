package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	readInvoiceRoute = "GET /v1/invoices/in_1"
	payInvoiceRoute  = "POST /v1/invoices/in_1/pay"
)

var invoicePayment = payment.InvoicePayment{Key: "key-1", InvoiceID: "in_1", Amount: aud(42000)}

func TestPayInvoice_RefusedPaymentReturnsTheSubscription(t *testing.T) {
	for name, res := range map[string]response{
		"declined": declinedResponse(),
		"requires authentication": errorResponse(402,
			object{"type": "card_error", "code": "invoice_payment_intent_requires_action"}),
		"paid meanwhile": invalidRequestResponse(object{"message": "Invoice is already paid"}),
		"unknown card":   resourceMissingResponse("payment_method"),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(readInvoiceRoute, okResponse(openInvoice)).
				respond(readSubscriptionRoute, okResponse(incompleteSubscription)).
				respond(payInvoiceRoute, res).respond(readPaymentRoute, okResponse(paymentIntent("requires_action")))
			sub, err := s.provider().PayInvoice(t.Context(), invoicePayment)
			require.NoError(t, err)
			assert.Equal(t, billing.RequiresAction, sub.LatestInvoice.Payment.Status)
			assert.NotEmpty(t, sub.LatestInvoice.Payment.ClientSecret)
		})
	}
}

func TestPayInvoice_ChargesAnOwedInvoiceOnlyWithEndedAndTheRemainingAmount(t *testing.T) {
	owedInvoice := expandedInvoice(canceledSubscription, customer).withFields(object{"amount_paid": 2000})
	req := invoicePayment
	req.Ended, req.Amount = true, aud(40000)
	s := newStub(t).respond(readInvoiceRoute, okResponse(owedInvoice)).
		respond(payInvoiceRoute, okResponse(invoice("paid", "paid"))).
		respond(readSubscriptionRoute, okResponse(canceledSubscription))
	sub, err := s.provider().PayInvoice(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, billing.Canceled, sub.Status)
	assert.Equal(t, []string{readInvoiceRoute, payInvoiceRoute, readSubscriptionRoute}, s.routes())
	for name, req := range map[string]payment.InvoicePayment{
		"without Ended":  {Key: "key-1", InvoiceID: "in_1", Amount: aud(40000)},
		"another amount": {Key: "key-1", InvoiceID: "in_1", Amount: aud(42000), Ended: true},
	} {
		_, err = s.provider().PayInvoice(t.Context(), req)
		assert.Equal(t, fault.Conflict, fault.CodeOf(err), name)
	}
}

func TestPayInvoice_ChargesAnUncollectibleInvoice(t *testing.T) {
	s := newStub(t).respond(readInvoiceRoute, okResponse(openInvoice.withFields(object{"status": "uncollectible"}))).
		respond(payInvoiceRoute, okResponse(invoice("paid", "paid"))).
		respond(readSubscriptionRoute, okResponse(activeSubscription))
	sub, err := s.provider().PayInvoice(t.Context(), invoicePayment)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, sub.Status)
}

func TestPayInvoice_RefusedPaymentOfAnOpenInvoiceReturnsDeclined(t *testing.T) {
	for name, res := range map[string]response{
		"method without a mandate": invalidRequestResponse(object{"param": "payment_method"}),
		"unknown card":             resourceMissingResponse("payment_method"),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(readInvoiceRoute, okResponse(openInvoice)).respond(payInvoiceRoute, res).
				respond(readPaymentRoute, okResponse(paymentIntent("requires_payment_method")))
			_, err := s.provider().PayInvoice(t.Context(), invoicePayment)
			assert.Equal(t, fault.Declined, fault.CodeOf(err))
			assert.Contains(t, fault.MessageOf(err), "nothing was charged")
		})
	}
}

func TestPayInvoice_ReportsFailures(t *testing.T) {
	for name, c := range map[string]struct {
		invoice object
		payment response
		want    fault.Code
	}{
		"outage":       {openInvoice, errorResponse(500, object{"type": "api_error"}), fault.Unavailable},
		"used key":     {openInvoice, keyReusedResponse, fault.Conflict},
		"void invoice": {openInvoice.withFields(object{"status": "void"}), response{}, fault.Conflict},
		"draft":        {openInvoice.withFields(object{"status": "draft"}), response{}, fault.Conflict},
		"unpaid subscription": {expandedInvoice(incompleteSubscription.withFields(object{"status": "unpaid"}), customer),
			response{},
			fault.Conflict},
		"one-off invoice": {invoice("open", "open"), response{}, fault.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(readInvoiceRoute, okResponse(c.invoice)).respond(payInvoiceRoute, c.payment).
				respond(updateCustomerRoute, keyReusedResponse)
			_, err := s.provider().PayInvoice(t.Context(), invoicePayment)
			assert.Equal(t, c.want, fault.CodeOf(err))
		})
	}
}

func TestSubscription_ReportsTheStateOfItsPayment(t *testing.T) {
	openPayment := func(id string, isDefault bool) object {
		return object{"is_default": isDefault, "status": "open",
			"payment": object{"type": "payment_intent", "payment_intent": id}}
	}
	for name, c := range map[string]struct {
		payments object
		want     *billing.Intent
	}{
		"no payments": {list(), nil},
		"payment by a charge": {list(object{"status": "paid",
			"payment": object{"type": "charge", "charge": "ch_1"}}), nil},
		"canceled": {invoice("void", "canceled")["payments"].(object),
			&billing.Intent{ID: "pi_1", Status: billing.IntentCanceled}},
		"default payment of several": {list(openPayment("pi_0", false), openPayment("pi_1", true), openPayment("pi_2", false)),
			&billing.Intent{ID: "pi_1", Status: billing.RequiresAction, ClientSecret: "pi_1_secret_x"}},
		"only payment": {list(openPayment("pi_1", false)),
			&billing.Intent{ID: "pi_1", Status: billing.RequiresAction, ClientSecret: "pi_1_secret_x"}},
	} {
		t.Run(name, func(t *testing.T) {
			latestInvoice := object{"id": "in_1", "object": "invoice", "status": "open", "confirmation_secret": nil,
				"payments": c.payments}
			s := newStub(t).
				respond(readSubscriptionRoute,
					okResponse(activeSubscription.withFields(object{"latest_invoice": latestInvoice}))).
				respond(readPaymentRoute, okResponse(paymentIntent("requires_action")))
			sub, err := s.provider().Subscription(t.Context(), "sub_1")
			require.NoError(t, err)
			assert.Equal(t, c.want, sub.LatestInvoice.Payment)
		})
	}
}

func TestSubscription_SucceededPaymentHasNoSecret(t *testing.T) {
	s := newStub(t).respond(readSubscriptionRoute, okResponse(incompleteSubscription)).
		respond(readPaymentRoute, okResponse(paymentIntent("succeeded")))
	sub, err := s.provider().Subscription(t.Context(), "sub_1")
	require.NoError(t, err)
	assert.Equal(t, &billing.Intent{ID: "pi_1", Status: billing.Succeeded}, sub.LatestInvoice.Payment)
}
