package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

func newEmailChange(token, userID string) *account.EmailChange {
	return &account.EmailChange{TokenHash: token, UserID: userID, Email: "new@example.test", ExpiresAt: noon.Add(time.Hour)}
}

func newUndo(token, userID string) account.Undo {
	return account.Undo{
		TokenHash: token, UserID: userID, Email: "old@example.test", Revision: 1 << 40,
		CreatedAt: noon.Add(-time.Minute), ExpiresAt: noon.Add(time.Hour),
	}
}

// setEmail changes the email of a user.
func setEmail(t *testing.T, s storage.Store, userID, email string) error {
	t.Helper()
	_, err := s.UpdateCredentials(t.Context(), userID, noon, changeCredentials(func(c *account.Credentials) {
		c.User.Email = email
		c.User.SecurityRevision++
	}))
	return err
}

func testEmailLinks(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	deleteEmails(t, s)
	user, err := s.User(t.Context(), userID)
	require.NoError(t, err)
	want := account.Credentials{
		User: user, EmailChange: newEmailChange("change", userID), Undos: []account.Undo{newUndo("one", userID), newUndo("two", userID)},
	}
	requireNoZeroFields(t, *want.EmailChange)
	requireNoZeroFields(t, want.Undos[0])
	_, err = s.UpdateCredentials(t.Context(), userID, noon, func(c *account.Credentials) (storage.CredentialsEffects, error) {
		*c = want
		link := storage.LinkEmail{Email: newMessage("new@example.test"), TokenHash: "change", ExpiresAt: noon.Add(time.Hour)}
		return storage.CredentialsEffects{LinkEmail: &link}, nil
	})
	require.NoError(t, err)
	requireCredentials(t, s, want)
	change, err := s.EmailChange(t.Context(), "change")
	require.NoError(t, err)
	require.Equal(t, *want.EmailChange, change)
	undo, err := s.Undo(t.Context(), "two")
	require.NoError(t, err)
	require.Equal(t, want.Undos[1], undo)
	emails := claimEmails(t, s, noon, 10)
	require.Equal(t, []string{"new@example.test"}, recipients(emails))
	require.Equal(t, noon.Add(time.Hour), emails[0].ExpiresAt)
	require.Equal(t, storage.EmailCondition{LinkHash: "change"}, emails[0].Condition)
	hasLink, err := s.HasLink(t.Context(), "change")
	require.NoError(t, err)
	require.True(t, hasLink)

	want.EmailChange, want.Undos = newEmailChange("another", userID), want.Undos[1:]
	_, err = s.UpdateCredentials(t.Context(), userID, noon, changeCredentials(func(c *account.Credentials) { *c = want }))
	require.NoError(t, err)
	requireCredentials(t, s, want)
	_, err = s.EmailChange(t.Context(), "change")
	requireFault(t, fault.NotFound, err)
	hasLink, err = s.HasLink(t.Context(), "change")
	require.NoError(t, err)
	require.False(t, hasLink)
	_, err = s.Undo(t.Context(), "one")
	requireFault(t, fault.NotFound, err)

	_, err = s.UpdateCredentials(t.Context(), userID, noon, changeCredentials(func(c *account.Credentials) { c.EmailChange = nil }))
	require.NoError(t, err)
	want.EmailChange = nil
	requireCredentials(t, s, want)
}

// addEmailLinks stores an email change and an undo link of the user.
func addEmailLinks(t *testing.T, s storage.Store, userID string) {
	t.Helper()
	_, err := s.UpdateCredentials(t.Context(), userID, noon, changeCredentials(func(c *account.Credentials) {
		c.EmailChange, c.Undos = newEmailChange("change of "+userID, userID), []account.Undo{newUndo("undo of "+userID, userID)}
	}))
	require.NoError(t, err)
}

func testEmailLinksOfRaisedRevision(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	addEmailLinks(t, s, userID)
	user, err := s.UpdateCredentials(t.Context(), userID, noon, changeCredentials(func(c *account.Credentials) { c.User.SecurityRevision++ }))
	require.NoError(t, err)
	requireCredentials(t, s, account.Credentials{User: user, Undos: []account.Undo{newUndo("undo of "+userID, userID)}})
}

