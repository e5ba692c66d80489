package trace_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/trace"
)

func TestTheIDOutlivesTheRequestItself(t *testing.T) {
	outer := trace.With(t.Context(), "outer")
	ended, end := context.WithCancel(trace.With(outer, "inner"))
	end()

	assert.Empty(t, trace.IDOf(t.Context()))
	assert.Equal(t, "outer", trace.IDOf(outer))
	assert.Equal(t, "inner", trace.IDOf(context.WithoutCancel(ended)), "what is finished after a visitor left keeps its name")
}

func TestIDsAreSafeInAHeaderAndNeverTheSame(t *testing.T) {
	first, second := trace.NewID(), trace.NewID()
	assert.Regexp(t, "^[A-Z0-9]{26}$", first)
	assert.NotEqual(t, first, second)
}
