package bench

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// table is all figures of a run.
type table []row

// write writes the table.
func (t table) write(w io.Writer) error {
	aligned := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(aligned, "what\tmeasured\tagainst\tratio\twanted\tverdict") // Flush tells of errors
	for _, r := range t {
		_, _ = fmt.Fprintf(aligned, "%s\t%s\t%s\t%.2f\t%s\t%s\n", r.what, r.measured, r.against, r.ratio, r.wanted, r.verdict())
	}
	return aligned.Flush()
}

// missed reports whether a figure was clearly missed.
func (t table) missed() bool {
	for _, r := range t {
		if r.verdict() == missed {
			return true
		}
	}
	return false
}
