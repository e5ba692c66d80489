package diycmd

import (
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var forOperators = regexp.MustCompile(`"msg":"listening for operators","addr":"([^"]+)"`)

// newFile names an SQLite database that does not exist yet.
func newFile(t *testing.T) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "diy.db")
}

func TestOperatorsHaveAnAddressOfTheirOwn(t *testing.T) {
	server := startServer(t, newFile(t), "DIY_ADMIN_ADDR=127.0.0.1:0")
	admin := "http://" + server.waitFor(t, forOperators)

	for _, path := range []string{
		"/metrics", "/healthz", "/readyz", "/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/goroutine?debug=1",
		"/debug/pprof/profile?seconds=1", "/debug/pprof/trace?seconds=0.1", "/debug/pprof/symbol", "/debug/pprof/cmdline",
	} {
		assert.Equal(t, http.StatusOK, getStatus(t, admin+path), path)
		if path != "/healthz" && path != "/readyz" {
			assert.Equal(t, http.StatusNotFound, getStatus(t, server.url+path), "%s is not for everybody", path)
		}
	}
	for _, path := range []string{"/", "/vc-admin/diy/plans", "/vc-admin/user/detail", "/dev/mailbox"} {
		assert.Equal(t, http.StatusNotFound, getStatus(t, admin+path), "%s is not for operators", path)
	}
	assert.NotContains(t, server.said(t), "reached from elsewhere")
}

func TestWhatOperatorsReadIsNotForBrowsers(t *testing.T) {
	server := startServer(t, newFile(t), "DIY_ADMIN_ADDR=127.0.0.1:0")
	admin := server.waitFor(t, forOperators)
	for _, path := range []string{"/metrics", "/debug/pprof/", "/healthz", "/nowhere"} {
		header := tell(t, admin, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
		assert.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'", path)
		assert.Equal(t, "nosniff", header.Get("X-Content-Type-Options"), path)
		assert.Equal(t, "no-store", header.Get("Cache-Control"), path)
	}
}

func TestAnAdminAddressThatOthersMayReachIsWarnedOf(t *testing.T) {
	server := startServer(t, newFile(t), "DIY_ADMIN_ADDR=:0")
	server.waitFor(t, regexp.MustCompile(`"level":"WARN",("msg":"the admin address may be reached from elsewhere)`))
}

func TestWithoutAnAdminAddressNothingIsServedToOperators(t *testing.T) {
	server := startServer(t, newFile(t))
	assert.NotContains(t, server.said(t), "operators")
}

func TestServeFailsOnATakenAdminAddress(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	public := free.Addr().String()
	require.NoError(t, free.Close())
	env := settings(t)
	env["DIY_ADDR"], env["DIY_ADMIN_ADDR"] = public, taken.Addr().String()
	var stderr strings.Builder

	code := run(t.Context(), stdio{env: env, stdout: io.Discard, stderr: &stderr}, nil)

	assert.Equal(t, 1, code)
	assert.Contains(t, stderr.String(), "address already in use")
	again, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", public)
	require.NoError(t, err, "the public address was given back")
	require.NoError(t, again.Close())
}

// What one visitor does shows in the metrics, but not who did it.
func TestMetricsTellWhatHappensAndNotToWhom(t *testing.T) {
	server := startServer(t, newFile(t), "DIY_ADMIN_ADDR=127.0.0.1:0")
	admin := "http://" + server.waitFor(t, forOperators)
	ada := newVisitor(t)
	ada.get(server.url + "/vc-admin/diy/config.json")
	require.Equal(t, http.StatusCreated, ada.post(server.url+"/vc-admin/signup", registration))
	ada.get(server.url + ada.emailLink(server.url))
	ada.get(server.url + "/no/such/page/ada@example.test")
	server.waitFor(t, workersLine)

	shown := newVisitor(t).get(admin + "/metrics")

	for _, line := range []string{
		`diy_http_requests_total{method="POST",route="/vc-admin/signup",status="201"} 1`,
		`diy_http_requests_total{method="GET",route="none",status="404"} 1`,
		`diy_provider_calls_total{call="CreateCustomer",outcome="ok"} 1`,
		`diy_emails_total{outcome="ok"} 1`, `diy_worker_done_total{worker="mail"} 1`,
		`diy_database_up 1`, `diy_outbox_emails 0`, `diy_operations_pending 0`,
		`go_sql_open_connections{db_name="writes"} 1`, `diy_build_info{`, `process_resident_memory_bytes`,
	} {
		assert.Contains(t, shown, line)
	}
	for _, personal := range []string{"ada@", "example.test", "King", "Analytical", "org_", "cus_", "token"} {
		assert.NotContains(t, shown, personal)
	}
}
