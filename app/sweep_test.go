package app_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

func TestSweep_DeletesExpiredRegistrations(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	f.DeliverEmails(f.UseCases)
	require.NoError(t, f.Sweep.Do(t.Context()))
	_, err := f.Store.User(t.Context(), user.ID)
	require.NoError(t, err)
	f.Advance(account.VerificationLifetime + time.Second)
	require.NoError(t, f.Sweep.Do(t.Context()))
	_, err = f.Store.User(t.Context(), user.ID)
	assertCode(t, fault.NotFound, err)
}

func TestSweep_DeletesEventsOlderThan60Days(t *testing.T) {
	f := newFixture(t)
	record := func(id string) error {
		return f.Store.RecordEvent(t.Context(), storage.ReceivedEvent{ID: id, Outcome: storage.EventApplied, ReceivedAt: f.Clock.Now()})
	}
	for i := range 101 {
		require.NoError(t, record(fmt.Sprint("old ", i)))
	}
	f.Advance(60 * day)
	require.NoError(t, record("new"))
	f.Advance(time.Second)
	require.NoError(t, f.Sweep.Do(t.Context()))
	for id, want := range map[string]bool{"old 0": false, "old 100": false, "new": true} {
		isHandled, err := f.Store.EventHandled(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, want, isHandled, id)
	}
}

func TestSweep_DeletesOldOperationsCommentsAndTrialCards(t *testing.T) {
	f := newFixture(t)
	user := f.Env.SignUp("ann")
	user.Subscribe(apptest.Visa, apptest.StandardMonthly)
	orgID := user.Organisation().ID
	require.NoError(t, f.Store.RecordEndFeedback(t.Context(), billing.EndFeedback{
		OrganisationID: orgID, SubscriptionID: "sub", RequestedAt: f.Clock.Now(), Reason: billing.OtherReason, Comment: "comment",
	}))
	card := storage.TrialCard{Card: "card", OrganisationID: orgID, At: f.Clock.Now()}
	require.NoError(t, f.Store.ClaimTrialCard(t.Context(), card, func([]storage.TrialCard) error { return nil }))
	requireKept := func(operations bool, comment string, cards int) {
		require.NoError(t, f.Sweep.Do(t.Context()))
		var count int
		require.NoError(t, f.Store.Pools()["reads"].QueryRow("SELECT COUNT(*) FROM operations").Scan(&count))
		assert.Equal(t, operations, count > 0)
		feedback, err := f.Store.EndFeedback(t.Context(), orgID)
		require.NoError(t, err)
		assert.Equal(t, comment, feedback[0].Comment)
		require.NoError(t, f.Store.Pools()["reads"].QueryRow("SELECT COUNT(*) FROM trial_cards WHERE card = 'card'").Scan(&count))
		assert.Equal(t, cards, count)
	}
	f.Advance(400*day - time.Second)
	requireKept(true, "comment", 1)
	f.Advance(2 * time.Second)
	requireKept(false, "comment", 1)
	f.Advance(330*day - 2*time.Second)
	requireKept(false, "comment", 1)
	f.Advance(2 * time.Second)
	requireKept(false, "", 0)
}

// TestSweep_KeepsUsedChallengesForServersWhoseClocksAreLate uses the same challenge again after a sweep.
func TestSweep_KeepsUsedChallengesForServersWhoseClocksAreLate(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	useChallenge := func() error {
		_, err := f.Store.UpdateCredentials(t.Context(), user.ID, f.Clock.Now(),
			func(*account.Credentials) (storage.CredentialsEffects, error) {
				return storage.CredentialsEffects{Challenge: &account.UsedChallenge{Hash: "hash", ExpiresAt: f.Clock.Now()}}, nil
			})
		return err
	}
	require.NoError(t, useChallenge())
	f.Advance(time.Hour - time.Second)
	require.NoError(t, f.Sweep.Do(t.Context()))
	assertCode(t, fault.Conflict, useChallenge())
	f.Advance(2 * time.Second)
	require.NoError(t, f.Sweep.Do(t.Context()))
	assert.NoError(t, useChallenge())
}

func TestSweep_ShortensTokensThatWereIssuedByAWrongClock(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	farAhead := f.Clock.Now().AddDate(1, 0, 0)
	require.NoError(t, f.Store.AddPasswordReset(t.Context(),
		account.PasswordReset{TokenHash: "reset", UserID: user.ID, ExpiresAt: farAhead}, mail.Message{}, f.Clock.Now()))
	require.NoError(t, f.Store.AddVerification(t.Context(),
		account.Verification{TokenHash: "verification", UserID: user.ID, ExpiresAt: farAhead}, mail.Message{}, f.Clock.Now()))

	_, err := f.Store.UpdateCredentials(t.Context(), user.ID, f.Clock.Now(),
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			c.EmailChange = &account.EmailChange{TokenHash: "change", UserID: user.ID, Email: "new@example.com", ExpiresAt: farAhead}
			c.Undos = []account.Undo{{TokenHash: "undo", UserID: user.ID, CreatedAt: f.Clock.Now(), ExpiresAt: farAhead}}
			return storage.CredentialsEffects{}, nil
		})
	require.NoError(t, err)

	require.NoError(t, f.Sweep.Do(t.Context()))

	change, err := f.Store.EmailChange(t.Context(), "change")
	require.NoError(t, err)
	assert.Equal(t, f.Clock.Now().Add(account.EmailChangeLifetime), change.ExpiresAt)
	undo, err := f.Store.Undo(t.Context(), "undo")
	require.NoError(t, err)
	assert.Equal(t, f.Clock.Now().Add(account.UndoLifetime), undo.ExpiresAt)
	reset, err := f.Store.PasswordReset(t.Context(), "reset")
	require.NoError(t, err)
	assert.Equal(t, f.Clock.Now().Add(account.PasswordResetLifetime), reset.ExpiresAt)
	verification, err := f.Store.Verification(t.Context(), "verification")
	require.NoError(t, err)
	assert.Equal(t, f.Clock.Now().Add(account.VerificationLifetime), verification.ExpiresAt)
}
