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
	findUnreachable := func(emails ...string) []string {
		t.Helper()
		got, err := s.Unreachable(t.Context(), emails...)
		require.NoError(t, err)
		return got
	}
	for i, email := range []string{"a@example.test", "b@example.test", "a@example.test"} {
		require.NoError(t, s.MarkUnreachable(t.Context(), email, noon.Add(time.Duration(i)*time.Second)))
	}

	require.Equal(t, []string{"b@example.test", "a@example.test"},
		findUnreachable("b@example.test", "c@example.test", "a@example.test"))
	require.Empty(t, findUnreachable("c@example.test"))
	require.Empty(t, findUnreachable())

	for range 2 {
		require.NoError(t, s.MarkReachable(t.Context(), "a@example.test"))
	}
	require.Equal(t, []string{"b@example.test"}, findUnreachable("a@example.test", "b@example.test"))
}

// testSweepUnreachable also checks that a repeated mark keeps its first time, and that a mark made exactly at the given
// time is kept.
func testSweepUnreachable(t *testing.T, h Harness) {
	s := h.Open(t)
	require.NoError(t, s.MarkUnreachable(t.Context(), "old@example.test", noon.Add(-time.Microsecond)))
	require.NoError(t, s.MarkUnreachable(t.Context(), "old@example.test", noon.Add(time.Hour)))
	require.NoError(t, s.MarkUnreachable(t.Context(), "new@example.test", noon))

	require.NoError(t, s.SweepUnreachable(t.Context(), noon))

	got, err := s.Unreachable(t.Context(), "old@example.test", "new@example.test")
	require.NoError(t, err)
	require.Equal(t, []string{"new@example.test"}, got)
}
