package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestProducts_UpdateKeepsMetadataAndTakenIDIsRefused(t *testing.T) {
	s := newTestServer(t)
	s.post("/v1/products", "id", "diy_x", "name", "X", "metadata[plan]", "x")
	s.do("POST", "/v1/products", "id", "diy_x", "name", "Y").assertError(400, badRequest, "resource_already_exists")
	changed := s.post("/v1/products/diy_x", "name", "Z", "active", "false")
	assert.Equal(t, "Z", changed.field("name"))
	assert.Equal(t, object{"plan": "x"}, changed.field("metadata"))
	assert.Equal(t, []string{"diy_x"}, s.do("GET", "/v1/products", "ids[0]", "diy_x", "ids[1]", "no_such").ids())
	assert.NotContains(t, s.do("GET", "/v1/products", "active", "true").ids(), "diy_x")
}
