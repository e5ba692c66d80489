package diycmd

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAdmin_ServesMetricsAndProfiles(t *testing.T) {
	server := startServer(t, newSQLiteURL(t), "DIY_ADMIN_ADDR=127.0.0.1:0")
	admin := "http://" + server.waitForLog(t, adminListeningLine)

	for _, path := range []string{
		"/metrics", "/healthz", "/readyz", "/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/goroutine?debug=1",
		"/debug/pprof/profile?seconds=1", "/debug/pprof/trace?seconds=0.1", "/debug/pprof/symbol", "/debug/pprof/cmdline",
	} {
		assert.Equal(t, http.StatusOK, getStatus(t, admin+path), path)
		if path != "/healthz" && path != "/readyz" {
			assert.Equal(t, http.StatusNotFound, getStatus(t, server.url+path), "%s is not public", path)
		}
	}
	for _, path := range []string{"/", "/vc-admin/diy/plans", "/vc-admin/user/detail", "/dev/mailbox"} {
		assert.Equal(t, http.StatusNotFound, getStatus(t, admin+path), "%s is not for operators", path)
	}
	assert.NotContains(t, server.logText(t), "reachable from other machines")
	for _, path := range []string{"/metrics", "/debug/pprof/", "/healthz", "/nowhere"} {
		header := sendRaw(t, strings.TrimPrefix(admin, "http://"), "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n")
		assert.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'", path)
		assert.Equal(t, "nosniff", header.Get("X-Content-Type-Options"), path)
		assert.Equal(t, "no-store", header.Get("Cache-Control"), path)
	}
}

func TestAdmin_WarnsAboutAPublicAddress(t *testing.T) {
	server := startServer(t, newSQLiteURL(t), "DIY_ADMIN_ADDR=:0")
	server.waitForLog(t, regexp.MustCompile(`"level":"WARN",("msg":"the admin address may be reachable from other machines)`))
}

func TestAdmin_FailsOnAnAddressInUse(t *testing.T) {
	adminListener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = adminListener.Close() })
	publicListener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	public := publicListener.Addr().String()
	require.NoError(t, publicListener.Close())
	env := devSettings(t)
	env["DIY_ADDR"], env["DIY_ADMIN_ADDR"] = public, adminListener.Addr().String()
	var stderr strings.Builder

	code := run(t.Context(), env, &stderr)

	assert.Equal(t, 1, code)
	assert.Contains(t, stderr.String(), "address already in use")
	require.Eventually(t, func() bool { // another process may use the port for a moment
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", public)
		return err == nil && assert.NoError(t, listener.Close())
	}, eventTimeout, 10*time.Millisecond, "the public listener was closed")
}

func TestAdmin_MetricsContainNoPersonalData(t *testing.T) {
	server := startServer(t, newSQLiteURL(t), "DIY_ADMIN_ADDR=127.0.0.1:0")
	admin := "http://" + server.waitForLog(t, adminListeningLine)
	ada := newBrowser(t)
	ada.get(server.url + "/vc-admin/diy/config.json")
	require.Equal(t, http.StatusCreated, ada.post(server.url+"/vc-admin/signup", registration))
	ada.get(server.url + ada.waitForVerificationPath(server.url))
	ada.get(server.url + "/no/such/page/ada@example.test")
	server.waitForLog(t, workerLine)

	output := newBrowser(t).get(admin + "/metrics")

	for _, line := range []string{
		`diy_http_requests_total{method="POST",route="/vc-admin/signup",status="201"} 1`,
		`diy_http_requests_total{method="GET",route="none",status="404"} 1`,
		`diy_provider_calls_total{call="CreateCustomer",outcome="ok"} 1`,
		`diy_emails_total{outcome="ok"} 1`, `diy_worker_items_total{worker="mail"} 1`,
		`diy_database_up 1`, `diy_outbox_emails 0`, `diy_operations_pending 0`,
		`go_sql_open_connections{db_name="writes"} 1`, `diy_build_info{`, `process_resident_memory_bytes`,
	} {
		assert.Contains(t, output, line)
	}
	for _, personalData := range []string{"ada@", "example.test", "King", "Analytical", "org_", "cus_", "token"} {
		assert.NotContains(t, output, personalData)
	}
}

