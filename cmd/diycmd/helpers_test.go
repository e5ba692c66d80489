package diycmd

import (
	"bufio"
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
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
	"github.com/vc-admin/diy/app/apptest"
)

// eventTimeout limits the wait for an event that takes less than a second on an idle machine.
const eventTimeout = time.Minute

// run runs the command with the built-in payment providers and returns its exit code.
func run(ctx context.Context, env map[string]string, output io.Writer, args ...string) (code int) {
	return newProgram(env, output, output).run(ctx, args)
}

// runCommand runs the command, requires the exit code and returns the output.
func runCommand(t *testing.T, env map[string]string, wantCode int, args ...string) string {
	t.Helper()
	var output strings.Builder
	require.Equal(t, wantCode, run(t.Context(), env, &output, args...), output.String())
	return output.String()
}

func loadConfig(env map[string]string) (config, error) {
	return newProgram(env, io.Discard, io.Discard).loadConfig()
}

// runAsServerVariable is the variable with which the test binary runs as the server.
const runAsServerVariable = "DIY_TEST_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(runAsServerVariable) != "" {
		Main()
	}
	postgrestest.Run(m)
}

// serverProcess is a server in another process.
type serverProcess struct {
	url, logPath string
	command      *exec.Cmd
}

// startServer starts a server on the database in another process, with additional settings. At the end of the test it is
// stopped and must exit with code 0.
func startServer(t *testing.T, database string, settings ...string) serverProcess {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	return startServerBinary(t, program, database, settings...)
}

// startServerWith is like startServer with all settings in env.
func startServerWith(t *testing.T, env map[string]string) serverProcess {
	t.Helper()
	var settings []string
	for name, value := range env {
		settings = append(settings, name+"="+value)
	}
	return startServer(t, env["DIY_DATABASE_URL"], settings...)
}

// startServerBinary is like startServer with another program.
func startServerBinary(t *testing.T, program, database string, settings ...string) serverProcess {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), program)
	command.Dir = t.TempDir()
	command.Env = append([]string{
		runAsServerVariable + "=1", "DIY_ADDR=127.0.0.1:0", "DIY_DATABASE_URL=" + database, "GORACE=" + os.Getenv("GORACE"),
	}, settings...)
	log, err := os.CreateTemp(t.TempDir(), "log")
	require.NoError(t, err)
	command.Stderr = log
	require.NoError(t, command.Start())
	server := serverProcess{logPath: log.Name(), command: command}
	t.Cleanup(func() {
		if command.ProcessState == nil {
			server.terminate(t)
			server.waitForExit(t)
		}
		assert.NoError(t, log.Close())
	})
	server.url = "http://" + server.waitForLog(t, listeningLine)
	return server
}

var listeningLine = regexp.MustCompile(`"msg":"listening","addr":"([^"]+)"`)

// waitForLog waits until the log matches and returns the group of the expression.
func (s serverProcess) waitForLog(t *testing.T, line *regexp.Regexp) (group string) {
	t.Helper()
	require.Eventually(t, func() bool {
		match := line.FindStringSubmatch(s.logText(t))
		if match != nil {
			group = match[1]
		}
		return match != nil
	}, eventTimeout, 10*time.Millisecond, "%s", line)
	return group
}

// logText returns the log so far.
func (s serverProcess) logText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(s.logPath)
	require.NoError(t, err)
	return string(text)
}

func (s serverProcess) terminate(t *testing.T) {
	t.Helper()
	assert.NoError(t, s.command.Process.Signal(syscall.SIGTERM))
}

// waitForExit waits until the process ends and requires exit code 0.
func (s serverProcess) waitForExit(t *testing.T) {
	t.Helper()
	assert.NoError(t, s.command.Wait())
}

const registration = `{
	"firstName": "Ada", "lastName": "King", "org": "Analytical Engines", "email": "ada@example.test", "password": "Secret-pass-1",
	"contact": "+61 2 9000 0000", "billing_address": {"line1": "1 Long Road", "city": "Sydney", "state": "New South Wales",
	"postal_code": "2000", "country": "AU"}}`

// browser is a test client with cookies, which it sends to all servers of a host.
type browser struct {
	t      *testing.T
	client *http.Client
}

func newBrowser(t *testing.T) browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return browser{t, &http.Client{Jar: jar, Timeout: eventTimeout}}
}

// get sends a GET request and returns the response body.
func (b browser) get(rawURL string) string {
	_, body := b.send(http.MethodGet, rawURL, "")
	return body
}

