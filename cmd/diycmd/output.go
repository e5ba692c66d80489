package diycmd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/vc-admin/diy/ports/trace"
)

// newLogger returns a logger that writes JSON lines with times in UTC. Lines that are logged with the
// context of a request or a worker's round contain its trace ID as "request".
func newLogger(w io.Writer) *slog.Logger {
	return slog.New(traceHandler{slog.NewJSONHandler(w, nil)})
}

// traceHandler adds the trace ID of the context to each line, and converts the line's time to UTC.
type traceHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h traceHandler) Handle(ctx context.Context, line slog.Record) error {
	line.Time = line.Time.UTC()
	if id := trace.IDFromContext(ctx); id != "" {
		line = line.Clone()
		line.AddAttrs(slog.String("request", id))
	}
	return h.Handler.Handle(ctx, line)
}

// WithAttrs implements slog.Handler.
func (h traceHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return traceHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h traceHandler) WithGroup(name string) slog.Handler {
	return traceHandler{h.Handler.WithGroup(name)}
}

// table formats the output of a command in columns.
type table struct {
	header []string
	rows   [][]string
}

func newTable(header ...string) *table { return &table{header: header} }

// dateOnly formats the day of a time in its own zone, or "" for the zero time.
func dateOnly(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// add adds a row. The cell of a zero time is empty. Line feeds and tabs in a cell become spaces, so that a stored text
// can't begin another row.
func (t *table) add(cells ...any) {
	row := make([]string, 0, len(cells))
	for _, cell := range cells {
		if timestamp, isTime := cell.(time.Time); isTime && timestamp.IsZero() {
			cell = ""
		} else if isTime {
			cell = timestamp.Format(time.DateTime + " MST")
		}
		row = append(row, strings.NewReplacer("\n", " ", "\t", " ").Replace(fmt.Sprint(cell)))
	}
	t.rows = append(t.rows, row)
}

// write writes the table, or emptyText if it has no rows.
func (t *table) write(w io.Writer, emptyText string) error {
	if len(t.rows) == 0 {
		_, err := fmt.Fprintln(w, emptyText)
		return err
	}
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.header}, t.rows...) {
		_, _ = fmt.Fprintln(columns, strings.Join(row, "\t")) // Flush reports the error
	}
	return columns.Flush()
}

// terminalWriter escapes control characters other than tab and line feed, because a terminal would execute escape codes
// in arguments, settings and stored texts. Each Write must consist of whole characters.
type terminalWriter struct{ io.Writer }

// Write returns len(text) on success. After a failure the count is an estimate, because the text was escaped.
func (w terminalWriter) Write(text []byte) (int, error) {
	escaped := escapeControlCharacters(text)
	n, err := w.Writer.Write(escaped)
	if err != nil {
		return min(n, len(text)), err
	}
	return len(text), nil
}

// escapeControlCharacters replaces control characters by escapes such as \u001b, which are also valid in JSON. It
// replaces bytes that are not valid UTF-8 by escapes such as \x9b. These are not valid in JSON, but the log contains only
// valid UTF-8.
func escapeControlCharacters(text []byte) []byte {
	if isPlainASCII(text) || utf8.Valid(text) && !bytes.ContainsFunc(text, isUnsafeControl) {
		return text
	}
	var escaped bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			_, _ = fmt.Fprintf(&escaped, `\x%02x`, text[0])
		case isUnsafeControl(r):
			_, _ = fmt.Fprintf(&escaped, `\u%04x`, r)
		default:
			_, _ = escaped.Write(text[:size])
		}
		text = text[size:]
	}
	return escaped.Bytes()
}

// isPlainASCII reports whether the text is ASCII without control characters. Nearly all lines of the log are.
func isPlainASCII(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf || isUnsafeControl(rune(b)) {
			return false
		}
	}
	return true
}

// isUnsafeControl reports whether a terminal could execute the character.
func isUnsafeControl(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }
