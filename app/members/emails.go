package members

import (
	"crypto/rand"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// newInvitation returns an invitation to the address with a new token, and the token.
func newInvitation(email string, role account.Role) (account.Invitation, string) {
	token := rand.Text()
	return account.Invitation{ID: ids.New("inv"), Email: account.EmailKey(email), Role: role, TokenHash: ids.Hash(token)}, token
}

// notice returns the data of an email to the recipient, whose link opens the path.
func (r reporter) notice(recipient account.Member, path string) emails.MemberNotice {
	return emails.MemberNotice{
		Sender: r.writer.Sender, FirstName: recipient.FirstName, Organisation: r.org.Name, At: r.org.TimeZone().DateTime(r.now),
		Link: r.writer.PublicURL + path,
	}
}

const (
	membersPath = "/vc-admin/diy/members"
	homePath    = "/vc-admin/diy"
)

// invitation returns the email with the token of an invitation.
func (r reporter) invitation(inv account.Invitation, token string) storage.TeamEmail {
	return storage.TeamEmail{
		Message: r.writer.InvitationEmail(r.org, inv, token), ExpiresAt: inv.ExpiresAt,
		Condition: storage.EmailCondition{LinkHash: inv.TokenHash},
	}
}

// makeOwner makes the member an owner for an operator, and returns the emails about it.
func (r reporter) makeOwner(team *account.Team, userID, note string) ([]storage.TeamEmail, error) {
	if err := team.MakeOwner(userID, note); err != nil {
		return nil, err
	}
	changed, _ := team.Member(userID)
	reports := r.toOwners(team, userID, func(owner account.Member) mail.Message {
		return emails.MadeOwnerBySupport(r.notice(owner, membersPath), changed)
	})
	return append(r.roleChanged(changed), reports...), nil
}

func (r reporter) roleChanged(changed account.Member) []storage.TeamEmail {
	return []storage.TeamEmail{toMember(changed, emails.RoleChanged(r.notice(changed, membersPath), changed.Role))}
}

func (r reporter) roleOfMemberChanged(team *account.Team, changed, by account.Member) []storage.TeamEmail {
	return r.toOwners(team, changed.UserID, func(owner account.Member) mail.Message {
		return emails.MemberRoleChanged(r.notice(owner, membersPath), changed, by)
	})
}

func (r reporter) accessRemoved(removed account.Member) []storage.TeamEmail {
	message := emails.AccessRemoved(r.notice(removed, homePath), !removed.HasOtherOrganisations)
	message.To = removed.Email
	return []storage.TeamEmail{{Message: message}}
}

func (r reporter) memberRemoved(team *account.Team, removed, by account.Member) []storage.TeamEmail {
	if removed.UserID == by.UserID {
		return r.memberLeft(team, removed)
	}
	return r.toOwners(team, "", func(owner account.Member) mail.Message {
		return emails.MemberRemoved(r.notice(owner, membersPath), removed, by)
	})
}

func (r reporter) memberLeft(team *account.Team, left account.Member) []storage.TeamEmail {
	return r.toOwners(team, "", func(owner account.Member) mail.Message {
		return emails.MemberLeft(r.notice(owner, membersPath), left)
	})
}

func (r reporter) memberJoined(team *account.Team, joined account.Member) []storage.TeamEmail {
	return r.toOwners(team, joined.UserID, func(owner account.Member) mail.Message {
		return emails.MemberJoined(r.notice(owner, membersPath), joined)
	})
}

func (r reporter) memberInvited(team *account.Team, inv account.Invitation, by account.Member) []storage.TeamEmail {
	return r.toOwners(team, by.UserID, func(owner account.Member) mail.Message {
		return emails.MemberInvited(r.notice(owner, membersPath), inv.Email, inv.Role, by)
	})
}

func (r reporter) ownerInvited(team *account.Team, email string) []storage.TeamEmail {
	return r.toOwners(team, "", func(owner account.Member) mail.Message {
		return emails.OwnerInvitedBySupport(r.notice(owner, membersPath), email)
	})
}
