package members

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// invite calls add with a new invitation, and stores the team with the email that contains the token.
func (c teamChanger) invite(
	ctx context.Context, organisationID, email string, role account.Role,
	add func(*account.Team, account.Invitation, reporter) ([]storage.TeamEmail, error),
) error {
	inv, token := newInvitation(email, role)
	return c.change(ctx, organisationID, func(team *account.Team, report reporter) (storage.TeamEffects, error) {
		reports, err := add(team, inv, report)
		if err != nil {
			return storage.TeamEffects{}, err
		}
		return storage.TeamEffects{Emails: append(reports, report.invitation(team.InvitationTo(inv.Email), token))}, nil
	})
}

// InviteMember invites a person to the caller's organisation.
type InviteMember struct{ changer teamChanger }

// Do sends the address an invitation, which replaces an earlier one, and notifies the other owners. The result and the
// time do not depend on whether the address has an account. Do returns Invalid for an invalid address or role, and
// Conflict for a member's address and beyond the limits of account.Team.
func (u *InviteMember) Do(ctx context.Context, caller identity.Identity, email string, role account.Role) error {
	if err := u.changer.requireOwner(caller); err != nil {
		return err
	}
	return u.changer.invite(ctx, caller.OrganisationID, email, role,
		func(team *account.Team, inv account.Invitation, report reporter) ([]storage.TeamEmail, error) {
			if err := team.Invite(caller.UserID, inv, report.now); err != nil {
				return nil, err
			}
			by, _ := team.Member(caller.UserID)
			return report.memberInvited(team, inv, by), nil
		})
}

// ResendInvitation sends an invitation again, also after it has expired.
type ResendInvitation struct{ changer teamChanger }

// Do sends a new link, which replaces the earlier one. It returns NotFound without an invitation to the address.
func (u *ResendInvitation) Do(ctx context.Context, caller identity.Identity, email string) error {
	if err := u.changer.requireOwner(caller); err != nil {
		return err
	}
	return u.changer.invite(ctx, caller.OrganisationID, email, "",
		func(team *account.Team, inv account.Invitation, report reporter) ([]storage.TeamEmail, error) {
			return nil, team.Resend(caller.UserID, inv, report.now)
		})
}

// RenewInvitation sends an invitation again, for an operator.
type RenewInvitation struct{ changer teamChanger }

// Do sends a new link to the address of the invitation, as ResendInvitation does, and adds the entry to the audit log. It
// returns NotFound for an unknown invitation.
func (u *RenewInvitation) Do(ctx context.Context, organisationID, invitationID string, entry audit.Entry) error {
	return u.changer.change(ctx, organisationID, func(team *account.Team, report reporter) (storage.TeamEffects, error) {
		i := slices.IndexFunc(team.Invitations, func(i account.Invitation) bool { return i.ID == invitationID })
		if i < 0 {
			return storage.TeamEffects{}, fault.New(fault.NotFound, "There is no such invitation.")
		}
		inv, token := newInvitation(team.Invitations[i].Email, "")
		if err := team.ResendByOperator(inv, report.now); err != nil {
			return storage.TeamEffects{}, err
		}
		team.Entries = append(team.Entries, entry)
		return storage.TeamEffects{Emails: []storage.TeamEmail{report.invitation(team.InvitationTo(inv.Email), token)}}, nil
	})
}

// RevokeInvitation deletes an invitation.
type RevokeInvitation struct{ changer teamChanger }

// Do deletes the invitation to the address, whose link is then void. It returns NotFound if there is none.
func (u *RevokeInvitation) Do(ctx context.Context, caller identity.Identity, email string) error {
	if err := u.changer.requireOwner(caller); err != nil {
		return err
	}
	return u.changer.change(ctx, caller.OrganisationID, func(team *account.Team, _ reporter) (storage.TeamEffects, error) {
		return storage.TeamEffects{}, team.Revoke(caller.UserID, email)
	})
}

// InviteOwner invites an owner to an organisation whose owners can't sign in any more, for an operator.
type InviteOwner struct {
	changer teamChanger
	store   interface {
		storage.Teams
		storage.Users
	}
}

// OwnerInvitation is the request of an operator.
type OwnerInvitation struct {
	OrganisationID string
	Email          string // of the new owner
	Operator       string
	Reason         string // for the audit log
}

// Do sends the address an invitation, or makes the member with the address an owner, who is notified. It records the
// reason and notifies the owners. isMember reports that a member was made an owner. Do returns NotFound for an unknown
// organisation, Invalid without an operator or a reason and for an invalid address, and Conflict for an owner's address
// and for an organisation whose registration was not confirmed, which is deleted when it expires.
func (u *InviteOwner) Do(ctx context.Context, req OwnerInvitation) (isMember bool, err error) {
	ctx, note, err := security.OperatorContext(ctx, req.Operator, req.Reason)
	if err != nil {
		return false, err
	}
	if err := u.requireConfirmed(ctx, req.OrganisationID); err != nil {
		return false, err
	}
	inv, token := newInvitation(req.Email, account.Owner)
	err = u.changer.change(ctx, req.OrganisationID, func(team *account.Team, report reporter) (effects storage.TeamEffects, err error) {
		var member account.Member
		if member, isMember = team.MemberWithEmail(inv.Email); isMember {
			effects.Emails, err = report.makeOwner(team, member.UserID, note)
			return effects, err
		}
		reports := report.ownerInvited(team, inv.Email)
		if err := team.InviteOwner(inv, note, report.now); err != nil {
			return effects, err
		}
		effects.Emails = append(reports, report.invitation(team.InvitationTo(inv.Email), token))
		return effects, nil
	})
	return isMember, err
}

// requireConfirmed returns an error for an organisation whose only member has not verified the email address. A member who
// joins later would lose the organisation with the registration.
func (u *InviteOwner) requireConfirmed(ctx context.Context, organisationID string) error {
	team, err := u.store.Team(ctx, organisationID)
	if err != nil {
		return err
	}
	for _, m := range team.Owners() {
		owner, err := u.store.User(ctx, m.UserID)
		switch {
		case err == nil && owner.IsVerified():
			return nil
		case err != nil && !fault.Is(err, fault.NotFound):
			return err
		}
	}
	return fault.New(fault.Conflict, "The registration of this organisation was not confirmed.")
}
