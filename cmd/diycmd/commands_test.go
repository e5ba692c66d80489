package diycmd

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

func TestMigrateAndLicense_UseTheConfiguredDatabase(t *testing.T) {
	env := map[string]string{"DIY_DATABASE_URL": "sqlite:" + filepath.Join(t.TempDir(), "new", "diy.db")}
	var out strings.Builder
	for range 2 {
		assert.Equal(t, 0, run(t.Context(), env, &out, "migrate"))
	}
	assert.Contains(t, out.String(), "up to date")

	code := run(t.Context(), env, &out, "license", "dev", "--org", "org_unknown", "--reason", "partner", "--ticket", "T-1")

	assert.Equal(t, 1, code)
	assert.Contains(t, out.String(), "\ndiy: There is no such organisation\n")
}

func TestLicense_AuditEntryHasTheTimeOfTheServersClock(t *testing.T) {
	env := devSettings(t)
	store, err := sqlstorage.Open(t.Context(), env["DIY_DATABASE_URL"])
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	require.NoError(t, store.Migrate(t.Context()))
	require.NoError(t, store.CreateSignUp(t.Context(), storage.SignUp{
		Organisation: account.Organisation{ID: "org", CreatedAt: time.Now()},
		User:         account.User{ID: "usr", OrganisationID: "org", Email: "ada@example.test", CreatedAt: time.Now()},
		Verification: account.Verification{UserID: "usr", TokenHash: "hash", ExpiresAt: time.Now()},
	}))
	c, err := newProgram(env, nil, nil).loadConfig()
	require.NoError(t, err)
	serverClock, err := devclock.Open(c.devFile("clock"), nil)
	require.NoError(t, err)
	start, err := serverClock.Advance(30 * 24 * time.Hour)
	require.NoError(t, err)
	var out strings.Builder

	require.Zero(t, run(t.Context(), env, &out,
		"license", "dev", "--org", "org", "--reason", "partner", "--ticket", "T-1", "--by", "olga"), out.String())

	entries, err := store.OrganisationAuditEntries(t.Context(), "org", 0, 1)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	assert.Equal(t, audit.OperatorGrantedLicense, entries[0].Kind)
	assert.Equal(t, audit.Operator("olga"), entries[0].Actor)
	osUser := newProgram(env, nil, nil).operatorName()
	assert.Equal(t, audit.Data{"plan": "enterprise", "reason": "partner", "ticket": "T-1", "os_user": osUser}, entries[0].Data)
	assert.False(t, entries[0].At.Before(start), "%s is before %s", entries[0].At, start)
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

func TestHealth_FailsUnlessStatusIs200(t *testing.T) {
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
func TestLocalURL_UsesLocalhostIfItReachesTheServer(t *testing.T) {
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
