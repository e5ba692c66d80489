package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var unreachableEmailScenarios = []scenario{
	{"MarkUnreachable and MarkReachable", testMarkUnreachable},
}

func testMarkUnreachable(t *testing.T, h Harness) {
	s := h.Open(t)
	unreachable := func(emails ...string) []string {
		t.Helper()
		found, err := s.Unreachable(t.Context(), emails...)
		require.NoError(t, err)
		return found
	}
	for i, email := range []string{"a@example.test", "b@example.test", "a@example.test"} {
		require.NoError(t, s.MarkUnreachable(t.Context(), email, noon.Add(time.Duration(i)*time.Second)))
	}

	require.Equal(t, []string{"b@example.test", "a@example.test"}, unreachable("b@example.test", "c@example.test", "a@example.test"))
	require.Empty(t, unreachable("c@example.test"))
	require.Empty(t, unreachable())

	for range 2 {
		require.NoError(t, s.MarkReachable(t.Context(), "a@example.test"))
	}
	require.Equal(t, []string{"b@example.test"}, unreachable("a@example.test", "b@example.test"))
}
