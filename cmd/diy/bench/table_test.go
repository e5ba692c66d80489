package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// row is one line of the table.
type row struct {
	what     string
	measured string
	against  string // the baseline
	ratio    float64
	wanted   bound
	busy     bool // other processes used the machine
}

// bound limits a ratio. The zero value has no limits.
type bound struct{ least, most float64 }

func atLeast(ratio float64) bound        { return bound{least: ratio} }
func atMost(ratio float64) bound         { return bound{most: ratio} }
func within(least, most float64) bound   { return bound{least: least, most: most} }
func (b bound) holds(ratio float64) bool { return b.holdsBut(ratio, 0) }

// holdsBut reports whether the ratio is within the bound or misses it by at most a share.
func (b bound) holdsBut(ratio, share float64) bool {
	return ratio >= b.least*(1-share) && (b.most == 0 || ratio <= b.most*(1+share))
}

func (b bound) String() string {
	switch {
	case b.least == 0 && b.most == 0:
		return "-"
	case b.least == 0:
		return fmt.Sprintf("<= %.2f", b.most)
	case b.most == 0:
		return fmt.Sprintf(">= %.2f", b.least)
	}
	return fmt.Sprintf("%.2f to %.2f", b.least, b.most)
}

type verdict string

const (
	holds    verdict = "holds"
	noted    verdict = "-" // without a target
	narrowly verdict = "narrowly missed"
	unclear  verdict = "the machine is too busy to judge"
	missed   verdict = "MISSED"
)

// narrow is the share by which a target may be missed without a failure, because of noise.
const narrow = 0.05

func (r row) verdict() verdict {
	switch {
	case r.wanted == (bound{}):
		return noted
	case r.wanted.holds(r.ratio):
		return holds
	case r.busy:
		return unclear
	case r.wanted.holdsBut(r.ratio, narrow):
		return narrowly
	}
	return missed
}

type table []row

func (t table) write(w io.Writer) error {
	aligned := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(aligned, "what\tmeasured\tagainst\tratio\twanted\tverdict") // Flush returns errors
	for _, r := range t {
		_, _ = fmt.Fprintf(aligned, "%s\t%s\t%s\t%.2f\t%s\t%s\n", r.what, r.measured, r.against, r.ratio, r.wanted, r.verdict())
	}
	return aligned.Flush()
}

func (t table) missed() bool {
	for _, r := range t {
		if r.verdict() == missed {
			return true
		}
	}
	return false
}

// comparison is the result of compare: the medians of both measurements and of their ratio.
type comparison struct{ server, baseline, ratio float64 }

// compare alternates two measurements, one right after the other, and returns the median of the ratios. The
// speed of the machine varies between the turns, so they start with either one alternately.
func compare(turns int, server, baseline func() float64) comparison {
	var x, y, ratios []float64
	for i := range turns {
		var x0, y0 float64
		if i%2 == 0 {
			y0, x0 = baseline(), server()
		} else {
			x0, y0 = server(), baseline()
		}
		x, y, ratios = append(x, x0), append(y, y0), append(ratios, x0/y0)
	}
	return comparison{server: median(x), baseline: median(y), ratio: median(ratios)}
}

func perSecond(n float64) string {
	if n < 1000 {
		return fmt.Sprintf("%.1f/s", n)
	}
	return fmt.Sprintf("%.0f/s", n)
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", inMs(d)) }

func inMs(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

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

// median returns 0 without values.
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

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		name string
		row  row
		want verdict
	}{
		{"at the lower bound", row{ratio: 0.85, wanted: atLeast(0.85)}, holds},
		{"slightly below the bound", row{ratio: 0.82, wanted: atLeast(0.85)}, narrowly},
		{"clearly below the bound", row{ratio: 0.80, wanted: atLeast(0.85)}, missed},
		{"clearly below the bound on a busy machine", row{ratio: 0.80, wanted: atLeast(0.85), busy: true}, unclear},
		{"above the bound on a busy machine", row{ratio: 0.9, wanted: atLeast(0.85), busy: true}, holds},
		{"at the upper bound", row{ratio: 1.3, wanted: atMost(1.3)}, holds},
		{"slightly above the bound", row{ratio: 1.34, wanted: atMost(1.3)}, narrowly},
		{"clearly above the bound", row{ratio: 1.4, wanted: atMost(1.3)}, missed},
		{"below both bounds", row{ratio: 0.9, wanted: within(0.97, 1.03)}, missed},
		{"between both bounds", row{ratio: 1.01, wanted: within(0.97, 1.03)}, holds},
		{"above both bounds", row{ratio: 1.1, wanted: within(0.97, 1.03)}, missed},
		{"without a bound", row{ratio: 1000}, noted},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, c.row.verdict())
			assert.Equal(t, c.want == missed, table{{}, c.row}.missed())
		})
	}
}

func TestTable_Write(t *testing.T) {
	var out strings.Builder
	require.NoError(t, table{
		{what: "sign-ups", measured: "80/s", against: "90/s bare hashes", ratio: 0.889, wanted: atLeast(0.85)},
		{what: "growth", measured: "9 ms", against: "1 ms", ratio: 9, wanted: atMost(1.5)},
		{what: "both", wanted: within(0.97, 1.03), ratio: 1},
		{what: "neither"},
	}.write(&out))
	lines := strings.Split(out.String(), "\n")
	assert.Regexp(t, `^what +measured +against +ratio +wanted +verdict$`, lines[0])
	assert.Regexp(t, `^sign-ups +80/s +90/s bare hashes +0\.89 +>= 0\.85 +holds$`, lines[1])
	assert.Regexp(t, `^growth +9 ms +1 ms +9\.00 +<= 1\.50 +MISSED$`, lines[2])
	assert.Regexp(t, `^both +1\.00 +0\.97 to 1\.03 +holds$`, lines[3])
	assert.Regexp(t, `^neither +0\.00 +- +-$`, lines[4])
}

func TestCompare_AlternatesAndReturnsMedians(t *testing.T) {
	var body string
	slow := []float64{1, 10, 1, 1, 100} // the speed of the machine, by turn
	turn := 0
	baseline := func() float64 { body += "t"; return 10 * slow[turn/2%5] }
	server := func() float64 { body += "o"; return 8 * slow[turn/2%5] }
	counted := func(f func() float64) func() float64 {
		return func() float64 { defer func() { turn++ }(); return f() }
	}

	d := compare(5, counted(server), counted(baseline))
	assert.Equal(t, "toottootto", body)
	assert.Equal(t, comparison{server: 8, baseline: 10, ratio: 0.8}, d)
}

func TestSamples_Quantile(t *testing.T) {
	var hundred samples
	for i := range 100 {
		hundred = append(hundred, time.Duration((i*37)%100+1))
	}
	for _, c := range []struct {
		name  string
		of    samples
		share float64
		want  time.Duration
	}{
		{"median of 100", hundred, 0.5, 50},
		{"99th percentile of 100", hundred, 0.99, 99},
		{"maximum", hundred, 1, 100},
		{"minimum", hundred, 0, 1},
		{"99th percentile of 3 is the maximum", samples{30, 10, 20}, 0.99, 30},
		{"one sample", samples{7}, 0.5, 7},
		{"no samples", nil, 0.5, 0},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, c.of.quantile(c.share)) })
	}
	assert.Equal(t, time.Duration(38), hundred[1], "the samples are not reordered")
}

func TestMedian(t *testing.T) {
	assert.InDelta(t, 2, median([]float64{9, 1, 2}), 0)
	assert.InDelta(t, 2.5, median([]float64{9, 1, 2, 3}), 0)
	assert.Zero(t, median(nil))
}
