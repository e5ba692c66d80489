package diycmd

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// process is a server that runs as `diy` does, within the test.
type process struct {
	addr string
	stop func() (code int)
}

// startProcess starts the server with the settings and waits until it listens.
func startProcess(t *testing.T, env map[string]string) process {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	exit := make(chan int, 1)
	go func() {
		exit <- run(ctx, stdio{env: env, stdout: io.Discard, stderr: write}, nil)
		_ = write.Close()
	}()
	p := process{addr: listeningAddr(t, read), stop: func() int { cancel(); return <-exit }}
	t.Cleanup(cancel)
	return p
}

// listeningAddr reads the log up to the line that tells the address, and lets the rest go by.
func listeningAddr(t *testing.T, log io.Reader) string {
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

func settings(t *testing.T) map[string]string {
	return map[string]string{
		"DIY_ADDR":         "127.0.0.1:0",
		"DIY_DATABASE_URL": "sqlite:" + filepath.Join(t.TempDir(), "new", "diy.db"),
	}
}

var client = &http.Client{Timeout: 10 * time.Second}

func getStatus(t *testing.T, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	response, err := client.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func TestServeAnswersAndStopsInPeace(t *testing.T) {
	p := startProcess(t, settings(t))

	for _, path := range []string{"/healthz", "/readyz", "/vc-admin/diy/plans", "/dev/mailbox", "/dev/mailbox.css", "/dev/mailbox.json", "/dev/clock"} {
		assert.Equal(t, http.StatusOK, getStatus(t, "http://"+p.addr+path), path)
	}

	assert.Zero(t, p.stop())
}

// Whoever stops it the moment it listens stops it in peace, too.
func TestServeStopsInPeaceWhileItStarts(t *testing.T) {
	for range 20 {
		require.Zero(t, startProcess(t, settings(t)).stop())
	}
}

func TestServeStartsAgainOnTheSameData(t *testing.T) {
	env := settings(t)
	first := startProcess(t, env)
	moved := clockOf(t, first, http.MethodPost, `{"advance": "192h"}`)
	require.Zero(t, first.stop())

	second := startProcess(t, env)

	assert.False(t, clockOf(t, second, http.MethodGet, "").Before(moved), "the clock does not go back")
	require.Zero(t, second.stop())
}

// clockOf is what the server's clock shows, after moving it when there is a body.
func clockOf(t *testing.T, p process, method, body string) time.Time {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+p.addr+"/dev/clock", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	response, err := client.Do(r)
	require.NoError(t, err)
	var shown struct{ Now time.Time }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&shown))
	require.NoError(t, response.Body.Close())
	return shown.Now
}

func TestServeFailsOnATakenAddress(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	env := settings(t)
	env["DIY_ADDR"] = taken.Addr().String()
	var stderr strings.Builder

	code := run(t.Context(), stdio{env: env, stdout: io.Discard, stderr: &stderr}, []string{"serve"})

	assert.Equal(t, 1, code)
	assert.Contains(t, stderr.String(), "address already in use")
}

func TestServeRefusesAWrongConfiguration(t *testing.T) {
	var stderr strings.Builder

	code := run(t.Context(), stdio{env: map[string]string{"DIY_ENV": "production"}, stderr: &stderr}, nil)

	assert.Equal(t, 2, code)
	assert.Contains(t, stderr.String(), "DIY_SMTP_URL")
}
