package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDisputes_AreOpenedAndEndedByTheNumberOfTheInvoice(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	number := s.subscribe(customer).stringField("latest_invoice.number")
	charge := s.do("GET", "/v1/charges", "customer", customer).stringField("data.0.id")
	dispute := func(action string) result { return s.post("/local/disputes", "invoice", number, "action", action) }
	list := func() result { return s.do("GET", "/v1/disputes", "charge", charge) }
	assert.Empty(t, list().ids())

	first := dispute("open").stringField("id")

	assert.Equal(t, []string{first}, list().ids())
	assert.Equal(t, "needs_response", list().field("data.0.status"))
	assert.Equal(t, "won", dispute("won").field("status"))
	second := dispute("open").stringField("id")
	assert.Equal(t, []string{second, first}, list().ids())
	assert.Equal(t, "lost", dispute("lost").field("status"))
	assert.Equal(t, []any{"lost", "won"}, []any{list().field("data.0.status"), list().field("data.1.status")})
	s.do("POST", "/local/disputes", "invoice", number, "action", "open").assertError(400, badRequest, "")
}

func TestDisputes_RefusesUnknownInvoicesAndActions(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	number := s.subscribe(customer).stringField("latest_invoice.number")
	s.do("POST", "/local/disputes", "invoice", number, "action", "appeal").assertError(400, badRequest, "")
	s.do("POST", "/local/disputes", "invoice", number, "action", "won").assertError(400, badRequest, "")
	s.do("POST", "/local/disputes", "invoice", "A-1", "action", "open").assertError(404, badRequest, "resource_missing")
}
