package storagetest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var userScenarios = []scenario{
	{"an unknown user is NotFound", testUnknownUser},
	{"UserByEmail ignores case and spaces", testUserByEmail},
	{"UserWithOrganisation returns the user and the organisation with all subscriptions", testUserWithOrganisation},
	{"UpdateUser stores the mutable fields", testUpdateUser},
	{"UpdateUser stores nothing if the callback fails or panics", testUpdateUserRollsBack},
	{"concurrent user updates are all stored", testConcurrentUserUpdates},
	{"CreateSignUp makes the user an owner", testMemberships},
	{"UseMembership changes the time of the last use", testUseMembership},
	{"RecordSignIn stores the user and queues the email", testRecordSignIn},
	{"RecordSignIn stores nothing if the callback fails", testRecordSignInRollsBack},
}

func testUnknownUser(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	_, err := s.User(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
	_, err = s.UserByEmail(t.Context(), "unknown@example.test")
	requireFault(t, fault.NotFound, err)
	_, _, err = s.UserWithOrganisation(t.Context(), "unknown", "organisation-ada")
	requireFault(t, fault.NotFound, err)
	_, err = s.UpdateUser(t.Context(), "unknown", func(*account.User) error {
		t.Error("change was called")
		return nil
	})
	requireFault(t, fault.NotFound, err)
}

func testUserByEmail(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "other")
	want := storeSignUp(t, s, "ada").User
	for _, email := range []string{"ada@example.test", "ADA@Example.Test", " \tada@example.test\n"} {
		foundUser, err := s.UserByEmail(t.Context(), email)
		require.NoError(t, err)
		require.Equal(t, want, foundUser)
	}
}

func testUserWithOrganisation(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "other")
	signUp := storeSignUp(t, s, "ada")
	org := fullOrganisation(signUp.Organisation)
	for _, subscriptions := range [][]billing.Subscription{
		nil,
		{newSubscription("only", billing.Active, noon)},
		{newSubscription("new", billing.Active, noon.Add(time.Hour)), newSubscription("a", billing.Canceled, noon),
			newSubscription("z", billing.Canceled, noon)},
	} {
		org.Billing.Subscriptions = subscriptions
		updateOrganisation(t, s, org.ID, func(o *account.Organisation) { *o = org })

		storedUser, storedOrg, err := s.UserWithOrganisation(t.Context(), signUp.User.ID, signUp.Organisation.ID)

		require.NoError(t, err)
		require.Equal(t, signUp.User, storedUser)
		require.Equal(t, org, storedOrg)
	}

	_, _, err := s.UserWithOrganisation(t.Context(), signUp.User.ID, "organisation-other")
	requireFault(t, fault.NotFound, err)

	require.NoError(t, s.MarkUnreachable(t.Context(), signUp.Organisation.ID, "other@example.test", noon))
	requireEmailUnreachable(t, s, signUp.User.ID, false)
	require.NoError(t, s.MarkUnreachable(t.Context(), signUp.Organisation.ID, account.EmailKey(signUp.User.Email), noon))
	requireEmailUnreachable(t, s, signUp.User.ID, true)
}

func requireEmailUnreachable(t *testing.T, s storage.Store, userID string, want bool) {
	t.Helper()
	user, _, err := s.UserWithOrganisation(t.Context(), userID, "organisation-ada")
	require.NoError(t, err)
	require.Equal(t, want, user.EmailUnreachable)
}

func testMemberships(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "other")
	signUp := storeSignUp(t, s, "ada")
	memberships, err := s.Memberships(t.Context(), signUp.User.ID)
	require.NoError(t, err)
	require.Equal(t, []account.Membership{{
		UserID: signUp.User.ID, OrganisationID: signUp.Organisation.ID, OrganisationName: signUp.Organisation.Name,
		Role: account.Owner, JoinedAt: noon, LastUsedAt: noon,
	}}, memberships)
	memberships, err = s.Memberships(t.Context(), "unknown")
	require.NoError(t, err)
	require.Empty(t, memberships)
}

