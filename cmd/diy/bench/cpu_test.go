package bench

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ticks are CPU times in clock ticks: used by all processes, used and idle together, and used by this
// process and its descendants.
type ticks struct{ busy, all, own int64 }

// readTicks reads the CPU times from /proc. It returns zeros where there is none.
func readTicks(proc string) ticks {
	var t ticks
	text, err := os.ReadFile(filepath.Join(proc, "stat"))
	if err != nil {
		return t
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for i, field := range strings.Fields(line)[1:] {
		n := number(field)
		if i >= 8 { // guest times are part of the first two
			break
		}
		t.all += n
		if i != 3 && i != 4 { // idle and iowait
			t.busy += n
		}
	}
	t.own = ownTicks(readProcesses(proc), os.Getpid())
	return t
}

// othersSince returns the share of the machine, from 0 to 1, that other processes have used since then.
func (t ticks) othersSince(then ticks) float64 {
	all := t.all - then.all
	if all <= 0 {
		return 0
	}
	others := (t.busy - then.busy) - (t.own - then.own)
	return min(1, max(0, float64(others)/float64(all)))
}

// process is a line of /proc/PID/stat.
type process struct {
	id, parent     int
	name           string
	worked, waited int64 // ticks of its own and of its children that have ended
}

func readProcesses(proc string) []process {
	var all []process
	paths, _ := filepath.Glob(filepath.Join(proc, "[0-9]*", "stat"))
	for _, path := range paths {
		if text, err := os.ReadFile(path); err == nil {
			all = append(all, readProcess(string(text)))
		}
	}
	return all
}

// readProcess parses a line such as "12 (a name) S 1 …". The name may contain parentheses.
func readProcess(line string) process {
	open, closed := strings.Index(line, "("), strings.LastIndex(line, ")")
	if open < 0 || closed < open {
		return process{}
	}
	rest := strings.Fields(line[closed+1:])
	if len(rest) < 15 {
		return process{}
	}
	return process{
		id: int(number(strings.TrimSpace(line[:open]))), parent: int(number(rest[1])), name: line[open+1 : closed],
		worked: number(rest[11]) + number(rest[12]), waited: number(rest[13]) + number(rest[14]),
	}
}

// ownTicks returns the CPU time of a process and its descendants. PostgreSQL, which is no descendant, is
// recognised by its name.
func ownTicks(all []process, id int) int64 {
	byID := make(map[int]process, len(all))
	for _, p := range all {
		byID[p.id] = p
	}
	var sum int64
	for _, p := range all {
		if p.name == "postgres" || isDescendant(byID, p, id) {
			sum += p.worked + p.waited
		}
	}
	return sum
}

func isDescendant(byID map[int]process, p process, from int) bool {
	for range len(byID) + 1 { // the list may contain a cycle, as it changed while it was read
		if p.id == from {
			return true
		}
		parent, known := byID[p.parent]
		if !known {
			return false
		}
		p = parent
	}
	return false
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// writeProc writes a directory such as /proc.
func writeProc(t *testing.T, cpu string, processes map[int]string) string {
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

// stat returns the stat line of a process with ticks of its own and of its ended children.
func stat(name string, parent, worked, waited int) string {
	own, theirs := strconv.Itoa(worked/2), strconv.Itoa(waited/2)
	return "(" + name + ") S " + strconv.Itoa(parent) + " 1 1 0 -1 0 0 0 0 0 " + own + " " + own + " " + theirs + " " + theirs + " 20 0 1"
}

func TestTicks_OthersSinceExcludesOwnProcesses(t *testing.T) {
	me := os.Getpid()
	before := readTicks(writeProc(t, "cpu  100 0 100 800 0 0 0 0 50 0", map[int]string{
		1: stat("init", 0, 40, 0), me: stat("bench) (test", 1, 10, 0), me + 1: stat("diy", me, 20, 0), me + 2: stat("postgres", 1, 10, 0),
	}))
	assert.Equal(t, ticks{busy: 200, all: 1000, own: 40}, before)
	after := readTicks(writeProc(t, "cpu  400 0 100 1000 100 0 0 0 99 0", map[int]string{
		1: stat("init", 0, 140, 0), me: stat("bench) (test", 1, 30, 60), me + 2: stat("postgres", 1, 110, 0), me + 3: stat("diy", me+4, 9, 0), me + 4: stat("other", me+3, 100, 0),
	}))
	assert.Equal(t, ticks{busy: 500, all: 1600, own: 200}, after, "ended processes count for their parent")
	assert.InDelta(t, float64(300-160)/600, after.othersSince(before), 1e-9)
}
