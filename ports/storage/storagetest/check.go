package storagetest

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// due signs an organisation up that is to be checked at the instant, and returns its id.
func due(t *testing.T, s storage.Store, name string, at time.Time) string {
	t.Helper()
	id := signedUp(t, s, name).Organisation.ID
	update(t, s, id, func(o *account.Organisation) { o.Billing.CheckAt = at })
	return id
}

// requireNoneDue wants nobody to be handed out.
func requireNoneDue(t *testing.T, s storage.Store, now time.Time) {
	t.Helper()
	_, err := s.ClaimCheck(t.Context(), now, now.Add(time.Hour))
	requireFault(t, fault.NotFound, err)
}

func checkIsDue(t *testing.T, h Harness) {
	s := h.Open(t)
	signedUp(t, s, "never")
	for i, instant := range uneven() {
		id := due(t, s, strconv.Itoa(i), instant)
		requireNoneDue(t, s, instant.Add(-time.Microsecond))
		got, err := s.ClaimCheck(t.Context(), instant, noon.AddDate(100, 0, 0))
		require.NoError(t, err)
		require.Equal(t, id, got)
	}
}

// checkIsPutOff changes nothing else of the organisation, and an update has the last word.
func checkIsPutOff(t *testing.T, h Harness) {
	s := h.Open(t)
	id := due(t, s, "ada", noon)
	want, err := s.Organisation(t.Context(), id)
	require.NoError(t, err)
	want.Billing.CheckAt = noon.Add(time.Hour)

	_, err = s.ClaimCheck(t.Context(), noon, noon.Add(time.Hour))
	require.NoError(t, err)

	requireOrganisation(t, s, want)
	requireNoneDue(t, s, noon.Add(time.Hour-time.Microsecond))
	update(t, s, id, func(o *account.Organisation) { o.Billing.CheckAt = noon.Add(time.Minute) })
	got, err := s.ClaimCheck(t.Context(), noon.Add(time.Minute), noon.Add(time.Hour))
	require.NoError(t, err)
	require.Equal(t, id, got)
	update(t, s, id, func(o *account.Organisation) { o.Billing.CheckAt = time.Time{} })
	requireNoneDue(t, s, noon.AddDate(10, 0, 0))
}

func checksInOrder(t *testing.T, h Harness) {
	s := h.Open(t)
	third := due(t, s, "a", noon.Add(2*time.Second))
	first := due(t, s, "b", noon)
	second := due(t, s, "c", noon.Add(time.Second))
	for _, want := range []string{first, second, third} {
		got, err := s.ClaimCheck(t.Context(), noon.Add(time.Minute), noon.Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	requireNoneDue(t, s, noon.Add(time.Minute))
}

// checkRace has everybody claim until nothing is left.
func checkRace(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	var want []string
	for i := range workers {
		want = append(want, due(t, s, fmt.Sprintf("%03d", i), noon))
	}
	got := make([][]string, workers)
	race(func(worker int) { got[worker] = claimAllChecks(t, doors[worker%len(doors)]) })
	all := slices.Concat(got...)
	slices.Sort(all)
	require.Equal(t, want, all)
}

func claimAllChecks(t *testing.T, s storage.Store) []string {
	var mine []string
	for {
		id, err := s.ClaimCheck(t.Context(), noon.Add(time.Minute), noon.Add(time.Hour))
		if fault.Is(err, fault.NotFound) || !assert.NoError(t, err) {
			return mine
		}
		mine = append(mine, id)
	}
}