func testUseMembership(t *testing.T, h Harness) {
	s := h.Open(t)
	other, signUp := storeSignUp(t, s, "other"), storeSignUp(t, s, "ada")
	require.NoError(t, s.UseMembership(t.Context(), signUp.User.ID, signUp.Organisation.ID, noon.Add(time.Hour)))
	memberships, err := s.Memberships(t.Context(), signUp.User.ID)
	require.NoError(t, err)
	require.Equal(t, noon.Add(time.Hour), memberships[0].LastUsedAt)
	requireFault(t, fault.NotFound, s.UseMembership(t.Context(), signUp.User.ID, other.Organisation.ID, noon))
}

func testUpdateUser(t *testing.T, h Harness) {
	s := h.Open(t)
	otherUser, want := storeSignUp(t, s, "other").User, storeSignUp(t, s, "ada").User
	want.FirstName, want.LastName, want.PasswordHash, want.VerifiedAt = "Zoë", "Łuk", "hash", time.Time{}
	updatedUser, err := s.UpdateUser(t.Context(), want.ID, func(u *account.User) error {
		*u = want
		u.ID, u.OrganisationID, u.Email, u.CreatedAt = "x", otherUser.OrganisationID, "x@example.test", noon.Add(time.Hour)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, want, updatedUser)
	requireUser(t, s, want)
	requireUser(t, s, otherUser)
}

func testUpdateUserRollsBack(t *testing.T, h Harness) {
	s := h.Open(t)
	want := storeSignUp(t, s, "ada").User
	errRefused := errors.New("no")
	_, err := s.UpdateUser(t.Context(), want.ID, func(u *account.User) error {
		u.FirstName = "changed"
		return errRefused
	})
	require.Same(t, errRefused, err)
	require.Panics(t, func() {
		_, _ = s.UpdateUser(t.Context(), want.ID, func(u *account.User) error {
			u.FirstName = "changed"
			panic("panic in change")
		})
	})
	requireUser(t, s, want)
}

func testConcurrentUserUpdates(t *testing.T, h Harness) {
	s := h.Open(t)
	want := storeSignUp(t, s, "ada").User
	verifiedAt := want.VerifiedAt
	h.runConcurrently(t, s, func(_ int, store storage.Store) {
		_, err := store.UpdateUser(t.Context(), want.ID, func(u *account.User) error {
			u.VerifiedAt = u.VerifiedAt.Add(time.Microsecond)
			return nil
		})
		assert.NoError(t, err)
	})
	want.VerifiedAt = verifiedAt.Add(workers * time.Microsecond)
	requireUser(t, s, want)
}

func testRecordSignIn(t *testing.T, h Harness) {
	s := h.Open(t)
	want := storeSignUp(t, s, "ada").User
	claimEmails(t, s, noon, 10)
	firstSignInAt := noon.Add(2 * time.Hour)
	for _, email := range []*mail.Message{nil, new(newMessage("notice@example.test"))} {
		require.NoError(t, s.RecordSignIn(t.Context(), want.ID, account.SignInEntry(want, true, "password"), noon, func(u *account.User) (*mail.Message, error) {
			u.FirstSignInAt = firstSignInAt
			return email, nil
		}))
	}
	want.FirstSignInAt = firstSignInAt
	requireUser(t, s, want)
	require.Equal(t, []string{"notice@example.test"}, recipients(claimEmails(t, s, noon, 10)))
	err := s.RecordSignIn(t.Context(), "unknown", account.SignInEntry(account.User{ID: "unknown"}, true), noon, func(*account.User) (*mail.Message, error) {
		t.Error("change was called")
		return nil, nil //nolint:nilnil // not reached
	})
	requireFault(t, fault.NotFound, err)
}

func testRecordSignInRollsBack(t *testing.T, h Harness) {
	s := h.Open(t)
	want := storeSignUp(t, s, "ada").User
	claimEmails(t, s, noon, 10)
	errRefused := errors.New("refused")
	err := s.RecordSignIn(t.Context(), want.ID, account.SignInEntry(want, true), noon, func(u *account.User) (*mail.Message, error) {
		u.FirstSignInAt = time.Time{}
		return new(newMessage("notice@example.test")), errRefused
	})
	require.ErrorIs(t, err, errRefused)
	requireUser(t, s, want)
	require.Empty(t, claimEmails(t, s, noon, 10))
}
