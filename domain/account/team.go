package account

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
)

const (
	// MaxMembers is the number of members that an organisation can have.
	MaxMembers = 50
	// MaxInvitations is the number of invitations of an organisation that have not expired.
	MaxInvitations = 20
	// InvitationLifetime is the time for which the link of an invitation is valid.
	InvitationLifetime = 7 * 24 * time.Hour
)

// Membership gives a user a role in an organisation.
type Membership struct {
	UserID           string
	OrganisationID   string
	OrganisationName string // only storage.Memberships sets it
	Role             Role
	JoinedAt         time.Time
	LastUsedAt       time.Time
}

// Member is a membership with the name and the address of its user.
type Member struct {
	Membership
	FirstName string
	LastName  string
	Email     string
	Verified  bool // whether the email address is; only storage.Teams sets it
	// HasOtherOrganisations reports that the user is a member of another organisation, so that a removal does not delete
	// the user. Only storage.Teams sets it.
	HasOtherOrganisations bool
}

// FullName returns the first and the last name.
func (m Member) FullName() string { return strings.TrimSpace(m.FirstName + " " + m.LastName) }

// Invitation invites an email address to an organisation. Only the hash of the token in its link is stored. There is no
// user before the invitation is accepted.
type Invitation struct {
	ID             string
	OrganisationID string
	Email          string // in the form of EmailKey
	Role           Role
	TokenHash      string
	InviterID      string // the owner who sent it last; "" for an operator
	ExpiresAt      time.Time
}

// IsExpired reports whether the link has expired.
func (i Invitation) IsExpired(now time.Time) bool { return !now.Before(i.ExpiresAt) }

// Team contains the members and the invitations of one organisation. Its methods keep these invariants: the team has an
// owner; it has at most MaxMembers members and MaxInvitations open invitations, one for each address; every invitation
// was sent by a current owner or an operator. A method that returns an error changes nothing. storage.Teams stores teams.
type Team struct {
	OrganisationID string
	Members        []Member // in the order in which they joined
	Invitations    []Invitation
	// Entries contains the audit log entries about changes of the team. storage.Teams adds them to the log.
	Entries []audit.Entry
}

// record adds an audit log entry. by is the id of the user who made the change, or "" for an operator, who is the actor
// of the context.
func (t *Team) record(by string, kind audit.Kind, subject string, data audit.Data) {
	entry := audit.Entry{OrganisationID: t.OrganisationID, Kind: kind, Subject: subject, Data: data}
	if by != "" {
		entry.Actor = audit.User(by)
	}
	t.Entries = append(slices.Clone(t.Entries), entry)
}

// Member returns the member with the user's id. ok is false if there is none.
func (t *Team) Member(userID string) (m Member, ok bool) {
	i := t.index(userID)
	if i < 0 {
		return Member{}, false
	}
	return t.Members[i], true
}

func (t *Team) index(userID string) int {
	return slices.IndexFunc(t.Members, func(m Member) bool { return m.UserID == userID })
}

// MemberWithEmail returns the member with the address. ok is false if there is none.
func (t *Team) MemberWithEmail(email string) (m Member, ok bool) {
	key := EmailKey(email)
	i := slices.IndexFunc(t.Members, func(m Member) bool { return EmailKey(m.Email) == key })
	if i < 0 {
		return Member{}, false
	}
	return t.Members[i], true
}

// Owners returns the owners in the order in which they joined.
func (t *Team) Owners() []Member {
	return slices.DeleteFunc(slices.Clone(t.Members), func(m Member) bool { return m.Role != Owner })
}

// ContactEmail returns the address of the owner who joined first, or "" for an empty team.
func (t *Team) ContactEmail() string {
	for _, m := range t.Owners() {
		return m.Email
	}
	return ""
}

// BillingEmails returns the addresses of the members who receive emails about billing, in the order in which they
// joined.
func (t *Team) BillingEmails() []string {
	var emails []string
	for _, m := range t.Members {
		if m.Role.ReceivesBillingEmails() {
			emails = append(emails, m.Email)
		}
	}
	return emails
}

// requireOwner returns a Forbidden fault unless the user is an owner now. The caller's session may be older than a change
// of the role.
func (t *Team) requireOwner(userID string) error {
	m, _ := t.Member(userID)
	return m.Role.Require(ManageMembers)
}

