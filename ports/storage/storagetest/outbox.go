package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// posted puts an email into the outbox at the instant; the recipient tells emails apart.
func posted(t *testing.T, s storage.Store, userID, to string, now time.Time) {
	t.Helper()
	v := account.Verification{TokenHash: "hash for " + to, UserID: userID, ExpiresAt: now.Add(time.Hour)}
	require.NoError(t, s.AddVerification(t.Context(), v, message(to), now))
}

// emptied is a store with a user and an outbox with nothing in it.
func emptied(t *testing.T, h Harness) (s storage.Store, userID string) {
	t.Helper()
	s = h.Open(t)
	in := signedUp(t, s, "ada")
	for _, l := range claim(t, s, noon, 10) {
		require.NoError(t, s.FinishEmail(t.Context(), l.ID))
	}
	return s, in.User.ID
}

func emailIsDue(t *testing.T, h Harness) {
	for _, instant := range uneven() {
		s, user := emptied(t, h)
		posted(t, s, user, "a", instant)
		require.Empty(t, claim(t, s, instant.Add(-time.Microsecond), 10))
		require.Equal(t, []string{"a"}, recipients(claim(t, s, instant, 10)))
	}
}

// emailIsHidden counts the deliveries that were tried, and brings the email back when nobody
// says what became of it.
func emailIsHidden(t *testing.T, h Harness) {
	s, user := emptied(t, h)
	posted(t, s, user, "a", noon)
	now := noon
	for attempt := 1; attempt <= 3; attempt++ {
		emails, err := s.ClaimEmails(t.Context(), now, now.Add(time.Minute), 10)
		require.NoError(t, err)
		require.Len(t, emails, 1)
		require.Equal(t, attempt, emails[0].Attempts)
		require.NotEmpty(t, emails[0].ID)
		require.Empty(t, claim(t, s, now.Add(time.Minute-time.Microsecond), 10))
		now = now.Add(time.Minute)
	}
}

// emailsInOrder posts emails out of their order, two of them at the same instant, and wants
// the limit kept.
func emailsInOrder(t *testing.T, h Harness) {
	s, user := emptied(t, h)
	posted(t, s, user, "third", noon.Add(2*time.Second))
	posted(t, s, user, "first", noon)
	posted(t, s, user, "second", noon.Add(time.Second))
	posted(t, s, user, "fourth", noon.Add(2*time.Second))
	now := noon.Add(time.Minute)
	require.Empty(t, claim(t, s, now, 0))
	require.Equal(t, []string{"first"}, recipients(claim(t, s, now, 1)))
	require.Equal(t, []string{"second", "third"}, recipients(claim(t, s, now, 2)))
	require.Equal(t, []string{"fourth"}, recipients(claim(t, s, now, 10)))
	require.Equal(t, []string{"first", "second", "third", "fourth"}, recipients(claim(t, s, now.Add(time.Hour), 10)))
}

func emailIsPostponed(t *testing.T, h Harness) {
	s, user := emptied(t, h)
	posted(t, s, user, "a", noon)
	posted(t, s, user, "b", noon)
	a := claim(t, s, noon, 1)[0]
	require.NoError(t, s.PostponeEmail(t.Context(), a.ID, noon.Add(time.Minute)))
	require.Equal(t, []string{"b"}, recipients(claim(t, s, noon.Add(59*time.Second), 10)))
	again := claim(t, s, noon.Add(time.Minute), 10)
	require.Equal(t, []string{"a"}, recipients(again))
	require.Equal(t, a.ID, again[0].ID)
	require.Equal(t, 2, again[0].Attempts)
}

// emailIsFinished wants an email that is gone to be harmless: two deliveries may overlap.
func emailIsFinished(t *testing.T, h Harness) {
	s, user := emptied(t, h)
	posted(t, s, user, "a", noon)
	posted(t, s, user, "b", noon)
	a := claim(t, s, noon, 1)[0]
	require.NoError(t, s.FinishEmail(t.Context(), a.ID))
	require.NoError(t, s.FinishEmail(t.Context(), a.ID))
	require.NoError(t, s.PostponeEmail(t.Context(), a.ID, noon))
	require.Equal(t, []string{"b"}, recipients(claim(t, s, noon.Add(24*time.Hour), 10)))
	require.NotEqual(t, fault.Internal, fault.CodeOf(s.FinishEmail(t.Context(), "no id of ours")))
}
