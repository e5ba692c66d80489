package members_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/members"
	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
)

func TestInviteMember_NotifiesTheOtherOwners(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	ben := env.Member(owner, "ben", account.Owner)
	env.Member(owner, "kim", account.BillingMember)
	before := map[string]int{"ann@example.com": len(subjects(env, "ann@example.com")), "kim@example.com": len(subjects(env, "kim@example.com"))}

	invite(t, env, owner, "sam@example.com", account.ReadingMember)

	assert.Equal(t, "sam@example.com was invited to Practice of ann", subjects(env, "ben@example.com")[0])
	for address, count := range before {
		assert.Len(t, subjects(env, address), count, address)
	}
	ben.AuthenticatedAt = env.Clock.Now()
	require.NoError(t, env.App.ResendInvitation.Do(t.Context(), ben.Identity, "sam@example.com"))
	assert.Len(t, subjects(env, "ann@example.com"), before["ann@example.com"], "the owners know the invitation")
}

func TestDelivery_OmitsInvitationsThatWereRevokedReplacedOrAccepted(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	for _, address := range []string{"sam@example.com", "eve@example.com"} {
		require.NoError(t, env.App.InviteMember.Do(t.Context(), owner.Identity, address, account.ReadingMember))
	}
	require.NoError(t, env.App.RevokeInvitation.Do(t.Context(), owner.Identity, "sam@example.com"))
	require.NoError(t, env.App.ResendInvitation.Do(t.Context(), owner.Identity, "eve@example.com"))

	assert.Empty(t, subjects(env, "sam@example.com"))
	assert.Len(t, subjects(env, "eve@example.com"), 1, "only the link that works")

	require.NoError(t, env.App.InviteMember.Do(t.Context(), owner.Identity, "sam@example.com", account.ReadingMember))
	token := env.InvitationToken("sam@example.com")
	require.NoError(t, env.App.ResendInvitation.Do(t.Context(), owner.Identity, "eve@example.com"))
	_, err := env.App.AcceptInvitation.Do(t.Context(), token, person)
	require.NoError(t, err)
	assert.Len(t, subjects(env, "sam@example.com"), 1)
}

func TestDelivery_OmitsTheInvitationOfAnOwnerWhoWasRemoved(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	ben := env.Member(owner, "ben", account.Owner)
	require.NoError(t, env.App.InviteMember.Do(t.Context(), ben.Identity, "sam@example.com", account.Owner))
	owner.AuthenticatedAt = env.Clock.Now()
	require.NoError(t, env.App.RemoveMember.Do(t.Context(), owner.Identity, ben.UserID))

	assert.Empty(t, subjects(env, "sam@example.com"))
}

func TestDelivery_OmitsEmailsForARoleThatChangedAgain(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	ben := env.Member(owner, "ben", account.Owner)
	sam := env.Member(owner, "sam", account.ReadingMember)
	owner.AuthenticatedAt = env.Clock.Now()
	countOfBen, countOfSam := len(subjects(env, "ben@example.com")), len(subjects(env, "sam@example.com"))

	require.NoError(t, env.App.ChangeRole.Do(t.Context(), owner.Identity, sam.UserID, account.Owner))
	require.NoError(t, env.App.ChangeRole.Do(t.Context(), owner.Identity, ben.UserID, account.BillingMember))
	require.NoError(t, env.App.ChangeRole.Do(t.Context(), owner.Identity, sam.UserID, account.BillingMember))

	assert.Len(t, subjects(env, "ben@example.com"), countOfBen+1)
	assert.Equal(t, "Your role is now Billing", subjects(env, "ben@example.com")[0], "not that Sam was an owner")
	assert.Len(t, subjects(env, "sam@example.com"), countOfSam+1)
	assert.Equal(t, "Your role is now Billing", subjects(env, "sam@example.com")[0], "not that Ben was demoted")
}

func TestDelivery_SendsARemovedMemberOnlyThatTheAccessEnded(t *testing.T) {
	env := apptest.New(t)
	owner, ben := env.SignUp("ann"), env.SignUp("ben")
	token := invite(t, env, owner, "ben@example.com", account.Owner)
	signIn(t, env, "ben@example.com", "")
	_, err := env.App.AcceptInvitation.Do(t.Context(), token, members.NewPerson{})
	require.NoError(t, err)
	before := len(subjects(env, "ben@example.com"))
	owner.AuthenticatedAt = env.Clock.Now()

	require.NoError(t, env.App.InviteMember.Do(t.Context(), owner.Identity, "sam@example.com", account.Owner))
	require.NoError(t, env.App.ChangeRole.Do(t.Context(), owner.Identity, ben.UserID, account.BillingMember))
	require.NoError(t, env.App.RemoveMember.Do(t.Context(), owner.Identity, ben.UserID))

	assert.Len(t, subjects(env, "ben@example.com"), before+1)
	assert.Equal(t, "You no longer have access to Practice of ann", subjects(env, "ben@example.com")[0])
}

func TestDelivery_OmitsTheLinkOfACanceledEmailChangeAndOfAVoidReset(t *testing.T) {
	env := apptest.New(t)
	owner := env.SignUp("ann")
	before := subjects(env, "ann@example.com")
	require.NoError(t, env.App.RequestEmailChange.Do(t.Context(), owner.Identity, "new@example.com"))
	require.NoError(t, env.App.CancelEmailChange.Do(t.Context(), owner.Identity))
	require.NoError(t, env.App.ForgotPassword.Do(t.Context(), "ann@example.com", nil))
	_, err := env.App.SendRequestedEmails.Do(t.Context())
	require.NoError(t, err)
	caller := signIn(t, env, "ann@example.com", "")
	old := apptest.Registration("any").Password
	change := security.PasswordChange{Current: old, Password: "Harbour7lantern", Repeat: "Harbour7lantern"}
	_, err = env.App.ChangePassword.Do(t.Context(), caller, change)
	require.NoError(t, err)

	assert.Empty(t, subjects(env, "new@example.com"))
	got := subjects(env, "ann@example.com")
	assert.NotContains(t, got[:len(got)-len(before)], "Choose a new password for Vision", "%v", got)
	require.NoError(t, env.App.SignIn.Do(t.Context(), accounts.Login{Email: "ann@example.com", Password: "Harbour7lantern"},
		func(account.User) bool { return true }))
}
