package diycmd

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/console"
)

func TestConsole_IsOnBothAddressesInDevelopment(t *testing.T) {
	server := startServer(t, newSQLiteURL(t), "DIY_ADMIN_ADDR=127.0.0.1:0")
	for _, address := range []string{server.url, "http://" + server.waitForLog(t, adminListeningLine)} {
		assert.Equal(t, http.StatusOK, getConsole(t, address, nil), address)
		assert.Equal(t, http.StatusForbidden, getConsole(t, address, func(r *http.Request) { r.Host = "evil.example" }), address)
	}
}

func TestConsole_NeedsTheProxyOnceItIsConfigured(t *testing.T) {
	const secret = "0123456789abcdef0123456789abcdef"
	server := startServer(t, newSQLiteURL(t), "DIY_ADMIN_ADDR=127.0.0.1:0", "DIY_ADMIN_URL=https://console.example",
		"DIY_ADMIN_USER_HEADER=X-User", "DIY_ADMIN_PROXY_SECRET="+secret, "DIY_ADMIN_ROLES=support=sue")
	admin := "http://" + server.waitForLog(t, adminListeningLine)
	asSue := func(r *http.Request) {
		r.Host = "console.example"
		r.Header.Set("X-User", "sue")
		r.Header.Set(console.SecretHeader, secret)
	}
	assert.Equal(t, http.StatusOK, getConsole(t, admin, asSue))
	assert.Equal(t, http.StatusForbidden, getConsole(t, admin, nil))
	assert.Equal(t, http.StatusNotFound, getConsole(t, server.url, asSue), "it is not public")
	assert.NotContains(t, server.logText(t), secret)
}

// getConsole returns the status of the search page.
func getConsole(t *testing.T, address string, change func(*http.Request)) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/console/search", nil)
	require.NoError(t, err)
	if change != nil {
		change(r)
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	_, _ = io.Copy(io.Discard, response.Body)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}
