package trace_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/trace"
)

func TestIDFromContext_ReturnsInnermostIDAlsoAfterCancellation(t *testing.T) {
	outer := trace.WithID(t.Context(), "outer")
	inner, cancel := context.WithCancel(trace.WithID(outer, "inner"))
	cancel()

	assert.Empty(t, trace.IDFromContext(t.Context()))
	assert.Equal(t, "outer", trace.IDFromContext(outer))
	assert.Equal(t, "inner", trace.IDFromContext(context.WithoutCancel(inner)),
		"work that continues after the request keeps its id")
}

func TestNewID_IsUniqueAndHeaderSafe(t *testing.T) {
	first, second := trace.NewID(), trace.NewID()
	assert.Regexp(t, "^[A-Z0-9]{26}$", first)
	assert.NotEqual(t, first, second)
}
