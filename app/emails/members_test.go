package emails

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/account"
)

var (
	testMemberNotice = MemberNotice{
		Sender: Sender{Brand: "Vision"}, FirstName: "Zoë", Organisation: "Riverside Clinic",
		Link: "https://vision.example/vc-admin/diy/members", At: "5 March 2026 at 10:30 am AEDT",
	}
	samRoe = account.Member{
		Membership: account.Membership{Role: account.BillingMember}, FirstName: "Sam", LastName: "Roe", Email: "sam@example.com",
	}
	adaLee = account.Member{FirstName: "Ada", LastName: "Lee", Email: "ada@example.com"}
)

func TestInvitationEmail_NamesTheOrganisationTheAddressAndTheRole(t *testing.T) {
	i := Invitation{
		Sender: Sender{Brand: "Vision"}, Organisation: "Riverside\n Clinic", Email: "sam@example.com", Role: account.BillingMember,
		Link: "https://vision.example/vc-admin/auth/invitation?token=T", Lifetime: 7 * 24 * time.Hour,
	}
	m := InvitationEmail(i)
	assert.Equal(t, "Riverside Clinic invites you to Vision", m.Subject)
	assertBothPartsContain(t, m, "Riverside Clinic invites sam@example.com to its Vision account as Billing (plan and payments, "+
		"receives billing emails).", "valid for 7 days", i.Link, "ignore this email")

	i.Organisation = ""
	m = InvitationEmail(i)
	assert.Equal(t, "You are invited to Vision", m.Subject)
	assertBothPartsContain(t, m, "A customer of Vision invites sam@example.com to their account.", i.Link)
	assert.NotContains(t, m.Text+m.HTML, "Riverside")
}

func TestCanNameOrganisation_NeedsALicenseAndNoCharactersOfALink(t *testing.T) {
	assert.True(t, CanNameOrganisation("Riverside Clinic", true))
	assert.False(t, CanNameOrganisation("Riverside Clinic", false))
	for _, name := range []string{"win.example", "see win／example", "https:", "Call a@b", "win。example"} {
		assert.False(t, CanNameOrganisation(name, true), name)
	}
}

func TestMemberNotices_SayWhoAndWhatAndWhen(t *testing.T) {
	joined := MemberJoined(testMemberNotice, samRoe)
	assert.Equal(t, "Sam Roe joined Riverside Clinic", joined.Subject)
	assertBothPartsContain(t, joined, "Hello Zoë,", "On 5 March 2026 at 10:30 am AEDT, Sam Roe (sam@example.com) joined the Vision account of "+
		"Riverside Clinic as Billing", testMemberNotice.Link)

	left := MemberLeft(testMemberNotice, account.Member{Email: "sam@example.com"})
	assert.Equal(t, "sam@example.com left Riverside Clinic", left.Subject)

	removed := MemberRemoved(testMemberNotice, samRoe, adaLee)
	assert.Equal(t, "Sam Roe was removed from Riverside Clinic", removed.Subject)
	assertBothPartsContain(t, removed, "Ada Lee (ada@example.com) removed Sam Roe (sam@example.com) from the Vision account")

	owner := samRoe
	owner.Role = account.Owner
	changed := MemberRoleChanged(testMemberNotice, owner, adaLee)
	assert.Equal(t, "Sam Roe is now Owner", changed.Subject)
	assertBothPartsContain(t, changed, "Ada Lee (ada@example.com) changed the role of Sam Roe (sam@example.com)", "to Owner (everything).")

	invited := MemberInvited(testMemberNotice, "new@example.com", account.BillingMember, adaLee)
	assert.Equal(t, "new@example.com was invited to Riverside Clinic", invited.Subject)
	assertBothPartsContain(t, invited, "Ada Lee (ada@example.com) invited new@example.com to the Vision account of Riverside Clinic as Billing")

	assertBothPartsContain(t, OwnerInvitedBySupport(testMemberNotice, "new@example.com"), "our support invited new@example.com")
	assertBothPartsContain(t, MadeOwnerBySupport(testMemberNotice, samRoe), "our support changed the role of Sam Roe (sam@example.com)",
		"to Owner (everything).")
}

func TestRoleChanged_NamesTheRole(t *testing.T) {
	m := RoleChanged(testMemberNotice, account.ReadingMember)
	assert.Equal(t, "Your role is now Member", m.Subject)
	assertBothPartsContain(t, m, "was changed to Member (can look and download invoices).", "ask an owner of Riverside Clinic")
}

func TestAccessRemoved_SaysWhetherTheSignInWasDeleted(t *testing.T) {
	m := AccessRemoved(testMemberNotice, true)
	assert.Equal(t, "You no longer have access to Riverside Clinic", m.Subject)
	assertBothPartsContain(t, m, "Your sign-in was deleted, because it belongs to no other organisation.")
	assert.NotContains(t, m.Text+m.HTML, testMemberNotice.Link, "the recipient can't sign in any more")
	kept := AccessRemoved(testMemberNotice, false)
	assert.NotContains(t, kept.Text, "deleted")
	assertBothPartsContain(t, kept, testMemberNotice.Link)
}

func TestErasureEmails_SayWhatIsDeletedAndWhatIsKept(t *testing.T) {
	requested := ErasureRequested(testMemberNotice, "19 March 2026", "31 December 2036")
	assert.Equal(t, "Your data will be deleted on 19 March 2026", requested.Subject)
	assertBothPartsContain(t, requested, "the deletion of the Vision account of Riverside Clinic was requested",
		"every owner can withdraw the request", "keep your invoices, with the name and address on them, until 31 December 2036.")
	assert.NotContains(t, ErasureRequested(testMemberNotice, "19 March 2026", "").Text, "invoices")
	assertBothPartsContain(t, ErasureWithdrawn(testMemberNotice), "was withdrawn. Nothing has been deleted.")
	assertBothPartsContain(t, ErasureDone(testMemberNotice, "31 December 2036"), "was deleted, with its members", "31 December 2036")
}
