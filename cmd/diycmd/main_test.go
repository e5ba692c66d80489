package diycmd

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestRun_ReturnsExitCodesAndMessages(t *testing.T) {
	cases := map[string]struct {
		args   []string
		code   int
		output string
	}{
		"version":                         {[]string{"version"}, 0, "dev"},
		"help":                            {[]string{"help"}, 0, "usage: diy"},
		"help as a flag":                  {[]string{"--help"}, 0, "license dev|end --org ID"},
		"help of a command":               {[]string{"migrate", "--help"}, 0, "usage: diy migrate"},
		"unknown command":                 {[]string{"launch"}, 2, `no command "launch"`},
		"unknown flag":                    {[]string{"serve", "--fast"}, 2, "flag provided but not defined"},
		"extra argument":                  {[]string{"version", "now"}, 2, `unexpected "now"`},
		"help of catalogue":               {[]string{"catalogue", "--help"}, 0, "usage: diy catalogue"},
		"unknown catalogue command":       {[]string{"catalogue", "burn"}, 2, `unexpected "burn"`},
		"license without an organisation": {[]string{"license", "dev"}, 2, "--org is missing"},
		"unknown kind of license":         {[]string{"license", "gold"}, 2, "usage: diy license"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			assert.Equal(t, c.code, run(t.Context(), nil, &out, c.args...))
			assert.Contains(t, out.String(), c.output)
		})
	}
}

func TestBinary_ContainsTheTimeZones(t *testing.T) {
	dependencies, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "../diy").Output()
	require.NoError(t, err)
	assert.Contains(t, strings.Fields(string(dependencies)), "time/tzdata")
}

func TestOperatorMessage_HasNoFaultCodes(t *testing.T) {
	parseErr := fault.New(fault.Invalid, "39.505 has more than 2 decimals")
	for want, err := range map[string]error{
		"not an amount: " + parseErr.Message: fault.Wrap(parseErr, fault.Invalid, "not an amount"),
		"migrate first: a, invalid: EOF": fmt.Errorf("migrate first: %w",
			fault.Wrap(io.EOF, fault.Internal, "a, invalid")),
		parseErr.Message +
			"\nclosing: EOF\nThe end": errors.Join(parseErr, fmt.Errorf("closing: %w", io.EOF),
			fault.New(fault.Conflict, "The end")),
	} {
		assert.Equal(t, want, operatorMessage(err))
	}
}

func TestTuneGC_SetsLimits(t *testing.T) {
	restoreGCSettings(t)
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(defaultGOGC)

	tuneGC()
	assert.Equal(t, int64(baseMemory+runtime.GOMAXPROCS(0)*memoryPerCPU), debug.SetMemoryLimit(-1))
	assert.Equal(t, targetGOGC, debug.SetGCPercent(targetGOGC))
}

func TestTuneGC_KeepsTheOperatorsSettings(t *testing.T) {
	restoreGCSettings(t)
	debug.SetMemoryLimit(123 << 20)
	debug.SetGCPercent(45)

	tuneGC()
	assert.Equal(t, int64(123<<20), debug.SetMemoryLimit(-1))
	assert.Equal(t, 45, debug.SetGCPercent(45))
}

// restoreGCSettings restores the settings after the test.
func restoreGCSettings(t *testing.T) {
	t.Helper()
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(defaultGOGC)
	debug.SetGCPercent(percent)
	t.Cleanup(func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	})
}
