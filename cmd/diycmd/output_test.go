package diycmd

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/ports/trace"
)

func TestLog_ContainsTheTraceID(t *testing.T) {
	var out strings.Builder
	log := newLogger(&out)
	ctx := trace.WithID(t.Context(), "ABC")

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
	env := emptyStripeSettings(t)
	env["DIY_STRIPE_API_URL"] = stripe.URL
	c, err := loadConfig(env)
	require.NoError(t, err)
	var out strings.Builder
	provider, _, err := pluginIntegration{stripepayment.Adapter{}}.open(c, systemclock.New(), newLogger(&out), nil)
	require.NoError(t, err)

	_, err = provider.Customer(trace.WithID(t.Context(), "OURS"), "cus_1")

	require.Error(t, err)
	assert.Regexp(t, `"stripe_request":"req_theirs".*"request":"OURS"}`, out.String())
	assert.NotContains(t, out.String(), "ada@example.test")
}

func TestTable_PrintsARowOnOneLine(t *testing.T) {
	rows := newTable("AT", "REASON", "BY")
	rows.add(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), "won\nby\tus", "olga")
	var out strings.Builder

	require.NoError(t, rows.write(&out, "nothing"))

	assert.Equal(t, "AT                       REASON     BY\n2026-03-01 12:00:00 UTC  won by us  olga\n", out.String())
}

func TestTable_PrintsNothingForAZeroTime(t *testing.T) {
	rows := newTable("AT", "BY")
	rows.add(time.Time{}, "olga")
	var out strings.Builder
	require.NoError(t, rows.write(&out, "nothing"))
	assert.Equal(t, "AT  BY\n    olga\n", out.String())
	assert.Empty(t, dateOnly(time.Time{}))
}

func TestTable_WithoutRowsPrintsTheText(t *testing.T) {
	var out strings.Builder
	require.NoError(t, newTable("AT").write(&out, "there are no transfers to show"))
	assert.Equal(t, "there are no transfers to show\n", out.String())
}

func TestOutput_EscapesControlCharacters(t *testing.T) {
	const escapeCodes = "\x1b[2J\x9b31m\u009b31m\r\a"
	invoices := map[string]string{"DIY_DATABASE_URL": newSQLiteURL(t), "DIY_PAYMENTS": "invoice"}
	for name, c := range map[string]struct {
		env  map[string]string
		args []string
	}{
		"a command": {nil, []string{escapeCodes}},
		"a flag":    {nil, []string{"migrate", "--" + escapeCodes}},
		"a value":   {invoices, []string{"invoice", "void", "--number", "INV-" + escapeCodes, "--reason", "other", "--ticket", "1"}},
		"an amount": {invoices,
			[]string{"invoice", "paid", "--number", "1", "--amount", escapeCodes, "--currency", "AUD", "--reference", "r",
				"--reason", "other", "--ticket", "1"}},
		"a setting": {map[string]string{"DIY_" + escapeCodes: "1"}, []string{"migrate"}},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			assert.NotZero(t, run(t.Context(), c.env, &out, c.args...))
			assert.Contains(t, out.String(), "1b[2J")
			assert.NotContains(t, out.String(), "\r")
			assert.NotContains(t, out.String(), "\a")
			assert.NotContains(t, out.String(), "\x1b")
			assert.NotContains(t, out.String(), "\u009b")
			assert.NotContains(t, out.String(), "\x9b31")
		})
	}
}

func TestTerminalWriter_KeepsPrintableText(t *testing.T) {
	var out strings.Builder
	n, err := terminalWriter{&out}.Write([]byte("Näh\u200c \ufffd\t値\n\x1b\u0085\xff"))

	assert.NoError(t, err)
	assert.Equal(t, 20, n)
	assert.Equal(t, "Näh\u200c \ufffd\t値\n"+`\u001b\u0085\xff`, out.String())
}

func TestLog_IsJSONWithEscapedControls(t *testing.T) {
	var out strings.Builder
	newLogger(terminalWriter{&out}).Log(t.Context(), slog.LevelInfo, "m", "reference", "\x1b[2J\u009b31m")

	assert.Contains(t, out.String(), `"reference":"\u001b[2J\u009b31m"`)
}
