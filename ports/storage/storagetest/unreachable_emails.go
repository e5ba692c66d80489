package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var unreachableEmailScenarios = []scenario{
	{"MarkUnreachable marks an address and MarkReachable reverts it", testMarkUnreachable},
	{"SweepUnreachable keeps newer marks", testSweepUnreachable},
}

func testMarkUnreachable(t *testing.T, h Harness) {
	s := h.Open(t)
	unreachable := func(emails ...string) []string {
		t.Helper()
		got, err := s.Unreachable(t.Context(), emails...)
		require.NoError(t, err)
		return got
	}
	for i, email := range []string{"a@example.test", "b@example.test", "a@example.test"} {
		require.NoError(t, s.MarkUnreachable(t.Context(), email, noon.Add(time.Duration(i)*time.Second)))
	}

	require.Equal(t, []string{"b@example.test", "a@example.test"},
		unreachable("b@example.test", "c@example.test", "a@example.test"))
	require.Empty(t, unreachable("c@example.test"))
	require.Empty(t, unreachable())

	for range 2 {
		require.NoError(t, s.MarkReachable(t.Context(), "a@example.test"))
	}
	require.Equal(t, []string{"b@example.test"}, unreachable("a@example.test", "b@example.test"))
}

// A repeated mark keeps the first time, and a mark of exactly the time is kept.
func testSweepUnreachable(t *testing.T, h Harness) {
	s := h.Open(t)
	require.NoError(t, s.MarkUnreachable(t.Context(), "old@example.test", noon.Add(-time.Microsecond)))
	require.NoError(t, s.MarkUnreachable(t.Context(), "old@example.test", noon.Add(time.Hour)))
	require.NoError(t, s.MarkUnreachable(t.Context(), "new@example.test", noon))

	require.NoError(t, s.SweepUnreachable(t.Context(), noon))

	found, err := s.Unreachable(t.Context(), "old@example.test", "new@example.test")
	require.NoError(t, err)
	require.Equal(t, []string{"new@example.test"}, found)
}
