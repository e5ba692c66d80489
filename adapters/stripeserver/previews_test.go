package stripeserver_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPreview_IsTheInvoiceOfTheChange(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(visa)
	created := s.subscribe(customer)
	sub, item := created.stringField("id"), created.stringField("items.data.0.id")

	preview := s.post("/v1/invoices/create_preview", "subscription", sub, "subscription_details[items][0][id]", item,
		"subscription_details[items][0][price]", "price_professional_yearly", "subscription_details["+prorationBehaviour+"]", "always_invoice")

	assert.Equal(t, "draft", preview.field("status"))
	assert.InDelta(t, noon.Unix(), preview.field("parent.subscription_details.subscription_proration_date"), 0)
	assert.Equal(t, created.field("latest_invoice.id"), s.do("GET", "/v1/subscriptions/"+sub).field("latest_invoice"), "nothing was created")
	changed := s.post("/v1/subscriptions/"+sub, "items[0][id]", item, "items[0][price]", "price_professional_yearly",
		prorationBehaviour, "always_invoice", paymentBehaviour, "pending_if_incomplete", "expand[0]", "latest_invoice")
	for _, field := range []string{"total", "amount_due", "total_taxes"} {
		assert.Equal(t, preview.field(field), changed.field("latest_invoice."+field), field)
	}
	for _, field := range []string{"amount", "pricing", "period"} {
		assert.Equal(t, preview.field("lines.data.1."+field), changed.field("latest_invoice.lines.data.1."+field), field)
	}
}

func TestInvoiceDocument_NeedsNoKey(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(visa)
	address := s.subscribe(customer).stringField("latest_invoice.invoice_pdf")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := s.Client().Do(r)
	require.NoError(t, err)
	defer func() { assert.NoError(t, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, "application/pdf", response.Header.Get("Content-Type"))
	assert.True(t, strings.HasPrefix(string(text), "%PDF"))
	assert.True(t, strings.HasPrefix(response.Request.URL.Path, "/local/files/"), "it was redirected")
}

func TestRefund_ShowsOnTheCharge(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(visa)
	intent := s.subscribe(customer).stringField("latest_invoice.payments.data.0.payment.payment_intent")
	refund := s.post("/v1/refunds", "payment_intent", intent, "amount", "100")
	charges := s.do("GET", "/v1/charges", "customer", customer)
	assert.Equal(t, refund.field("charge"), charges.field("data.0.id"))
	assert.InDelta(t, 100, charges.field("data.0.amount_refunded"), 0)
	s.do("POST", "/v1/refunds", "payment_intent", intent, "amount", "42000").assertError(400, badRequest, "")
}

func TestTaxIDs_ReplacedByCreatingAndDeleting(t *testing.T) {
	s := newTestServer(t)
	customer := s.post("/v1/customers", "email", "ann@clinic.example").stringField("id")
	path := "/v1/customers/" + customer + "/tax_ids"
	s.do("POST", path, "type", "xx_vat", "value", "1").assertError(400, badRequest, "")
	first := s.post(path, "type", "au_abn", "value", "1").stringField("id")
	second := s.post(path, "type", "au_abn", "value", "2").stringField("id")
	assert.Equal(t, []string{second, first}, s.do("GET", path).ids())
	assert.Equal(t, true, s.do("DELETE", path+"/"+first).field("deleted"))
	s.do("DELETE", path+"/"+first).assertError(404, badRequest, "resource_missing")
	expanded := s.do("GET", "/v1/customers/"+customer, "expand[]", "tax_ids")
	assert.Equal(t, second, expanded.field("tax_ids.data.0.id"))
}
