package diycmd

import (
	"context"
	"io"
	"log/slog"

	"github.com/vc-admin/diy/ports/trace"
)

// newLog returns a logger that writes JSON lines with times in UTC. Lines that are logged with the
// context of a request or a worker's round contain its trace ID as "request".
func newLog(w io.Writer) *slog.Logger {
	return slog.New(tracing{slog.NewJSONHandler(w, nil)})
}

// tracing adds the trace ID of the context to each line and converts its time to UTC.
type tracing struct{ slog.Handler }

// Handle implements slog.Handler.
func (t tracing) Handle(ctx context.Context, line slog.Record) error {
	line.Time = line.Time.UTC()
	if id := trace.IDOf(ctx); id != "" {
		line = line.Clone()
		line.AddAttrs(slog.String("request", id))
	}
	return t.Handler.Handle(ctx, line)
}

// WithAttrs implements slog.Handler.
func (t tracing) WithAttrs(attrs []slog.Attr) slog.Handler {
	return tracing{t.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (t tracing) WithGroup(name string) slog.Handler { return tracing{t.Handler.WithGroup(name)} }
