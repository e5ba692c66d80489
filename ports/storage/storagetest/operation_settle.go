package storagetest

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func settlingKeepsFirst(t *testing.T, h Harness) {
	s := h.Open(t)
	o := signedUp(t, s, "ada").Organisation
	op := begun(t, s, operation("key", o.ID, billing.CustomerLane, noon))
	requireFault(t, fault.NotFound, s.SettleOperation(t.Context(), "unknown", "x", noon))

	require.NoError(t, s.SettleOperation(t.Context(), "key", "first", noon.Add(time.Second)))
	require.NoError(t, s.SettleOperation(t.Context(), "key", "second", noon.Add(time.Minute)))
	op.Result, op.SettledAt = "first", noon.Add(time.Second)
	last, err := s.LastOperation(t.Context(), o.ID, billing.CustomerLane)
	require.NoError(t, err)
	require.Equal(t, op, last)
}

// lastOperation settles operations at instants whose text sorts differently from their time
// unless it is kept with care. One that made nothing does not count.
func lastOperation(t *testing.T, h Harness) {
	s := h.Open(t)
	o, other := signedUp(t, s, "ada").Organisation.ID, signedUp(t, s, "other").Organisation.ID
	_, err := s.LastOperation(t.Context(), o, billing.SubscriptionLane)
	requireFault(t, fault.NotFound, err)

	for i, settled := range uneven() {
		key := strconv.Itoa(i)
		begun(t, s, operation(key, o, billing.SubscriptionLane, noon.Add(-time.Duration(i)*time.Minute)))
		_, err = s.LastOperation(t.Context(), o, billing.CustomerLane)
		requireFault(t, fault.NotFound, err)
		require.NoError(t, s.SettleOperation(t.Context(), key, "made", settled))
		last, err := s.LastOperation(t.Context(), o, billing.SubscriptionLane)
		require.NoError(t, err)
		require.Equal(t, key, last.Key)
	}
	begun(t, s, operation("made nothing", o, billing.SubscriptionLane, noon))
	require.NoError(t, s.SettleOperation(t.Context(), "made nothing", "", noon.AddDate(20, 0, 0)))
	begun(t, s, operation("still pending", o, billing.SubscriptionLane, noon.AddDate(1, 0, 0)))
	last, err := s.LastOperation(t.Context(), o, billing.SubscriptionLane)
	require.NoError(t, err)
	require.Equal(t, strconv.Itoa(len(uneven())-1), last.Key)
	_, err = s.LastOperation(t.Context(), other, billing.SubscriptionLane)
	requireFault(t, fault.NotFound, err)
}

// uneven are instants in their order, with fractions of a second of all lengths.
func uneven() []time.Time {
	second := noon.Truncate(time.Second)
	return []time.Time{
		second.Add(-time.Microsecond), second, second.Add(time.Microsecond), second.Add(5 * time.Millisecond),
		second.Add(10 * time.Millisecond), second.Add(110 * time.Millisecond), second.Add(200 * time.Millisecond),
		second.Add(time.Second), second.AddDate(10, 0, 0),
	}
}
