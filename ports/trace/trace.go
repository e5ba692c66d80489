// Package trace stores a trace id in the context. All log lines about one request, or about one run
// of a background worker, have the same trace id. The log handler reads the id from the context.
package trace

import (
	"context"
	"crypto/rand"
)

type key struct{}

// NewID returns a unique id of 26 upper-case letters and digits.
func NewID() string { return rand.Text() }

// WithID returns a context with the trace id, which replaces the id of the parent context.
func WithID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, key{}, id)
}

// IDFromContext returns the trace id of the context, or "".
func IDFromContext(ctx context.Context) string {
	id, _ := ctx.Value(key{}).(string)
	return id
}
