package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCreateCreditNote_RefundsItsAmount(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	invoice := s.send("GET", "/v1/invoices/"+s.subscribe(customerID).stringField("latest_invoice.id"))
	invoiceID := invoice.stringField("id")

	note := s.mustPost("/v1/credit_notes", "invoice", invoiceID, "amount", "500", "refund_amount", "500")

	assert.Equal(t, invoice.stringField("number")+"-CN-01", note.field("number"))
	charges := s.send("GET", "/v1/charges", "customer", customerID, "expand[]", "data.refunds")
	assert.Equal(t, []any{500.0, note.field("refunds.0.refund")},
		[]any{charges.field("data.0.amount_refunded"), charges.field("data.0.refunds.data.0.id")})
	assert.Equal(t, 500.0, s.send("GET", "/v1/invoices/"+invoiceID).field("post_payment_credit_notes_amount")) //nolint:testifylint // exact
	for _, filter := range [][]string{{"customer", customerID}, {"invoice", invoiceID}} {
		assert.Equal(t, note.field("id"), s.send("GET", "/v1/credit_notes", filter...).field("data.0.id"))
	}
	assert.Empty(t, s.send("GET", "/v1/credit_notes", "invoice", "in_other").ids())
}

func TestCreateCreditNote_RefusesWhatWasNotPaidOrIsNotRefunded(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	paidInvoiceID := s.subscribe(customerID).stringField("latest_invoice.id")
	s.mustPost("/v1/credit_notes", "invoice", paidInvoiceID, "amount", "500", "refund_amount", "500")
	declinedCustomerID, _ := s.newCustomerWithCard(declinedChargeToken)
	openInvoiceID := s.subscribe(declinedCustomerID).stringField("latest_invoice.id")
	for name, c := range map[string]struct {
		params   []string
		wantCode string
	}{
		"no invoice":             {[]string{"amount", "100", "refund_amount", "100"}, "parameter_missing"},
		"an unknown invoice":     {[]string{"invoice", "in_other", "amount", "100", "refund_amount", "100"}, "resource_missing"},
		"an open invoice":        {[]string{"invoice", openInvoiceID, "amount", "100", "refund_amount", "100"}, "local_stripe_unsupported"},
		"no amount":              {[]string{"invoice", paidInvoiceID}, "parameter_missing"},
		"a part is not refunded": {[]string{"invoice", paidInvoiceID, "amount", "100", "refund_amount", "50"}, ""},
		"more than is left":      {[]string{"invoice", paidInvoiceID, "amount", "41501", "refund_amount", "41501"}, ""},
		"nothing":                {[]string{"invoice", paidInvoiceID, "amount", "0", "refund_amount", "0"}, ""},
		"another parameter":      {[]string{"invoice", paidInvoiceID, "amount", "100", "credit_amount", "100"}, "parameter_unknown"},
	} {
		t.Run(name, func(*testing.T) {
			s.send("POST", "/v1/credit_notes", c.params...).assertError(400, invalidRequestType, c.wantCode)
		})
	}
}
