package main

import (
	"context"
	"io"
	"log/slog"

	"github.com/vc-admin/diy/ports/trace"
)

// newLog writes JSON, a line an entry, in UTC. Every line that is about a request, or about a round
// of a worker, carries its id.
func newLog(w io.Writer) *slog.Logger {
	return slog.New(tracing{slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: utc})})
}

// utc writes the time of every log line in UTC.
func utc(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey && a.Value.Kind() == slog.KindTime {
		a.Value = slog.TimeValue(a.Value.Time().UTC())
	}
	return a
}

// tracing adds to every line the id that its context carries.
type tracing struct{ slog.Handler }

// Handle implements slog.Handler.
func (h tracing) Handle(ctx context.Context, line slog.Record) error {
	if id := trace.IDOf(ctx); id != "" {
		line = line.Clone()
		line.AddAttrs(slog.String("request", id))
	}
	return h.Handler.Handle(ctx, line)
}

// WithAttrs implements slog.Handler.
func (h tracing) WithAttrs(attrs []slog.Attr) slog.Handler {
	return tracing{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h tracing) WithGroup(name string) slog.Handler { return tracing{h.Handler.WithGroup(name)} }
