package diycmd

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
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
	provider, _, err := pluginPayments{stripepayment.Adapter{}}.open(c, systemclock.New(), newLog(&out), nil)
	require.NoError(t, err)

	_, err = provider.Customer(trace.With(t.Context(), "OURS"), "cus_1")

	require.Error(t, err)
	assert.Regexp(t, `"stripe_request":"req_theirs".*"request":"OURS"}`, out.String())
	assert.NotContains(t, out.String(), "ada@example.test")
}
