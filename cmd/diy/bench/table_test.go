package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/assert"
)

// row is one line of the table.
type row struct {
	name           string
	result         string
	baseline       string
	ratio          float64
	target         bound
	wasMachineBusy bool // whether other processes used more than maxForeignCPUShare
}

// bound limits a ratio. The zero value has no limits.
type bound struct{ min, max float64 }

func atLeast(ratio float64) bound              { return bound{min: ratio} }
func atMost(ratio float64) bound               { return bound{max: ratio} }
func between(minRatio, maxRatio float64) bound { return bound{min: minRatio, max: maxRatio} }
func (b bound) contains(ratio float64) bool    { return b.containsWithTolerance(ratio, 0) }

// containsWithTolerance reports whether the ratio is within the bound, or misses the bound by at most the share of it.
func (b bound) containsWithTolerance(ratio, share float64) bool {
	return ratio >= b.min*(1-share) && (b.max == 0 || ratio <= b.max*(1+share))
}

func (b bound) String() string {
	switch {
	case b.min == 0 && b.max == 0:
		return "-"
	case b.min == 0:
		return fmt.Sprintf("<= %.2f", b.max)
	case b.max == 0:
		return fmt.Sprintf(">= %.2f", b.min)
	}
	return fmt.Sprintf("%.2f to %.2f", b.min, b.max)
}

// verdict is the text that states whether a row meets its target.
type verdict string

const (
	targetMet            verdict = "holds"
	noTarget             verdict = "-"
	targetNarrowlyMissed verdict = "narrowly missed"
	targetUnclear        verdict = "the machine is too busy to judge"
	targetMissed         verdict = "MISSED"
)

// tolerance is the share by which a result may miss its target without a failure, because measurements vary.
const tolerance = 0.05

func (r row) verdict() verdict {
	switch {
	case r.target == (bound{}):
		return noTarget
	case r.target.contains(r.ratio):
		return targetMet
	case r.wasMachineBusy:
		return targetUnclear
	case r.target.containsWithTolerance(r.ratio, tolerance):
		return targetNarrowlyMissed
	}
	return targetMissed
}

type table []row

func (t table) write(w io.Writer) error {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(columns, "what\tmeasured\tagainst\tratio\twanted\tverdict") // Flush returns errors
	for _, r := range t {
		_, _ = fmt.Fprintf(columns, "%s\t%s\t%s\t%.2f\t%s\t%s\n",
			r.name, r.result, r.baseline, r.ratio, r.target, r.verdict())
	}
	return columns.Flush()
}

func (t table) hasMissedTarget() bool {
	for _, r := range t {
		if r.verdict() == targetMissed {
			return true
		}
	}
	return false
}

// comparison contains the medians of both measurements of compare, and of their ratio.
type comparison struct{ server, baseline, ratio float64 }

// compare runs both measurements in each round, one right after the other, and returns the medians. The two measurements
// alternate in running first, because the speed of the machine varies.
func compare(rounds int, server, baseline func() float64) comparison {
	var servers, baselines, ratios []float64
	for i := range rounds {
		var s, b float64
		if i%2 == 0 {
			b, s = baseline(), server()
		} else {
			s, b = server(), baseline()
		}
		servers, baselines, ratios = append(servers, s), append(baselines, b), append(ratios, s/b)
	}
	return comparison{server: median(servers), baseline: median(baselines), ratio: median(ratios)}
}

func formatRate(n float64) string {
	if n < 1000 {
		return fmt.Sprintf("%.1f/s", n)
	}
	return fmt.Sprintf("%.0f/s", n)
}

func formatMilliseconds(d time.Duration) string { return fmt.Sprintf("%.2f ms", milliseconds(d)) }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

type samples []time.Duration

// quantile returns the sample of the nearest rank, or 0 without samples.
func (s samples) quantile(share float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	rank := int(math.Ceil(share * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

func (s samples) median() time.Duration { return s.quantile(0.5) }

// median returns the middle value, or the mean of the middle two. Without values it returns 0.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

func TestCompare_AlternatesTheFirstMeasurementAndReturnsMedians(t *testing.T) {
	var order string
	slowness := []float64{1, 10, 1, 1, 100} // of the machine in each round
	measurementCount := 0
	baseline := func() float64 { order += "b"; return 10 * slowness[measurementCount/2%5] }
	measureServer := func() float64 { order += "s"; return 8 * slowness[measurementCount/2%5] }
	countMeasurements := func(f func() float64) func() float64 {
		return func() float64 { defer func() { measurementCount++ }(); return f() }
	}

	medians := compare(5, countMeasurements(measureServer), countMeasurements(baseline))
	assert.Equal(t, "bssbbssbbs", order)
	assert.Equal(t, comparison{server: 8, baseline: 10, ratio: 0.8}, medians)
}

func TestMedian_ReturnsMiddleValueOrMeanOfMiddleTwo(t *testing.T) {
	assert.InDelta(t, 2, median([]float64{9, 1, 2}), 0)
	assert.InDelta(t, 2.5, median([]float64{9, 1, 2, 3}), 0)
	assert.Zero(t, median(nil))
}
