package stripeserver_test

import "testing"

func TestPayInvoice_Refusals(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	paid := s.subscribe(customer).stringField("latest_invoice.id")
	s.do("POST", "/v1/invoices/"+paid+"/pay").assertError(400, badRequest, "")
	s.do("POST", "/v1/invoices/in_unknown/pay").assertError(404, badRequest, "resource_missing")
}
