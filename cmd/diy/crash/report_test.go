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
	kills, acknowledgements, losses, duplicates int
	slowestStart                                time.Duration
}

// report counts the kills, the acknowledged requests and the problems of a run.
type report struct {
	mu               sync.Mutex
	latestKillPoint  string // "" before the first kill
	acknowledgements int    // number of acknowledged requests since the latest kill
	countsByPoint    map[string]*counts
	problems         []string
	subtotals        map[string]counts // of the included reports, by name
}

func newReport() *report {
	return &report{countsByPoint: map[string]*counts{}, subtotals: map[string]counts{}}
}

// latestCounts returns the counts of the latest kill.
func (r *report) latestCounts() *counts {
	if r.countsByPoint[r.latestKillPoint] == nil {
		r.countsByPoint[r.latestKillPoint] = &counts{}
	}
	return r.countsByPoint[r.latestKillPoint]
}

// countKill counts a kill at the point. All problems that are added until the next kill are attributed to this kill.
func (r *report) countKill(point string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latestKillPoint = point
	r.latestCounts().kills++
	r.latestCounts().acknowledgements += r.acknowledgements
	r.acknowledgements = 0
}

// recordStartDuration records the duration of a start after a kill.
func (r *report) recordStartDuration(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.latestKillPoint != "" {
		r.latestCounts().slowestStart = max(r.latestCounts().slowestStart, d)
	}
}

// countAcknowledgement counts an acknowledged change.
func (r *report) countAcknowledgement() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.acknowledgements++
}

// acknowledgementsSinceKill returns the number of acknowledged requests since the latest kill.
func (r *report) acknowledgementsSinceKill() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.acknowledgements
}

// addLoss records that acknowledged data is missing.
func (r *report) addLoss(format string, args ...any) {
	r.addProblem(func(c *counts) { c.losses++ }, "lost: "+fmt.Sprintf(format, args...))
}

// addDuplicate records that data exists more than once, or differs between the database and the provider.
func (r *report) addDuplicate(format string, args ...any) {
	r.addProblem(func(c *counts) { c.duplicates++ }, "duplicated: "+fmt.Sprintf(format, args...))
}

// addProblem calls count with the counts of the latest kill and adds the text to the problems.
func (r *report) addProblem(count func(*counts), text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	count(r.latestCounts())
	r.problems = append(r.problems, r.latestKillPoint+": "+text)
}

// String returns the counts as a table.
func (r *report) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "killed\tkills\tslowest ready\tacknowledged\tlost\tduplicated\t")
	for _, point := range slices.Sorted(maps.Keys(r.countsByPoint)) {
		r.countsByPoint[point].write(table, point)
	}
	for _, name := range slices.Sorted(maps.Keys(r.subtotals)) {
		r.subtotals[name].write(table, name)
	}
	r.total().write(table, "all")
	_ = table.Flush()
	return text.String()
}

func (r *report) total() (total counts) {
	for _, c := range r.countsByPoint {
		total.add(*c)
	}
	return total
}

func (c counts) write(table *tabwriter.Writer, name string) {
	_, _ = fmt.Fprintf(table, "%s\t%d\t%v\t%d\t%d\t%d\t\n", name, c.kills, c.slowestStart.Round(time.Millisecond),
		c.acknowledgements, c.losses, c.duplicates)
}

func (c *counts) add(other counts) {
	c.kills += other.kills
	c.acknowledgements += other.acknowledgements
	c.losses += other.losses
	c.duplicates += other.duplicates
	c.slowestStart = max(c.slowestStart, other.slowestStart)
}

// addSubtotal adds the counts of another report. The table shows the sum of these counts under the name.
func (r *report) addSubtotal(name string, other *report) {
	for point, c := range other.countsByPoint {
		r.latestKillPoint = point
		r.latestCounts().add(*c)
	}
	r.subtotals[name] = other.total()
}
