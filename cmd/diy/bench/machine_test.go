package bench

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// kernel writes a folder such as /proc, in which processes have worked.
func kernel(t *testing.T, cpu string, processes map[int]string) string {
	t.Helper()
	proc := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(proc, "stat"), []byte(cpu+"\ncpu0 1 1 1 1\n"), 0o600))
	for id, line := range processes {
		folder := filepath.Join(proc, strconv.Itoa(id))
		require.NoError(t, os.Mkdir(folder, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "stat"), []byte(strconv.Itoa(id)+" "+line), 0o600))
	}
	return proc
}

// stat is a process with so many ticks of its own, half of them the system's, and of its children.
func stat(name string, parent, worked, waited int) string {
	own, theirs := strconv.Itoa(worked/2), strconv.Itoa(waited/2)
	return "(" + name + ") S " + strconv.Itoa(parent) + " 1 1 0 -1 0 0 0 0 0 " + own + " " + own + " " + theirs + " " + theirs + " 20 0 1"
}

func TestOthersAreWhoeverIsNotOurs(t *testing.T) {
	me := os.Getpid()
	before := readTicks(kernel(t, "cpu  100 0 100 800 0 0 0 0 50 0", map[int]string{
		1: stat("init", 0, 40, 0), me: stat("bench) (test", 1, 10, 0), me + 1: stat("diy", me, 20, 0), me + 2: stat("postgres", 1, 10, 0),
	}))
	assert.Equal(t, ticks{busy: 200, all: 1000, own: 40}, before)
	after := readTicks(kernel(t, "cpu  400 0 100 1000 100 0 0 0 99 0", map[int]string{
		1: stat("init", 0, 140, 0), me: stat("bench) (test", 1, 30, 60), me + 2: stat("postgres", 1, 110, 0), me + 3: stat("diy", me+4, 9, 0), me + 4: stat("other", me+3, 100, 0),
	}))
	assert.Equal(t, ticks{busy: 500, all: 1600, own: 200}, after, "who is ended counts where it was waited for")
	assert.InDelta(t, float64(300-160)/600, after.othersSince(before), 1e-9)
}

func TestNobodyIsKnownOfWithoutAKernelThatTells(t *testing.T) {
	nothing := readTicks(t.TempDir())
	assert.Zero(t, nothing)
	assert.Zero(t, nothing.othersSince(nothing))
}

func TestALineThatIsNoProcessIsNobodys(t *testing.T) {
	for _, line := range []string{"", "12 no name", ") (", "12 (name) S 1"} {
		assert.Zero(t, readProcess(line))
	}
}