// Invite adds an invitation by an owner. It replaces an earlier one to the address, whose link is then void. It returns
// Invalid for an invalid address or role, and Conflict for a member's address and beyond the limits.
func (t *Team) Invite(by string, inv Invitation, now time.Time) error {
	if err := t.requireOwner(by); err != nil {
		return err
	}
	inv.InviterID = by
	return t.invite(inv, now)
}

// InviteOwner adds an invitation by an operator, for an organisation whose owners can't sign in any more. The note is the
// reason for the audit log. It returns the errors of Invite.
func (t *Team) InviteOwner(inv Invitation, note string, now time.Time) error {
	inv.InviterID, inv.Role = "", Owner
	if err := t.invite(inv, now); err != nil {
		return err
	}
	t.Entries[len(t.Entries)-1].Note = note
	return nil
}

// MakeOwner makes a member an owner, for an operator. The note is the reason for the audit log. It returns NotFound for an
// unknown user, and Conflict for an owner.
func (t *Team) MakeOwner(userID, note string) error {
	i := t.index(userID)
	switch {
	case i < 0:
		return errNoMember()
	case t.Members[i].Role == Owner:
		return fault.New(fault.Conflict, "This person is an owner already.")
	}
	t.record("", audit.MemberRoleChanged, userID, audit.Data{"from": string(t.Members[i].Role), "to": string(Owner)})
	t.Entries[len(t.Entries)-1].Note = note
	t.Members = slices.Clone(t.Members)
	t.Members[i].Role = Owner
	return nil
}

// Resend replaces the token of an invitation, which is then valid for InvitationLifetime again. The role stays. It returns
// NotFound without an invitation to the address, and the errors of Invite.
func (t *Team) Resend(by string, inv Invitation, now time.Time) error {
	if err := t.requireOwner(by); err != nil {
		return err
	}
	return t.resend(by, inv, now)
}

// ResendByOperator does the same as Resend for an operator.
func (t *Team) ResendByOperator(inv Invitation, now time.Time) error { return t.resend("", inv, now) }

func (t *Team) resend(by string, inv Invitation, now time.Time) error {
	i := t.invitationIndex(inv.Email)
	if i < 0 {
		return errNoInvitation()
	}
	inv.InviterID, inv.Role = by, t.Invitations[i].Role
	return t.invite(inv, now)
}

func (t *Team) invitationIndex(email string) int {
	key := EmailKey(email)
	return slices.IndexFunc(t.Invitations, func(i Invitation) bool { return i.Email == key })
}

// InvitationTo returns the invitation to the address, or the zero Invitation if there is none.
func (t *Team) InvitationTo(email string) Invitation {
	i := t.invitationIndex(email)
	if i < 0 {
		return Invitation{}
	}
	return t.Invitations[i]
}

func errNoMember() error { return fault.New(fault.NotFound, "There is no such member.") }

func errNoInvitation() error { return fault.New(fault.NotFound, "There is no such invitation.") }

func (t *Team) invite(inv Invitation, now time.Time) error {
	inv.Email, inv.OrganisationID, inv.ExpiresAt = EmailKey(inv.Email), t.OrganisationID, now.Add(InvitationLifetime)
	var fields fault.Fields
	fields.Check(ValidEmail(inv.Email), "email", "Invalid email address!")
	fields.Check(inv.Role.IsValid(), "role", "Unknown role")
	if err := fields.Err(); err != nil {
		return err
	}
	_, isMember := t.MemberWithEmail(inv.Email)
	others := slices.DeleteFunc(slices.Clone(t.Invitations), func(i Invitation) bool { return i.Email == inv.Email })
	switch {
	case isMember:
		return fault.New(fault.Conflict, "This person is a member already.")
	case len(t.Members) >= MaxMembers:
		return errTeamFull()
	case countOpen(others, now) >= MaxInvitations:
		return fault.New(fault.Conflict, "There are too many open invitations. Please revoke one first.")
	}
	t.Invitations = append(others, inv)
	t.record(inv.InviterID, audit.MemberInvited, inv.ID, audit.Data{"role": string(inv.Role)})
	return nil
}

func countOpen(invitations []Invitation, now time.Time) (count int) {
	for _, i := range invitations {
		if !i.IsExpired(now) {
			count++
		}
	}
	return count
}

func errTeamFull() error {
	return fault.Newf(fault.Conflict, "An organisation can have at most %d members.", MaxMembers)
}

// Revoke deletes the invitation to the address. It returns NotFound if there is none.
func (t *Team) Revoke(by, email string) error {
	if err := t.requireOwner(by); err != nil {
		return err
	}
	i := t.invitationIndex(email)
	if i < 0 {
		return errNoInvitation()
	}
	t.record(by, audit.InvitationDeleted, t.Invitations[i].ID, nil)
	t.Invitations = slices.Delete(slices.Clone(t.Invitations), i, i+1)
	return nil
}

