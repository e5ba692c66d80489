package diycmd

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/ports/trace"
)

func TestLog_ContainsTheTraceID(t *testing.T) {
	var out strings.Builder
	log := newLog(&out)
	ctx := trace.With(t.Context(), "ABC")

	for _, log := range []*slog.Logger{log, log.With("part", "mail")} {
		out.Reset()
		log.InfoContext(ctx, "done", "n", 1)
		assert.Contains(t, out.String(), `"n":1,"request":"ABC"}`)
		assert.Regexp(t, `^{"time":"[^"]+Z","level":"INFO","msg":"done"`, out.String())
	}

	out.Reset()
	log.Info("done")
	assert.NotContains(t, out.String(), "request")
}

func TestLog_ContainsStripesRequestIDAndOurs(t *testing.T) {
	stripe := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Request-Id", "req_theirs")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error": {"type": "invalid_request_error", "message": "no such ada@example.test"}}`)
	}))
	t.Cleanup(stripe.Close)
	env := stripeSettings(t)
	env["DIY_STRIPE_API_URL"] = stripe.URL
	c, err := loadConfig(env)
	require.NoError(t, err)
	var out strings.Builder
	provider, err := pluginPayments{stripepayment.Adapter{}}.open(c, systemclock.New(), newLog(&out), nil)
	require.NoError(t, err)

	_, err = provider.Customer(trace.With(t.Context(), "OURS"), "cus_1")

	require.Error(t, err)
	assert.Regexp(t, `"stripe_request":"req_theirs".*"request":"OURS"}`, out.String())
	assert.NotContains(t, out.String(), "ada@example.test")
}

var (
	workersLine = regexp.MustCompile(`"msg":"background work","worker":"mail","done":1,"request":"([A-Z0-9]{26})"`)
	requestLine = regexp.MustCompile(`(?m)^{"time":"[^"]+Z","level":"INFO","msg":"request","method":"POST","route":"/vc-admin/signup",.*"request":"([A-Z0-9]{26})"}$`)
)

func TestLog_ContainsNoPersonalData(t *testing.T) {
	server := startServer(t, newSQLite(t))
	ada := newBrowser(t)
	ada.get(server.url + "/vc-admin/diy/config.json")
	require.Equal(t, http.StatusCreated, ada.post(server.url+"/vc-admin/signup", registration))
	link := ada.verificationLink(server.url)
	ada.get(server.url + link)
	require.Equal(t, http.StatusUnauthorized, ada.post(server.url+"/auth/login", `{"username": "ada@example.test", "password": "Wrong-pass-1"}`))
	require.Equal(t, http.StatusOK, ada.post(server.url+"/auth/login", `{"username": "ada@example.test", "password": "Secret-pass-1"}`))
	ada.get(server.url + "/vc-admin/diy/plans?debug=true&email=ada@example.test")
	ada.get(server.url + "/vc-admin/org/detail/of-nobody")

	server.waitForLog(t, requestLine)
	server.waitForLog(t, workersLine)

	secrets := []string{"ada@", "example.test", "-pass-1", "9000 0000", "Analytical", "King", "Long Road", "debug=true", "of-nobody", "_secret_"}
	secrets = append(secrets, strings.TrimPrefix(link, "/vc-admin/auth/verify?token="))
	for _, cookie := range ada.cookies(server.url) {
		secrets = append(secrets, cookie.Value)
	}
	require.Greater(t, len(secrets), 12, "there are a session and a token")
	for _, secret := range secrets {
		assert.NotContains(t, server.logText(t), secret)
	}
}
