package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCustomers_UpdateMergesMetadataAndDeletedCannotChange(t *testing.T) {
	s := newTestServer(t)
	created := s.post("/v1/customers", "name", "Northside", "address[country]", "AU", "metadata[org_id]", "org_1",
		"metadata[currency]", "AUD")
	path := "/v1/customers/" + created.stringField("id")
	changed := s.post(path, "metadata[org_id]", "", "phone", "+61 2 5550 1234")
	assert.Equal(t, object{"currency": "AUD"}, changed.field("metadata"))
	assert.Equal(t, "Northside", changed.field("name"))
	assert.Equal(t, "AU", changed.field("address.country"))
	assert.Nil(t, changed.field("currency"))
	assert.NotContains(t, changed.body, "subscriptions")

	assert.Equal(t, true, s.do("DELETE", path).field("deleted"))
	gone := s.do("GET", path)
	assert.Equal(t, 200, gone.status)
	assert.Equal(t, object{"id": created.field("id"), "object": "customer", "deleted": true}, gone.body)
	s.do("POST", path, "name", "Ann").assertError(400, badRequest, "resource_missing")
	s.do("DELETE", path).assertError(404, badRequest, "resource_missing")
	s.do("POST", "/v1/customers", "email", "nobody").assertError(400, badRequest, "email_invalid")
}
