package bench

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ticks are what the processors have worked, in the kernel's own unit: altogether, at all (which is
// with what they did not), and for this program and what it started.
type ticks struct{ busy, all, own int64 }

// readTicks reads what Linux tells in its folder of processes. Elsewhere there are none.
func readTicks(proc string) ticks {
	var t ticks
	text, err := os.ReadFile(filepath.Join(proc, "stat"))
	if err != nil {
		return t
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for i, field := range strings.Fields(line)[1:] {
		n := number(field)
		if i >= 8 { // guests, which are counted in the first two
			break
		}
		t.all += n
		if i != 3 && i != 4 { // idle, and idle until a disk is ready
			t.busy += n
		}
	}
	t.own = ownTicks(readProcesses(proc), os.Getpid())
	return t
}

// othersSince is the share of the machine that others used since then, from 0 to 1.
func (t ticks) othersSince(then ticks) float64 {
	all := t.all - then.all
	if all <= 0 {
		return 0
	}
	others := (t.busy - then.busy) - (t.own - then.own)
	return min(1, max(0, float64(others)/float64(all)))
}

// process is one line of the kernel's list.
type process struct {
	id, parent     int
	name           string
	worked, waited int64 // ticks of its own, and of its children that have ended
}

func readProcesses(proc string) []process {
	var all []process
	paths, _ := filepath.Glob(filepath.Join(proc, "[0-9]*", "stat")) // the pattern is right
	for _, path := range paths {
		if text, err := os.ReadFile(path); err == nil { // else it has ended meanwhile
			all = append(all, readProcess(string(text)))
		}
	}
	return all
}

// readProcess reads a line such as "12 (a name) S 1 …", whose name may hold anything.
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

// ownTicks adds up what a process and its descendants worked, and what those did that it has waited
// for. PostgreSQL leaves its family, so that it is known by its name.
func ownTicks(all []process, id int) int64 {
	byID := make(map[int]process, len(all))
	for _, p := range all {
		byID[p.id] = p
	}
	var sum int64
	for _, p := range all {
		if p.name == "postgres" || descends(byID, p, id) {
			sum += p.worked + p.waited
		}
	}
	return sum
}

func descends(byID map[int]process, p process, from int) bool {
	for range len(byID) + 1 { // a list that changed while it was read may go in circles
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
	n, _ := strconv.ParseInt(text, 10, 64) // the kernel writes numbers
	return n
}
