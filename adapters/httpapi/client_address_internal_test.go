package httpapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAuditNetwork_ContainsNoAddressOfOneClient(t *testing.T) {
	for address, want := range map[string]string{"192.0.2.55": "192.0.2.0/24", "2001:db8:1:2::3": "2001:db8:1::/48"} {
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		ctx := context.WithValue(r.Context(), clientAddressKey{}, netip.MustParseAddr(address))
		assert.Equal(t, want, auditNetwork(r.WithContext(ctx)))
	}
	assert.Empty(t, auditNetwork(httptest.NewRequest(http.MethodGet, "/", http.NoBody)), "unknown address")
}
