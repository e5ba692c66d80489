package diycmd

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOutput_EscapesControlCharacters(t *testing.T) {
	const codes = "\x1b[2J\x9b31m\u009b31m\r\a"
	invoices := map[string]string{"DIY_DATABASE_URL": newSQLite(t), "DIY_PAYMENTS": "invoice"}
	for name, c := range map[string]struct {
		env  map[string]string
		args []string
	}{
		"a command": {nil, []string{codes}},
		"a flag":    {nil, []string{"migrate", "--" + codes}},
		"a value":   {invoices, []string{"invoice", "void", "--number", "INV-" + codes}},
		"an amount": {invoices,
			[]string{"invoice", "paid", "--number", "1", "--amount", codes, "--currency", "AUD", "--reference", "r"}},
		"a setting": {map[string]string{"DIY_" + codes: "1"}, []string{"migrate"}},
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
	newLog(terminalWriter{&out}).Log(t.Context(), slog.LevelInfo, "m", "reference", "\x1b[2J\u009b31m")

	assert.Contains(t, out.String(), `"reference":"\u001b[2J\u009b31m"`)
}
