// Package trace carries the id of a piece of work, a request or a round in the background, through
// everything that is called for its sake, so that all that is logged about it can be found together.
// Whoever writes the log reads the id from the context; nobody in between has to know of it.
package trace

import (
	"context"
	"crypto/rand"
)

type key struct{}

// NewID returns an id that was never used before: 26 capital letters and digits.
func NewID() string { return rand.Text() }

// With returns a context under which the work is called id. Work that is part of other work goes by
// the newer name.
func With(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, key{}, id)
}

// IDOf returns what the work under the context is called, "" when it has no name.
func IDOf(ctx context.Context) string {
	id, _ := ctx.Value(key{}).(string)
	return id
}
