package storagetest

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

// updateRace has each worker count one up and add one subscription of its own.
func updateRace(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	o := signedUp(t, s, "ada").Organisation
	o = update(t, s, o.ID, func(o *account.Organisation) { o.Phone = "0" })
	race(func(worker int) {
		_, err := doors[worker%len(doors)].UpdateOrganisation(t.Context(), o.ID, countUp(worker))
		assert.NoError(t, err)
	})

	got, err := s.Organisation(t.Context(), o.ID)
	require.NoError(t, err)
	require.Equal(t, strconv.Itoa(workers), got.Phone)
	require.Len(t, got.Billing.Subscriptions, workers)
	for i, sub := range got.Billing.Subscriptions {
		require.Equal(t, strconv.Itoa(workers-1-i), sub.ID)
	}
}

func countUp(worker int) func(*account.Organisation) error {
	return func(o *account.Organisation) error {
		count, err := strconv.Atoi(o.Phone)
		o.Phone = strconv.Itoa(count + 1)
		created := noon.Add(time.Duration(worker) * time.Second)
		o.Billing.Record(subscription(strconv.Itoa(worker), billing.Canceled, created))
		return err
	}
}
