package diycmd

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

// asServer has this test binary be the server.
const asServer = "DIY_TEST_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		Main()
	}
	postgrestest.Run(m)
}

// runningServer is a server in a process of its own.
type runningServer struct {
	url, log string
	process  *exec.Cmd
}

// startServer starts a server on the database in a process of its own, with additional settings. The
// cleanup stops it and requires exit code 0.
func startServer(t *testing.T, database string, settings ...string) runningServer {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	return startBinary(t, program, database, settings...)
}

func startBinary(t *testing.T, program, database string, settings ...string) runningServer {
	t.Helper()
	server := exec.CommandContext(context.WithoutCancel(t.Context()), program)
	server.Dir = t.TempDir()
	server.Env = append([]string{asServer + "=1", "DIY_ADDR=127.0.0.1:0", "DIY_DATABASE_URL=" + database}, settings...)
	log, err := os.CreateTemp(t.TempDir(), "log")
	require.NoError(t, err)
	server.Stderr = log
	require.NoError(t, server.Start())
	running := runningServer{log: log.Name(), process: server}
	t.Cleanup(func() {
		if server.ProcessState == nil {
			running.tell(t, syscall.SIGTERM)
			running.endsInPeace(t)
		}
		assert.NoError(t, log.Close())
	})
	running.url = "http://" + running.waitFor(t, listening)
	return running
}

var listening = regexp.MustCompile(`"msg":"listening","addr":"([^"]+)"`)

// waitFor waits until the log matches, and returns what the expression's group found.
func (s runningServer) waitFor(t *testing.T, line *regexp.Regexp) (group string) {
	t.Helper()
	require.Eventually(t, func() bool {
		found := line.FindStringSubmatch(s.said(t))
		if found != nil {
			group = found[1]
		}
		return found != nil
	}, 20*time.Second, 10*time.Millisecond, "%s", line)
	return group
}

// said is the log up to now.
func (s runningServer) said(t *testing.T) string {
	t.Helper()
	said, err := os.ReadFile(s.log)
	require.NoError(t, err)
	return string(said)
}

func (s runningServer) tell(t *testing.T, signal syscall.Signal) {
	t.Helper()
	assert.NoError(t, s.process.Process.Signal(signal))
}

// endsInPeace waits for the process, whose exit code must be 0.
func (s runningServer) endsInPeace(t *testing.T) {
	t.Helper()
	assert.NoError(t, s.process.Wait())
}

// Whoever registers with one server is known to the other, and so is every page that either sent.
func TestPostgresIsSharedByServers(t *testing.T) {
	database := postgrestest.URL(t)
	one, other := startServer(t, database).url, startServer(t, database).url
	ada := newVisitor(t)

	ada.get(one + "/vc-admin/diy/config.json")
	assert.Equal(t, http.StatusCreated, ada.post(other+"/vc-admin/signup", registration))
	assert.Equal(t, http.StatusBadRequest, ada.post(one+"/vc-admin/signup", registration), "the name is taken everywhere")
	ada.get(other + ada.emailLink(one, other))
	assert.Equal(t, http.StatusOK, ada.post(one+"/auth/login", `{"username": "ada@example.test", "password": "Secret-pass-1"}`))
	for _, server := range []string{one, other} {
		assert.Contains(t, ada.get(server+"/vc-admin/user/detail"), "ada@example.test")
		assert.Equal(t, http.StatusAccepted, ada.post(server+"/vc-admin/auth/verify/resend", `{"email": "ada@example.test"}`))
	}

	ada.get(other + "/vc-admin/auth/logout")
	for _, server := range []string{one, other} {
		assert.JSONEq(t, `{"detail": null}`, ada.get(server+"/vc-admin/user/detail"))
	}
}

const registration = `{
	"firstName": "Ada", "lastName": "King", "org": "Analytical Engines", "email": "ada@example.test", "password": "Secret-pass-1",
	"contact": "+61 2 9000 0000", "billing_address": {"line1": "1 Long Road", "city": "Sydney", "state": "New South Wales",
	"postal_code": "2000", "country": "AU"}}`

// visitor is a browser, which sends its cookies to every server of a host.
type visitor struct {
	t      *testing.T
	client *http.Client
}

func newVisitor(t *testing.T) visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return visitor{t, &http.Client{Jar: jar, Timeout: 10 * time.Second}}
}

// get returns what the address answers.
func (v visitor) get(address string) string {
	_, body := v.ask(http.MethodGet, address, "")
	return body
}

// post sends what our pages do and returns the status of the answer.
func (v visitor) post(address, body string) int {
	status, _ := v.ask(http.MethodPost, address, body)
	return status
}

func (v visitor) ask(method, address, body string) (status int, answer string) {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, address, strings.NewReader(body))
	require.NoError(v.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	r.Header.Set("X-XSRF-TOKEN", v.token(r.URL))
	response, err := v.client.Do(r)
	require.NoError(v.t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(v.t, err)
	require.NoError(v.t, response.Body.Close())
	return response.StatusCode, string(text)
}

// cookies are what the server at the address has the browser keep.
func (v visitor) cookies(address string) []*http.Cookie {
	v.t.Helper()
	at, err := url.Parse(address)
	require.NoError(v.t, err)
	return v.client.Jar.Cookies(at)
}

func (v visitor) token(address *url.URL) string {
	for _, cookie := range v.client.Jar.Cookies(address) {
		if cookie.Name == "XSRF-TOKEN" {
			return cookie.Value
		}
	}
	return ""
}

var verification = regexp.MustCompile(`/vc-admin/auth/verify\?token=[\w-]+`)

// emailLink waits for the email, which either server may deliver, and returns the path of its
// link.
func (v visitor) emailLink(servers ...string) (path string) {
	v.t.Helper()
	require.Eventually(v.t, func() bool {
		for _, server := range servers {
			var emails []struct{ Text string }
			require.NoError(v.t, json.Unmarshal([]byte(v.get(server+"/dev/mailbox.json")), &emails))
			for _, email := range emails {
				path = verification.FindString(email.Text)
			}
		}
		return path != ""
	}, 20*time.Second, 50*time.Millisecond)
	return path
}
