package storagetest

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

// pendingOperations begins them newest first and asks for them before each of their instants.
func pendingOperations(t *testing.T, h Harness) {
	s := h.Open(t)
	var want []billing.Operation
	for i, began := range slices.Backward(uneven()) {
		o := signedUp(t, s, strconv.Itoa(i)).Organisation
		want = append(want, begun(t, s, operation(strconv.Itoa(i), o.ID, billing.CustomerLane, began)))
	}
	slices.Reverse(want)
	for i, op := range want {
		got, err := s.PendingOperations(t.Context(), op.CreatedAt, 100)
		require.NoError(t, err)
		require.Equal(t, want[:i], append([]billing.Operation{}, got...))
	}
	end := want[len(want)-1].CreatedAt.Add(time.Microsecond)
	for limit := range want {
		got, err := s.PendingOperations(t.Context(), end, limit)
		require.NoError(t, err)
		require.Equal(t, want[:limit], append([]billing.Operation{}, got...))
	}
	require.NoError(t, s.SettleOperation(t.Context(), want[0].Key, "", noon))
	require.Equal(t, want[1:], pending(t, s))
}
