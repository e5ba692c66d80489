package diycmd

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMigrateAndLicense_UseTheConfiguredDatabase(t *testing.T) {
	env := map[string]string{"DIY_DATABASE_URL": "sqlite:" + filepath.Join(t.TempDir(), "new", "diy.db")}
	var out strings.Builder
	for range 2 {
		assert.Equal(t, 0, run(t.Context(), env, &out, "migrate"))
	}
	assert.Contains(t, out.String(), "up to date")

	code := run(t.Context(), env, &out, "license", "dev", "--org", "org_unknown")

	assert.Equal(t, 1, code)
	assert.Contains(t, out.String(), "\ndiy: There is no such organisation\n")
}

// runHealth runs `diy health` for the address.
func runHealth(t *testing.T, addr string) (code int, output string) {
	t.Helper()
	var stderr strings.Builder
	code = run(t.Context(), map[string]string{"DIY_ADDR": addr}, &stderr, "health")
	return code, stderr.String()
}

func TestHealth_ReachesTheServer(t *testing.T) {
	p := startInProcessServer(t, devSettings(t))
	_, port, _ := strings.Cut(p.addr, ":")

	for _, addr := range []string{p.addr, ":" + port, "0.0.0.0:" + port} {
		code, output := runHealth(t, addr)
		assert.Zero(t, code, output)
	}
	assert.Zero(t, p.stop())
	code, output := runHealth(t, p.addr)
	assert.Equal(t, 1, code)
	assert.Contains(t, output, "refused")
}

func TestHealth_FailsOnOtherStatuses(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)

	code, output := runHealth(t, server.Listener.Addr().String())

	assert.Equal(t, 1, code)
	assert.Contains(t, output, "404")
}

func TestHealth_RequiresAValidConfiguration(t *testing.T) {
	code, output := runHealth(t, "8080")
	assert.Equal(t, 2, code)
	assert.Contains(t, output, "DIY_ADDR")
}

// Browsers refuse passkeys under an IP address.
func TestLocalURL_NamesLocalhostIfItLeadsToTheServer(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:8080": "http://localhost:8080",
		"[::1]:8080":     "http://localhost:8080",
		":8080":          "http://localhost:8080",
		"0.0.0.0:8080":   "http://localhost:8080",
		"[::]:8080":      "http://localhost:8080",
		"127.0.0.2:8080": "http://127.0.0.2:8080",
		"10.0.0.7:8080":  "http://10.0.0.7:8080",
		"shop.test:8080": "http://shop.test:8080",
	} {
		assert.Equal(t, want, localURL(addr), addr)
	}
}
