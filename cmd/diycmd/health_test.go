package diycmd

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func askHealth(t *testing.T, addr string) (code int, said string) {
	t.Helper()
	var stderr strings.Builder
	code = run(t.Context(), stdio{env: map[string]string{"DIY_ADDR": addr}, stdout: io.Discard, stderr: &stderr}, []string{"health"})
	return code, stderr.String()
}

func TestHealthAsksTheServerOnThisMachine(t *testing.T) {
	p := startProcess(t, settings(t))
	_, port, _ := strings.Cut(p.addr, ":")

	for _, addr := range []string{p.addr, ":" + port, "0.0.0.0:" + port} {
		code, said := askHealth(t, addr)
		assert.Zero(t, code, said)
	}
	assert.Zero(t, p.stop())
	code, said := askHealth(t, p.addr)
	assert.Equal(t, 1, code)
	assert.Contains(t, said, "refused")
}

func TestHealthIsNotContentWithJustAnyAnswer(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)

	code, said := askHealth(t, other.Listener.Addr().String())

	assert.Equal(t, 1, code)
	assert.Contains(t, said, "404")
}

func TestHealthNeedsAUsableConfiguration(t *testing.T) {
	code, said := askHealth(t, "8080")
	assert.Equal(t, 2, code)
	assert.Contains(t, said, "DIY_ADDR")
}