func testUpdateCredentialsChangesEmail(t *testing.T, h Harness) {
	s := h.Open(t)
	ada, ben := storeSignUp(t, s, "ada").User, storeSignUp(t, s, "ben").User
	join(t, s, ada, "ben", account.BillingMember)
	join(t, s, ben, "ada", account.Owner)
	_, err := s.UpdateOrganisation(t.Context(), "organisation-ada", func(o *account.Organisation) error {
		o.Billing.SetCustomer("customer", noon.Add(-time.Hour))
		return nil
	})
	require.NoError(t, err)

	require.NoError(t, setEmail(t, s, ada.ID, "Ada@new.example.test"))
	user, err := s.UserByEmail(t.Context(), "ada@new.example.test")
	require.NoError(t, err)
	ada.Email, ada.SecurityRevision = "Ada@new.example.test", ada.SecurityRevision+1
	require.Equal(t, ada.ID, user.ID)
	require.Equal(t, ada.Email, user.Email)
	requireContacts(t, s, ada.Email, ada.Email, ben.Email)
	org, err := s.Organisation(t.Context(), "organisation-ada")
	require.NoError(t, err)
	require.Equal(t, noon, org.Billing.CheckAt, "the check sends the contact email to the provider")
	org, err = s.Organisation(t.Context(), "organisation-ben")
	require.NoError(t, err)
	require.Equal(t, ben.Email, org.ContactEmail)
	require.Equal(t, []string{ben.Email, ada.Email}, org.MemberEmails)
	require.Zero(t, org.Billing.CheckAt, "without a customer there is nothing to send")
	require.NoError(t, s.CheckAvailable(t.Context(), "another", "ada@example.test"), "the previous address is free again")
}

func testUpdateCredentialsEmailIsTaken(t *testing.T, h Harness) {
	s := h.Open(t)
	ada := storeSignUp(t, s, "ada").User
	storeSignUp(t, s, "ben")
	eve := newSignUp("eve")
	eve.User.VerifiedAt = time.Time{}
	require.NoError(t, s.CreateSignUp(t.Context(), eve))

	requireDuplicate(t, setEmail(t, s, ada.ID, "BEN@example.test"), "email")
	requireUser(t, s, ada)
	requireContacts(t, s, ada.Email, ada.Email)
	require.NoError(t, setEmail(t, s, ada.ID, eve.User.Email), "an unverified registration reserves nothing")
}

func testEmailLinksOfDeletedUser(t *testing.T, h Harness) {
	s := h.Open(t)
	storeSignUp(t, s, "ada")
	sam := addNewMember(t, s, account.ReadingMember)
	addEmailLinks(t, s, sam.ID)
	require.NoError(t, updateTeam(t.Context(), s, "ada", func(team *account.Team) error { return team.Remove("user-ada", sam.ID) }))
	_, err := s.EmailChange(t.Context(), "change of "+sam.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.Undo(t.Context(), "undo of "+sam.ID)
	requireFault(t, fault.NotFound, err)
}

func testSweepEmailLinks(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	addEmailLinks(t, s, userID)
	latest := noon.Add(time.Minute)
	require.NoError(t, s.SweepEmailChanges(t.Context(), noon, latest))
	require.NoError(t, s.SweepUndos(t.Context(), noon, latest))
	credentials, err := s.Credentials(t.Context(), userID)
	require.NoError(t, err)
	require.Equal(t, latest, credentials.EmailChange.ExpiresAt, "an expiry that is too late is limited")
	require.Equal(t, latest, credentials.Undos[0].ExpiresAt)

	require.NoError(t, s.SweepEmailChanges(t.Context(), latest.Add(time.Second), latest))
	require.NoError(t, s.SweepUndos(t.Context(), latest.Add(time.Second), latest))
	credentials, err = s.Credentials(t.Context(), userID)
	require.NoError(t, err)
	require.Nil(t, credentials.EmailChange)
	require.Empty(t, credentials.Undos)
}

func testConcurrentEmailChanges(t *testing.T, h Harness) {
	s := h.Open(t)
	ada, ben := storeSignUp(t, s, "ada").User, storeSignUp(t, s, "ben").User
	join(t, s, ada, "ben", account.Owner)
	join(t, s, ben, "ada", account.Owner)
	requireOneSucceeds(t, fault.Duplicate, runBoth(
		func() error { return setEmail(t, s, ada.ID, "same@example.test") },
		func() error { return setEmail(t, s, ben.ID, "same@example.test") },
	))
}

// testEmailChangeDuringJoin makes a user join another organisation, with the address that was read before.
func testEmailChangeDuringJoin(t *testing.T, h Harness) {
	s := h.Open(t)
	ada := storeSignUp(t, s, "ada").User
	storeSignUp(t, s, "ben")
	hash := invite(t, s, "ben", account.Owner, ada.Email)
	errs := runBoth(
		func() error { return setEmail(t, s, ada.ID, "new@example.test") },
		func() error {
			return updateTeam(t.Context(), s, "ben", func(team *account.Team) error { return team.Accept(hash, ada, noon.Add(time.Hour)) })
		},
	)
	require.NoError(t, errs[0])
	require.NoError(t, errs[1])
	org, err := s.Organisation(t.Context(), "organisation-ben")
	require.NoError(t, err)
	assert.Equal(t, []string{"ben@example.test", "new@example.test"}, org.MemberEmails)
	requireContacts(t, s, "new@example.test", "new@example.test")
}
