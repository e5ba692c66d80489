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

// counts contains the number of kills at a point, and of acknowledged requests and problems after them.
type counts struct {
	kills, acknowledged, lost, duplicated int
	slowest                               time.Duration // the slowest start
}

// report counts the kills, the acknowledged requests and the problems of a run.
type report struct {
	mu           sync.Mutex
	point        string // of the latest kill; "" before the first
	acknowledged int    // number of acknowledged requests since the latest kill
	byPoint      map[string]*counts
	problems     []string
	subtotals    map[string]counts // of the included reports, by name
}

func newReport() *report {
	return &report{byPoint: map[string]*counts{}, subtotals: map[string]counts{}}
}

// latestCounts returns the counts of the latest kill.
func (r *report) latestCounts() *counts {
	if r.byPoint[r.point] == nil {
		r.byPoint[r.point] = &counts{}
	}
	return r.byPoint[r.point]
}

// countKill counts a kill at the point. All problems that are added until the next kill are attributed to this kill.
func (r *report) countKill(point string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.point = point
	r.latestCounts().kills++
	r.latestCounts().acknowledged += r.acknowledged
	r.acknowledged = 0
}

// addStart records the duration of a start after a kill.
func (r *report) addStart(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.point != "" {
		r.latestCounts().slowest = max(r.latestCounts().slowest, d)
	}
}

// countAcknowledged counts an acknowledged change.
func (r *report) countAcknowledged() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.acknowledged++
}

// acknowledgedSinceKill returns the number of acknowledged requests since the latest kill.
func (r *report) acknowledgedSinceKill() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.acknowledged
}

// addLoss records that acknowledged data is missing.
func (r *report) addLoss(format string, args ...any) {
	r.addProblem(func(c *counts) { c.lost++ }, "lost: "+fmt.Sprintf(format, args...))
}

// addDuplicate records that data exists more than once, or differs between the database and the provider.
func (r *report) addDuplicate(format string, args ...any) {
	r.addProblem(func(c *counts) { c.duplicated++ }, "duplicated: "+fmt.Sprintf(format, args...))
}

// addProblem calls count with the counts of the latest kill and adds the text to the problems.
func (r *report) addProblem(count func(*counts), text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	count(r.latestCounts())
	r.problems = append(r.problems, r.point+": "+text)
}

// String returns the counts as a table.
func (r *report) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "killed\tkills\tslowest ready\tacknowledged\tlost\tduplicated\t")
	for _, point := range slices.Sorted(maps.Keys(r.byPoint)) {
		r.byPoint[point].write(table, point)
	}
	for _, name := range slices.Sorted(maps.Keys(r.subtotals)) {
		r.subtotals[name].write(table, name)
	}
	r.sum().write(table, "all")
	_ = table.Flush()
	return text.String()
}

func (r *report) sum() (total counts) {
	for _, c := range r.byPoint {
		total.add(*c)
	}
	return total
}

func (c counts) write(table *tabwriter.Writer, name string) {
	_, _ = fmt.Fprintf(table, "%s\t%d\t%v\t%d\t%d\t%d\t\n", name, c.kills, c.slowest.Round(time.Millisecond),
		c.acknowledged, c.lost, c.duplicated)
}

func (c *counts) add(other counts) {
	c.kills += other.kills
	c.acknowledged += other.acknowledged
	c.lost += other.lost
	c.duplicated += other.duplicated
	c.slowest = max(c.slowest, other.slowest)
}

// include adds the counts of another report, and shows their sum under the name.
func (r *report) include(name string, other *report) {
	for point, c := range other.byPoint {
		r.point = point
		r.latestCounts().add(*c)
	}
	r.subtotals[name] = other.sum()
}
