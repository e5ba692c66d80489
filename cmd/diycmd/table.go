package diycmd

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// table formats the output of a command in columns.
type table struct {
	header []string
	rows   [][]string
}

func newTable(header ...string) *table { return &table{header: header} }

// add adds a row. A cell is one line: stored texts such as a reason can't begin another row.
func (t *table) add(cells ...any) {
	row := make([]string, 0, len(cells))
	for _, cell := range cells {
		if timestamp, isTime := cell.(time.Time); isTime {
			cell = timestamp.Format(time.DateTime + " MST")
		}
		row = append(row, strings.NewReplacer("\n", " ", "\t", " ").Replace(fmt.Sprint(cell)))
	}
	t.rows = append(t.rows, row)
}

// write writes the table, or the text if it has no rows.
func (t *table) write(to io.Writer, emptyText string) error {
	if len(t.rows) == 0 {
		_, err := fmt.Fprintln(to, emptyText)
		return err
	}
	columns := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.header}, t.rows...) {
		_, _ = fmt.Fprintln(columns, strings.Join(row, "\t")) // Flush reports the error
	}
	return columns.Flush()
}
