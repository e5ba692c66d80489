package trace_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/trace"
)

func TestIDOf_SurvivesCancellation(t *testing.T) {
	outer := trace.WithID(t.Context(), "outer")
	ended, end := context.WithCancel(trace.WithID(outer, "inner"))
	end()

	assert.Empty(t, trace.IDOf(t.Context()))
	assert.Equal(t, "outer", trace.IDOf(outer))
	assert.Equal(t, "inner", trace.IDOf(context.WithoutCancel(ended)), "work that continues after the request keeps its id")
}

func TestNewID_IsUniqueAndHeaderSafe(t *testing.T) {
	first, second := trace.NewID(), trace.NewID()
	assert.Regexp(t, "^[A-Z0-9]{26}$", first)
	assert.NotEqual(t, first, second)
}
