package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eventIsRemembered also records it from everywhere at once, as a provider that delivers twice
// makes us do.
func eventIsRemembered(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	requireHandled := func(want bool, id string) {
		got, err := s.EventHandled(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	requireHandled(false, "event")
	race(func(worker int) {
		now := noon.Add(time.Duration(worker) * time.Second)
		assert.NoError(t, doors[worker%len(doors)].RecordEvent(t.Context(), "event", "subscription", now))
	})
	requireHandled(true, "event")
	require.NoError(t, s.RecordEvent(t.Context(), "event", "customer", noon))
	requireHandled(true, "event")
	requireHandled(false, "another")
}
