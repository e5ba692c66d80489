package storagetest

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var trialCardScenarios = []scenario{
	{"ClaimTrialCard reports trials with the card elsewhere", testClaimTrialCard},
	{"one of several concurrent claims of a card sees no other", testConcurrentTrialCards},
	{"SweepTrialCards deletes old cards", testSweepTrialCards},
}

// claim claims a card and returns the trials elsewhere, or nil if check was not called.
func claim(t *testing.T, s storage.Store, card, organisationID string, at time.Time) (elsewhere []storage.TrialCard) {
	t.Helper()
	require.NoError(t, s.ClaimTrialCard(t.Context(), storage.TrialCard{Card: card, OrganisationID: organisationID, At: at},
		func(cards []storage.TrialCard) error {
			elsewhere = cards
			return nil
		}))
	return elsewhere
}

func testClaimTrialCard(t *testing.T, h Harness) {
	s := h.Open(t)
	var ids []string
	for _, name := range []string{"ada", "bob", "cleo"} {
		ids = append(ids, storeSignUp(t, s, name).Organisation.ID)
	}
	assert.Empty(t, claim(t, s, "card", ids[0], noon))
	assert.Empty(t, claim(t, s, "other card", ids[1], noon))
	adas := storage.TrialCard{Card: "card", OrganisationID: ids[0], At: noon}
	bobs := storage.TrialCard{Card: "card", OrganisationID: ids[1], At: noon.Add(time.Hour)}
	assert.Equal(t, []storage.TrialCard{adas}, claim(t, s, "card", ids[1], bobs.At))
	assert.Empty(t, claim(t, s, "card", ids[1], noon.Add(2*time.Hour)), "claimed before")

	err := s.ClaimTrialCard(t.Context(), storage.TrialCard{Card: "card", OrganisationID: ids[2], At: noon},
		func(cards []storage.TrialCard) error {
			assert.Equal(t, []storage.TrialCard{adas, bobs}, cards)
			return assert.AnError
		})
	require.Equal(t, assert.AnError, err)
	requireShared := func(organisationID string, want ...storage.TrialCard) {
		shared, err := s.SharedTrialCards(t.Context(), organisationID)
		require.NoError(t, err)
		require.ElementsMatch(t, want, shared)
	}
	requireShared(ids[0], bobs)
	requireShared(ids[1], adas)
	requireShared(ids[2])

	require.NoError(t, s.ReleaseTrialCard(t.Context(), ids[0], "card"))
	require.NoError(t, s.ReleaseTrialCard(t.Context(), ids[0], "unknown"))
	requireShared(ids[1])
	assert.Equal(t, []storage.TrialCard{bobs}, claim(t, s, "card", ids[2], noon))
	requireFault(t, fault.NotFound, s.ClaimTrialCard(t.Context(), storage.TrialCard{Card: "c", OrganisationID: "unknown", At: noon},
		func([]storage.TrialCard) error { return nil }))
}

func testConcurrentTrialCards(t *testing.T, h Harness) {
	s := h.Open(t)
	ids := make([]string, workers)
	for i := range ids {
		ids[i] = storeSignUp(t, s, string(rune('a'+i))).Organisation.ID
	}
	var claimed atomic.Int32
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		err := store.ClaimTrialCard(t.Context(), storage.TrialCard{Card: "card", OrganisationID: ids[worker], At: noon},
			func(elsewhere []storage.TrialCard) error {
				if len(elsewhere) > 0 {
					return assert.AnError
				}
				return nil
			})
		if err == nil {
			claimed.Add(1)
		} else {
			assert.Equal(t, assert.AnError, err)
		}
	})
	assert.Equal(t, int32(1), claimed.Load())
}

func testSweepTrialCards(t *testing.T, h Harness) {
	s := h.Open(t)
	ada, bob := storeSignUp(t, s, "ada").Organisation.ID, storeSignUp(t, s, "bob").Organisation.ID
	claim(t, s, "old", ada, noon.Add(-time.Microsecond))
	claim(t, s, "new", ada, noon)
	require.NoError(t, s.SweepTrialCards(t.Context(), noon))
	assert.Empty(t, claim(t, s, "old", bob, noon))
	assert.Len(t, claim(t, s, "new", bob, noon), 1)
}
