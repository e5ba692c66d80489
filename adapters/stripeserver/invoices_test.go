package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPayInvoice_RefusesPaidAndUnknownInvoices(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	paid := s.subscribe(customer).stringField("latest_invoice.id")
	s.do("POST", "/v1/invoices/"+paid+"/pay").assertError(400, badRequest, "")
	s.do("POST", "/v1/invoices/in_unknown/pay").assertError(404, badRequest, "resource_missing")
}

func TestInvoice_ReportsTheBalanceBeforeAndAfter(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	s.post("/v1/customers/"+customer+"/balance_transactions", "amount", "-50000", "currency", "aud")

	created := s.do("GET", "/v1/invoices/"+s.subscribe(customer).stringField("latest_invoice.id"))

	balances := []any{created.field("total"), created.field("amount_due"), created.field("starting_balance"),
		created.field("ending_balance")}
	assert.Equal(t, []any{42000.0, 0.0, -50000.0, -8000.0}, balances)
}
