package bench

import (
	"fmt"
	"testing"
	"time"
)

// firstPage is how soon the first page is to be served, in milliseconds.
const firstPage = 300

// BenchmarkStart is from starting the binary to having the plans page: with a new database, whose
// tables it makes first, and with one that is there.
func BenchmarkStart(b *testing.B) {
	figure(b, func(b *testing.B) []row {
		var first, again samples
		for range 11 {
			database := "sqlite:" + b.TempDir() + "/diy.db"
			first = append(first, startsAndServes(b, database))
			again = append(again, startsAndServes(b, database))
		}
		return []row{startRow("a new database", first), startRow("a database that is there", again)}
	})
}

func startsAndServes(b *testing.B, database string) time.Duration {
	b.Helper()
	began := time.Now()
	s := startServer(b, database)
	err := dial(b, (&visitor{origin: s.origin()}).get(b, "/vc-admin/diy/plans")).ask()
	d := time.Since(began)
	must(err)
	s.stop()
	return d
}

func startRow(with string, all samples) row {
	return row{
		what: "start to first page, " + with, measured: ms(all.median()),
		against: fmt.Sprintf("%d ms (slowest of %d %s)", firstPage, len(all), ms(all.quantile(1))),
		ratio:   inMs(all.median()) / firstPage, wanted: atMost(1),
	}
}
