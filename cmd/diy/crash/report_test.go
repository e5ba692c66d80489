package crash

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// line is what became of the kills at one point.
type line struct {
	kills, acknowledged, lost, doubled int
	slowest                            time.Duration // to be ready after such a kill
}

// report is what one run of kills came to.
type report struct {
	mu       sync.Mutex
	at       string // the point of the latest kill; "" before the first
	fresh    int    // requests acknowledged since
	lines    map[string]*line
	problems []string
	parts    map[string]line // the sums of the reports that this one is made of
}

func newReport() *report { return &report{lines: map[string]*line{}, parts: map[string]line{}} }

func (r *report) here() *line {
	if r.lines[r.at] == nil {
		r.lines[r.at] = &line{}
	}
	return r.lines[r.at]
}

// killed notes a kill, which everything acknowledged so far has to survive: what is found from now
// on comes of it.
func (r *report) killed(at string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at = at
	r.here().kills++
	r.here().acknowledged += r.fresh
	r.fresh = 0
}

// readyAfter notes how long a start took. The first one has nothing to recover from.
func (r *report) readyAfter(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at != "" {
		r.here().slowest = max(r.here().slowest, d)
	}
}

// acknowledged notes that a request that changes something was answered.
func (r *report) acknowledged() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fresh++
}

// soFar is how many requests were acknowledged since the latest kill.
func (r *report) soFar() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fresh
}

// lost notes something that was acknowledged and is not there.
func (r *report) lost(format string, args ...any) {
	r.problem(func(l *line) { l.lost++ }, "lost: "+fmt.Sprintf(format, args...))
}

// doubled notes something that is there more often than it was asked for, or otherwise than both
// sides can agree on.
func (r *report) doubled(format string, args ...any) {
	r.problem(func(l *line) { l.doubled++ }, "doubled: "+fmt.Sprintf(format, args...))
}

func (r *report) problem(count func(*line), text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	count(r.here())
	r.problems = append(r.problems, r.at+": "+text)
}

// String is the table.
func (r *report) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "killed\tkills\tslowest ready\tacknowledged\tlost\tdoubled\t") // memory takes it all
	for _, at := range slices.Sorted(maps.Keys(r.lines)) {
		r.lines[at].write(table, at)
	}
	for _, name := range slices.Sorted(maps.Keys(r.parts)) {
		r.parts[name].write(table, name)
	}
	r.sum().write(table, "all")
	_ = table.Flush()
	return text.String()
}

func (r *report) sum() (all line) {
	for _, l := range r.lines {
		all.add(*l)
	}
	return all
}

func (l line) write(table *tabwriter.Writer, at string) {
	_, _ = fmt.Fprintf(table, "%s\t%d\t%v\t%d\t%d\t%d\t\n", at, l.kills, l.slowest.Round(time.Millisecond), l.acknowledged, l.lost, l.doubled)
}

func (l *line) add(other line) {
	l.kills += other.kills
	l.acknowledged += other.acknowledged
	l.lost += other.lost
	l.doubled += other.doubled
	l.slowest = max(l.slowest, other.slowest)
}

// include adds another report to this one, which shows its sum.
func (r *report) include(name string, other *report) {
	for at, l := range other.lines {
		r.at = at
		r.here().add(*l)
	}
	r.parts[name] = other.sum()
}
