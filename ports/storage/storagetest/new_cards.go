package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

func newCard(id, organisationID string, at time.Time) billing.NewCard {
	return billing.NewCard{
		ID: id, OrganisationID: organisationID, FormerDefault: "former of " + id, NotedAt: at, CheckAt: at.Add(time.Hour),
	}
}

func note(t *testing.T, s storage.Store, c billing.NewCard) billing.NewCard {
	t.Helper()
	require.NoError(t, s.NoteNewCard(t.Context(), c))
	return c
}

func requireNewCards(t *testing.T, s storage.Store, organisationID string, want ...billing.NewCard) {
	t.Helper()
	got, err := s.NewCards(t.Context(), organisationID)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func newCardsAreNoted(t *testing.T, h Harness) {
	s := h.Open(t)
	org, other := signedUp(t, s, "ada").Organisation.ID, signedUp(t, s, "other").Organisation.ID
	requireNewCards(t, s, org)
	newer := note(t, s, newCard("pm_2", org, noon.Add(time.Microsecond)))
	older := note(t, s, newCard("pm_1", org, noon))
	first := newCard("pm_3", org, noon.Add(time.Minute))
	first.FormerDefault = ""
	note(t, s, first)
	note(t, s, newCard("pm_1", other, noon))

	again := newCard("pm_1", org, noon.Add(time.Hour))
	again.FormerDefault = "pm_1"
	note(t, s, again)

	requireNewCards(t, s, org, older, newer, first)
	requireFault(t, fault.NotFound, s.NoteNewCard(t.Context(), newCard("pm_1", "nobody", noon)))
}

func newCardIsForgotten(t *testing.T, h Harness) {
	s := h.Open(t)
	org, other := signedUp(t, s, "ada").Organisation.ID, signedUp(t, s, "other").Organisation.ID
	note(t, s, newCard("pm_1", org, noon))
	kept, theirs := note(t, s, newCard("pm_2", org, noon)), note(t, s, newCard("pm_1", other, noon))

	require.NoError(t, s.ForgetNewCard(t.Context(), org, "pm_1"))
	require.NoError(t, s.ForgetNewCard(t.Context(), org, "pm_1"))

	requireNewCards(t, s, org, kept)
	requireNewCards(t, s, other, theirs)
}

func newCardsAreClaimed(t *testing.T, h Harness) {
	s := h.Open(t)
	org, other := signedUp(t, s, "ada").Organisation.ID, signedUp(t, s, "other").Organisation.ID
	due := noon.Add(time.Hour)
	note(t, s, newCard("pm_1", org, noon.Add(time.Second)))
	note(t, s, newCard("pm_2", other, noon))
	note(t, s, newCard("pm_3", other, noon.Add(time.Millisecond)))

	_, err := s.ClaimNewCards(t.Context(), due.Add(-time.Microsecond), due)
	requireFault(t, fault.NotFound, err)
	for _, want := range []string{other, org} {
		got, err := s.ClaimNewCards(t.Context(), due.Add(time.Minute), due.Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err = s.ClaimNewCards(t.Context(), due.Add(time.Hour-time.Microsecond), due)
	requireFault(t, fault.NotFound, err)
	_, err = s.ClaimNewCards(t.Context(), due.Add(time.Hour), due.Add(2*time.Hour))
	require.NoError(t, err)
}
