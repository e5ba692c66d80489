package bench

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

var (
	binary = flag.String("diy", "../../../bin/diy", "the server that is measured")
	crowd  = flag.Int("crowd", 1_000_000, "how many organisations the larger database of Growth has")
)

func TestMain(m *testing.M) {
	if job := os.Getenv(bareJob); job != "" {
		serveBare(job)
		return
	}
	postgrestest.InEarnest() // otherwise a commit costs nothing
	postgrestest.Run(reporting{m})
}

// reporting prints the table after everything was measured, and fails when a figure was missed.
type reporting struct{ *testing.M }

func (r reporting) Run() int {
	code := r.M.Run()
	if len(figures) == 0 {
		return code
	}
	if err := figures.write(os.Stdout); err != nil || figures.missed() {
		return 1
	}
	return code
}

// figures is the table of this run.
var figures table

// figure measures, and adds what was found to the table. A figure is found once, however often the
// benchmark is asked to run.
func figure(b *testing.B, measure func(b *testing.B) []row) {
	b.Helper()
	before := readTicks("/proc")
	rows := measure(b)
	b.StopTimer()
	others := readTicks("/proc").othersSince(before)
	for _, r := range rows {
		r.busy = others > quiet
		figures = append(figures, r)
	}
	b.ReportMetric(others*100, "%others")
	b.ReportMetric(0, "ns/op") // means nothing here
	if others > quiet {
		fmt.Fprintf(os.Stderr, "*** %s: others used %.0f%% of the machine meanwhile\n", b.Name(), others*100)
	}
}

// quiet is the share of the machine that others may use.
const quiet = 0.1
