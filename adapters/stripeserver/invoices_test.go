package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPayInvoice(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(declinedCharge)
	bill := "/v1/invoices/" + s.subscribe(customer).stringField("latest_invoice.id")

	declined := s.do("POST", bill+"/pay")
	declined.assertError(402, "card_error", "card_declined")
	assert.Equal(t, "generic_decline", declined.field("error.decline_code"))

	waits := s.do("POST", bill+"/pay", "payment_method", s.addCard(customer, needsAuthentication), "off_session", "false")
	waits.assertError(402, "card_error", "invoice_payment_intent_requires_action")

	assert.Equal(t, "paid", s.post(bill+"/pay", "payment_method", s.addCard(customer, visa)).field("status"))
	s.do("POST", bill+"/pay").assertError(400, badRequest, "")
	s.do("POST", "/v1/invoices/in_unknown/pay").assertError(404, badRequest, "resource_missing")
}

func TestListInvoices(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(visa)
	created := s.subscribe(customer, "trial_period_days", "7")
	s.post("/v1/subscriptions/"+created.stringField("id"), "items[0][id]", created.stringField("items.data.0.id"),
		"items[0][price]", "price_professional_yearly", prorationBehaviour, "always_invoice", paymentBehaviour, "pending_if_incomplete", "trial_end", "now")

	all := s.do("GET", "/v1/invoices", "customer", customer)
	assert.Len(t, all.ids(), 2)
	assert.Equal(t, created.field("latest_invoice.id"), all.ids()[1])
	assert.Equal(t, "subscription_create", all.field("data.1.billing_reason"))
	assert.Equal(t, all.ids(), s.do("GET", "/v1/invoices", "subscription", created.stringField("id")).ids())
	assert.Empty(t, s.do("GET", "/v1/invoices", "customer", customer, "status", "open").ids())
}
