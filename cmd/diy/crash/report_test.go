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

// counts contains the numbers of kills at one point and of the problems found afterwards.
type counts struct {
	kills, acknowledged, lost, duplicated int
	slowest                               time.Duration // start after such a kill
}

// report counts the kills and the problems of a run.
type report struct {
	mu           sync.Mutex
	at           string // the point of the latest kill; "" before the first
	unattributed int    // requests acknowledged since then
	lines        map[string]*counts
	problems     []string
	parts        map[string]counts // the sums of the included reports
}

func newReport() *report { return &report{lines: map[string]*counts{}, parts: map[string]counts{}} }

func (r *report) current() *counts {
	if r.lines[r.at] == nil {
		r.lines[r.at] = &counts{}
	}
	return r.lines[r.at]
}

// countKill counts a kill. Problems that are found from now on are attributed to it.
func (r *report) countKill(at string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at = at
	r.current().kills++
	r.current().acknowledged += r.unattributed
	r.unattributed = 0
}

// addStart records the duration of a start after a kill.
func (r *report) addStart(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at != "" {
		r.current().slowest = max(r.current().slowest, d)
	}
}

// countAcknowledged counts an acknowledged change.
func (r *report) countAcknowledged() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unattributed++
}

func (r *report) acknowledgedSinceKill() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unattributed
}

// addLoss records that acknowledged data is missing.
func (r *report) addLoss(format string, args ...any) {
	r.problem(func(l *counts) { l.lost++ }, "lost: "+fmt.Sprintf(format, args...))
}

// addDuplicate records that data exists more than once, or differs between the database and the provider.
func (r *report) addDuplicate(format string, args ...any) {
	r.problem(func(l *counts) { l.duplicated++ }, "duplicated: "+fmt.Sprintf(format, args...))
}

func (r *report) problem(count func(*counts), text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	count(r.current())
	r.problems = append(r.problems, r.at+": "+text)
}

// String returns a table.
func (r *report) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "killed\tkills\tslowest ready\tacknowledged\tlost\tduplicated\t")
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

func (r *report) sum() (all counts) {
	for _, l := range r.lines {
		all.add(*l)
	}
	return all
}

func (c counts) write(table *tabwriter.Writer, at string) {
	_, _ = fmt.Fprintf(table, "%s\t%d\t%v\t%d\t%d\t%d\t\n", at, c.kills, c.slowest.Round(time.Millisecond),
		c.acknowledged, c.lost, c.duplicated)
}

func (c *counts) add(other counts) {
	c.kills += other.kills
	c.acknowledged += other.acknowledged
	c.lost += other.lost
	c.duplicated += other.duplicated
	c.slowest = max(c.slowest, other.slowest)
}

// include adds another report and its sum.
func (r *report) include(name string, other *report) {
	for at, l := range other.lines {
		r.at = at
		r.current().add(*l)
	}
	r.parts[name] = other.sum()
}
