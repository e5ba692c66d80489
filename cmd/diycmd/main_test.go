package diycmd

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCommandLine(t *testing.T) {
	cases := map[string]struct {
		args []string
		code int
		says string
	}{
		"version":           {[]string{"version"}, 0, "dev"},
		"help":              {[]string{"help"}, 0, "usage: diy"},
		"help of a command": {[]string{"migrate", "--help"}, 0, "usage: diy migrate"},
		"help of license":   {[]string{"license", "--help"}, 0, "usage: diy license"},
		"unknown command":   {[]string{"launch"}, 2, `no command "launch"`},
		"unknown flag":      {[]string{"serve", "--fast"}, 2, "flag provided but not defined"},
		"left over":         {[]string{"version", "now"}, 2, `unexpected "now"`},
		"help of catalogue": {[]string{"catalogue", "--help"}, 0, "usage: diy catalogue"},
		"catalogue of what": {[]string{"catalogue", "burn"}, 2, "usage: diy catalogue"},
		"license of nobody": {[]string{"license", "dev"}, 2, "usage: diy license"},
		"license of what":   {[]string{"license", "gold"}, 2, "usage: diy license"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			assert.Equal(t, c.code, run(t.Context(), stdio{stdout: &out, stderr: &out}, c.args))
			assert.Contains(t, out.String(), c.says)
		})
	}
}

func TestMigrateAndLicenseWorkOnTheConfiguredDatabase(t *testing.T) {
	env := settings(t)
	var out strings.Builder
	for range 2 {
		assert.Equal(t, 0, run(t.Context(), stdio{env: env, stdout: &out, stderr: &out}, []string{"migrate"}))
	}
	assert.Contains(t, out.String(), "up to date")

	code := run(t.Context(), stdio{env: env, stdout: &out, stderr: &out}, []string{"license", "dev", "--org", "org_unknown"})

	assert.Equal(t, 1, code)
	assert.Contains(t, out.String(), "no such organisation")
}

// stdio is the environment and the output of a command.
type stdio struct {
	env            map[string]string
	stdout, stderr io.Writer
}

// run runs the command with the built-in payment providers.
func run(ctx context.Context, std stdio, args []string) (code int) {
	return newProgram(std.env, std.stdout, std.stderr).run(ctx, args)
}

func loadConfig(env map[string]string) (config, error) {
	return newProgram(env, io.Discard, io.Discard).loadConfig()
}