// post sends a POST request and returns the status.
func (b browser) post(rawURL, body string) int {
	status, _ := b.send(http.MethodPost, rawURL, body)
	return status
}

// send sends a request with everything that XSRF protection requires.
func (b browser) send(method, rawURL, body string) (status int, responseBody string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, rawURL, strings.NewReader(body))
	require.NoError(b.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	r.Header.Set("X-XSRF-TOKEN", b.xsrfToken(r.URL))
	response, err := b.client.Do(r)
	require.NoError(b.t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(b.t, err)
	require.NoError(b.t, response.Body.Close())
	return response.StatusCode, string(text)
}

func (b browser) xsrfToken(target *url.URL) string {
	for _, cookie := range b.client.Jar.Cookies(target) {
		if cookie.Name == "XSRF-TOKEN" {
			return cookie.Value
		}
	}
	return ""
}

var verificationPath = regexp.MustCompile(`/vc-admin/auth/verify\?token=[\w-]+`)

// waitForVerificationPath waits for the verification email, which any of the servers may deliver, and returns
// the path of its link.
func (b browser) waitForVerificationPath(servers ...string) (path string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		for _, server := range servers {
			var emails []struct{ Text string }
			require.NoError(b.t, json.Unmarshal([]byte(b.get(server+"/dev/mailbox.json")), &emails))
			for _, email := range emails {
				path = verificationPath.FindString(email.Text)
			}
		}
		return path != ""
	}, eventTimeout, 50*time.Millisecond)
	return path
}

// signUp returns the browser of a user who has registered, verified the email and signed in.
func signUp(t *testing.T, server string) browser {
	t.Helper()
	ada := newBrowser(t)
	ada.get(server + "/vc-admin/diy/config.json")
	require.Equal(t, http.StatusCreated, ada.post(server+"/vc-admin/signup", registration))
	ada.get(server + ada.waitForVerificationPath(server))
	login := `{"username": "ada@example.test", "password": "Secret-pass-1"}`
	require.Equal(t, http.StatusOK, ada.post(server+"/auth/login", login))
	return ada
}

// inProcessServer is a server in the process of the test.
type inProcessServer struct {
	addr string
	stop func() (code int)
}

// startInProcessServer starts a server and waits until it listens.
func startInProcessServer(t *testing.T, env map[string]string) inProcessServer {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	logReader, logWriter := io.Pipe()
	exit := make(chan int, 1)
	go func() {
		exit <- run(ctx, env, logWriter)
		_ = logWriter.Close()
	}()
	p := inProcessServer{addr: waitForListeningAddr(t, logReader), stop: func() int { cancel(); return <-exit }}
	t.Cleanup(cancel)
	return p
}

// waitForListeningAddr reads the log up to the address, which it returns. It discards the rest.
func waitForListeningAddr(t *testing.T, log io.Reader) string {
	t.Helper()
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct{ Msg, Addr string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line), "%s", lines.Text())
		if line.Msg == "listening" {
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return line.Addr
		}
	}
	require.Fail(t, "the server never listened")
	return ""
}

// devSettings returns settings of a development server with a new database.
func devSettings(t *testing.T) map[string]string {
	return map[string]string{"DIY_ADDR": "127.0.0.1:0", "DIY_DATABASE_URL": newSQLiteURL(t)}
}

var httpClient = &http.Client{Timeout: eventTimeout}

// getStatus sends a GET request and returns the status.
func getStatus(t *testing.T, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	response, err := httpClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

var adminListeningLine = regexp.MustCompile(`"msg":"listening for operators","addr":"([^"]+)"`)

var sqliteTemplate = sqlitetest.NewTemplate(apptest.Migrate)

// newSQLiteURL returns the URL of a new SQLite database. The database is already migrated, because migrations take most
// of the time of a server's first start.
func newSQLiteURL(t *testing.T) string { return sqliteTemplate.URL(t) }

// newBrowserBehindProxy returns a browser whose requests have X-Forwarded-For.
func newBrowserBehindProxy(t *testing.T, address string) browser {
	t.Helper()
	b := newBrowser(t)
	b.client.Transport = proxyTransport(address)
	return b
}

// proxyTransport sends requests as a proxy does for the address.
type proxyTransport string

// RoundTrip implements http.RoundTripper.
func (p proxyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", string(p))
	return http.DefaultTransport.RoundTrip(r)
}
