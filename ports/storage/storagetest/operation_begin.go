package storagetest

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// begun stores an operation and wants it to be the one that is pending.
func begun(t *testing.T, s storage.Store, op billing.Operation) billing.Operation {
	t.Helper()
	got, err := s.BeginOperation(t.Context(), op)
	require.NoError(t, err)
	require.Equal(t, op, got)
	return op
}

// pending lists everything that is pending.
func pending(t *testing.T, s storage.Store) []billing.Operation {
	t.Helper()
	all, err := s.PendingOperations(t.Context(), noon.AddDate(100, 0, 0), 1000)
	require.NoError(t, err)
	return all
}

func operationKeepsEveryField(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	op := begun(t, s, operation("ключ-🔑", o.ID, billing.SubscriptionLane, noon))
	require.Equal(t, []billing.Operation{op}, pending(t, s))

	op.SettledAt, op.Result = noon.Add(time.Second), "résultat"
	require.NoError(t, s.SettleOperation(t.Context(), op.Key, op.Result, op.SettledAt))
	last, err := s.LastOperation(t.Context(), o.ID, billing.SubscriptionLane)
	require.NoError(t, err)
	require.Equal(t, op, last)
	require.Empty(t, pending(t, s))
}

// laneHasOnePending wants lanes and organisations to be apart, and a lane to be free again once
// its operation is settled.
func laneHasOnePending(t *testing.T, h Harness) {
	s := h.Open(t)
	a, b := signedUp(t, s, "a").Organisation.ID, signedUp(t, s, "b").Organisation.ID
	first := begun(t, s, operation("1", a, billing.CustomerLane, noon))
	begun(t, s, operation("2", a, billing.SubscriptionLane, noon))
	begun(t, s, operation("3", b, billing.CustomerLane, noon))

	got, err := s.BeginOperation(t.Context(), operation("4", a, billing.CustomerLane, noon.Add(time.Hour)))
	require.NoError(t, err)
	require.Equal(t, first, got)
	require.Len(t, pending(t, s), 3)

	require.NoError(t, s.SettleOperation(t.Context(), "1", "", noon))
	begun(t, s, operation("4", a, billing.CustomerLane, noon.Add(time.Hour)))
	_, err = s.BeginOperation(t.Context(), operation("5", "nobody", billing.CustomerLane, noon))
	requireFault(t, fault.NotFound, err)
}

func operationRace(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	o := signedUp(t, s, "ada").Organisation
	got := make([]billing.Operation, workers)
	race(func(worker int) {
		mine := operation(strconv.Itoa(worker), o.ID, billing.SubscriptionLane, noon)
		var err error
		got[worker], err = doors[worker%len(doors)].BeginOperation(t.Context(), mine)
		assert.NoError(t, err)
	})
	stored := pending(t, s)
	require.Len(t, stored, 1)
	for _, op := range got {
		require.Equal(t, stored[0], op)
	}
}

// operationKeyIsUsedOnce lets a pending operation begin again, as a retry does, and nothing else.
func operationKeyIsUsedOnce(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	op := begun(t, s, operation("key", o.ID, billing.SubscriptionLane, noon))
	begun(t, s, op)
	require.Len(t, pending(t, s), 1)

	_, err := s.BeginOperation(t.Context(), operation("key", o.ID, billing.CustomerLane, noon))
	requireFault(t, fault.Conflict, err)
	require.NoError(t, s.SettleOperation(t.Context(), "key", "", noon))
	_, err = s.BeginOperation(t.Context(), op)
	requireFault(t, fault.Conflict, err)
	require.Empty(t, pending(t, s))
}