// Accept adds the user with the invitation's role, and deletes the invitation. It returns NotFound if no invitation to the
// user's address has the token or it has expired, and Conflict if the team is full. A member keeps the role.
func (t *Team) Accept(tokenHash string, user User, now time.Time) error {
	i := slices.IndexFunc(t.Invitations, func(i Invitation) bool { return i.TokenHash == tokenHash })
	if i < 0 || t.Invitations[i].IsExpired(now) || t.Invitations[i].Email != EmailKey(user.Email) {
		return ErrUnknownLink()
	}
	_, isMember := t.Member(user.ID)
	if !isMember && len(t.Members) >= MaxMembers {
		return errTeamFull()
	}
	role := t.Invitations[i].Role
	t.Invitations = slices.Delete(slices.Clone(t.Invitations), i, i+1)
	if !isMember {
		t.Members = append(slices.Clone(t.Members), Member{
			Membership: Membership{UserID: user.ID, OrganisationID: t.OrganisationID, Role: role, JoinedAt: now, LastUsedAt: now},
			FirstName:  user.FirstName, LastName: user.LastName, Email: user.Email,
		})
		t.record(user.ID, audit.MemberJoined, user.ID, audit.Data{"role": string(role)})
	}
	return nil
}

// ChangeRole changes the role of a member. It returns NotFound for an unknown user, and Conflict for the last owner.
func (t *Team) ChangeRole(by, userID string, role Role) error {
	var fields fault.Fields
	fields.Check(role.IsValid(), "role", "Unknown role")
	if err := cmp.Or(t.requireOwner(by), fields.Err(), t.checkRoleChange(userID, role)); err != nil {
		return err
	}
	t.Members = slices.Clone(t.Members)
	member := &t.Members[t.index(userID)]
	if member.Role == role {
		return nil
	}
	t.record(by, audit.MemberRoleChanged, userID, audit.Data{"from": string(member.Role), "to": string(role)})
	member.Role = role
	t.deleteInvitationsOfFormerOwners(by)
	return nil
}

// Remove removes a member. It returns NotFound for an unknown user, and Conflict for the last owner.
func (t *Team) Remove(by, userID string) error {
	if err := t.requireOwner(by); err != nil {
		return err
	}
	return t.remove(by, userID)
}

// Leave removes a member who leaves. It returns NotFound for an unknown user, and Conflict for the last owner.
func (t *Team) Leave(userID string) error { return t.remove(userID, userID) }

func (t *Team) remove(by, userID string) error {
	if err := t.checkRoleChange(userID, ""); err != nil {
		return err
	}
	i := t.index(userID)
	t.record(by, audit.MemberRemoved, userID, audit.Data{"role": string(t.Members[i].Role)})
	t.Members = slices.Delete(slices.Clone(t.Members), i, i+1)
	t.deleteInvitationsOfFormerOwners(by)
	return nil
}

// checkRoleChange returns an error if the user is not a member, or if the team would lose its last owner. newRole is ""
// for a removal.
func (t *Team) checkRoleChange(userID string, newRole Role) error {
	m, ok := t.Member(userID)
	switch {
	case !ok:
		return errNoMember()
	case m.Role == Owner && newRole != Owner && len(t.Owners()) == 1:
		return fault.New(fault.Conflict, "An organisation needs an owner. Please make another member an owner first.")
	}
	return nil
}

// deleteInvitationsOfFormerOwners deletes the invitations whose inviter is not an owner any more. It keeps those of
// operators.
func (t *Team) deleteInvitationsOfFormerOwners(by string) {
	t.deleteInvitations(by, func(i Invitation) bool { return i.InviterID != "" && t.requireOwner(i.InviterID) != nil })
}

// DeleteInvitationsBy deletes the invitations that the user sent, for a user who recovers the account: another person may
// have sent them.
func (t *Team) DeleteInvitationsBy(userID string) {
	t.deleteInvitations(userID, func(i Invitation) bool { return i.InviterID == userID })
}

func (t *Team) deleteInvitations(by string, mustDelete func(Invitation) bool) {
	var kept []Invitation
	for _, i := range t.Invitations {
		if mustDelete(i) {
			t.record(by, audit.InvitationDeleted, i.ID, nil)
			continue
		}
		kept = append(kept, i)
	}
	t.Invitations = kept
}
