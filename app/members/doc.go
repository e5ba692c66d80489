// Package members contains the use cases with which an organisation manages its members, and with which a person joins,
// leaves and selects an organisation. The rules about roles, the last owner and the limits are in account.Team, which every
// change reads and stores in one transaction.
//
// # Invitations
//
// InviteMember, ResendInvitation and RevokeInvitation are for owners. The answer of InviteMember does not depend on whether
// the address has an account, which the use case does not look up. The email contains a link with a token, of which only the
// hash is stored. InviteOwner is for operators, when no owner can sign in any more.
//
// ShowInvitation returns the invitation of a link, and the step with which the visitor accepts it. It changes nothing, so
// that programs that open links in emails are harmless. AcceptInvitation adds a member. The member is either a new
// person, whose address the link verifies, or a signed-in user with the address of the invitation, who has authenticated
// with all factors. A user's other sessions are not affected.
//
// # Members
//
// ListMembers is for all members. ChangeRole and RemoveMember are for owners, LeaveOrganisation for all members. A person
// whose last membership ends is deleted, so that the address is free again. Changes apply to the next request of the
// member, because each request reads the membership. They are reported to the member, and to owners.
// LeaveOrganisation switches the session to another organisation, and never starts a new one.
//
// # Organisations
//
// SwitchOrganisation selects another organisation of the signed-in user for the session. accounts.SignIn selects the one
// that was used last, or the requested one.
package members