func TestServer_HasTimeoutsAndLimits(t *testing.T) {
	s := newHTTPServer(http.NotFoundHandler(), newLogger(io.Discard))
	for name, limit := range map[string]int64{
		"a header": int64(s.ReadHeaderTimeout), "a request": int64(s.ReadTimeout), "a response": int64(s.WriteTimeout),
		"the next request": int64(s.IdleTimeout), "a header's size": int64(s.MaxHeaderBytes),
	} {
		assert.Positive(t, limit, name)
	}
	assert.LessOrEqual(t, s.ReadHeaderTimeout, s.ReadTimeout)
	assert.LessOrEqual(t, s.MaxHeaderBytes, 64<<10)
}

func TestServer_UnusualRequestsHaveSecurityHeaders(t *testing.T) {
	p := startInProcessServer(t, devSettings(t))
	for _, request := range []string{
		"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
		"TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\n", "GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		header := sendRaw(t, p.addr, request)
		assert.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'", request)
		assert.Equal(t, "nosniff", header.Get("X-Content-Type-Options"), request)
		assert.Equal(t, "no-store", header.Get("Cache-Control"), request)
	}
}

// sendRaw sends the request as it is and returns the response header.
func sendRaw(t *testing.T, address, request string) http.Header {
	t.Helper()
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	require.NoError(t, err)
	defer func() { _ = connection.Close() }()
	_, err = io.WriteString(connection, request)
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.Header
}

var stoppingLine = regexp.MustCompile(`("msg":"stopping")`)

// While the server drains, /readyz fails and other requests are still served.
func TestServer_DrainsBeforeItStops(t *testing.T) {
	t.Parallel()
	server := startServer(t, newSQLiteURL(t), "DIY_DRAIN=10s", "DIY_ADMIN_ADDR=127.0.0.1:0")
	admin := "http://" + server.waitForLog(t, adminListeningLine)
	require.Equal(t, http.StatusOK, getStatus(t, server.url+"/readyz"))

	server.terminate(t)
	server.waitForLog(t, stoppingLine)

	for _, origin := range []string{server.url, admin} {
		assert.Equal(t, http.StatusServiceUnavailable, getStatus(t, origin+"/readyz"))
		assert.Equal(t, http.StatusOK, getStatus(t, origin+"/healthz"))
	}
	assert.Equal(t, http.StatusOK, getStatus(t, server.url+"/vc-admin/diy/plans"))
	server.waitForExit(t)
}

// The client sends the body of the request after the server has closed its listener.
func TestServer_CompletesRequestsWhenItStops(t *testing.T) {
	server := startServer(t, newSQLiteURL(t))
	addr := strings.TrimPrefix(server.url, "http://")
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	_, err = fmt.Fprint(connection,
		"POST /vc-admin/webhooks/stripe HTTP/1.1\r\nHost: diy.test\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
	require.NoError(t, err)
	responses := bufio.NewReader(connection)
	statusLine, err := responses.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, statusLine, "100 Continue", "the handler reads the body")
	_, err = responses.ReadString('\n')
	require.NoError(t, err)

	server.terminate(t)
	require.Eventually(t, func() bool {
		second, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
		if err == nil {
			_ = second.Close()
		}
		return err != nil
	}, eventTimeout, 10*time.Millisecond, "the listener is closed")
	_, err = fmt.Fprint(connection, "{}")
	require.NoError(t, err)

	response, err := http.ReadResponse(responses, nil)
	require.NoError(t, err)
	assert.Equal(t, http.StatusForbidden, response.StatusCode, "the signature is missing")
	require.NoError(t, response.Body.Close())
	server.waitForExit(t)
}

func TestReadiness_RequiresAWritableDatabase(t *testing.T) {
	c, err := loadConfig(devSettings(t))
	require.NoError(t, err)
	store, err := openStore(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, store.Close()) })
	ready := newReadiness(store)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", nil)
	require.NoError(t, err)
	require.NoError(t, ready.checkReady(request))

	require.NoError(t, os.Remove(strings.TrimPrefix(c.DatabaseURL, "sqlite:")))
	require.NoError(t, store.Ready(t.Context()), "reads succeed")
	require.Error(t, ready.checkReady(request))
}

func TestIsPrivateAddress_AcceptsLoopbackAndPrivateNetworks(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "::1": true, "10.1.2.3": true, "192.168.0.1": true, "fd00::1": true, "169.254.1.1": true,
		"0.0.0.0": false, "::": false, "203.0.113.1": false, "2001:db8::1": false,
	} {
		assert.Equal(t, want, isPrivateAddress(&net.TCPAddr{IP: net.ParseIP(host), Port: 9090}), host)
	}
	assert.False(t, isPrivateAddress(&net.UnixAddr{Name: "x"}), "unknown addresses are not private")
}
