package members

import (
	"context"
	"time"

	"github.com/vc-admin/diy/app/internal/accountemails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// teamChanger changes teams and reports the changes by email.
type teamChanger struct {
	store interface {
		storage.Teams
		storage.Organisations
	}
	clock  clock.Clock
	writer accountemails.Writer
}

// requireOwner returns an error unless the caller is an owner who has authenticated recently. The team checks the role
// again.
func (c teamChanger) requireOwner(caller identity.Identity) error {
	if err := caller.Require(account.ManageMembers); err != nil {
		return err
	}
	return caller.RequireFresh(c.clock.Now())
}

// changeFunc changes the team and returns the emails about it. It may be called again.
type changeFunc func(team *account.Team, report reporter) (storage.TeamEffects, error)

// change stores the result of fn with its emails.
func (c teamChanger) change(ctx context.Context, organisationID string, fn changeFunc) error {
	org, err := c.store.Organisation(ctx, organisationID)
	if err != nil {
		return err
	}
	now := c.clock.Now()
	report := reporter{writer: c.writer, org: org, now: now}
	_, err = c.store.UpdateTeam(ctx, organisationID, now, func(team *account.Team) (storage.TeamEffects, error) {
		return fn(team, report)
	})
	return err
}

// ChangeRole gives a member another role.
type ChangeRole struct{ changer teamChanger }

// Do changes the role, which applies to the member's next request. It notifies the member, and the owners if the member
// becomes an owner or was one. It returns NotFound for an unknown member, and Conflict for the last owner. Without a change
// it sends no email.
func (u *ChangeRole) Do(ctx context.Context, caller identity.Identity, userID string, role account.Role) error {
	if err := u.changer.requireOwner(caller); err != nil {
		return err
	}
	return u.changer.change(ctx, caller.OrganisationID, func(team *account.Team, report reporter) (effects storage.TeamEffects, err error) {
		by, _ := team.Member(caller.UserID)
		before, _ := team.Member(userID)
		if err := team.ChangeRole(caller.UserID, userID, role); err != nil || before.Role == role {
			return effects, err
		}
		changed, _ := team.Member(userID)
		effects.Emails = report.roleChanged(changed)
		if before.Role == account.Owner || role == account.Owner {
			effects.Emails = append(effects.Emails, report.roleOfMemberChanged(team, changed, by)...)
		}
		return effects, nil
	})
}

// RemoveMember removes a member.
type RemoveMember struct{ changer teamChanger }

// Do removes the member, and deletes the user if this was the last membership. The member's sessions in the organisation
// end. It notifies the member and the other owners. It returns NotFound for an unknown member, and Conflict for the last
// owner.
func (u *RemoveMember) Do(ctx context.Context, caller identity.Identity, userID string) error {
	if err := u.changer.requireOwner(caller); err != nil {
		return err
	}
	return u.changer.change(ctx, caller.OrganisationID, func(team *account.Team, report reporter) (effects storage.TeamEffects, err error) {
		by, _ := team.Member(caller.UserID)
		removed, _ := team.Member(userID)
		if err := team.Remove(caller.UserID, userID); err != nil {
			return effects, err
		}
		effects.Emails = append(report.accessRemoved(removed), report.memberRemoved(team, removed, by)...)
		return effects, nil
	})
}

// LeaveOrganisation ends the membership of the signed-in user.
type LeaveOrganisation struct {
	changer  teamChanger
	store    storage.Memberships
	sessions identity.Sessions
}

// Do ends the caller's membership, and deletes the user if it was the last one. It notifies the owners. The session
// continues in the organisation that the caller used last before this one; Do returns its id. Without another
// organisation, Do signs the caller out and returns "". It returns Conflict for the last owner.
func (u *LeaveOrganisation) Do(ctx context.Context, caller identity.Identity) (organisationID string, err error) {
	if err := caller.RequireFresh(u.changer.clock.Now()); err != nil {
		return "", err
	}
	memberships, err := u.store.Memberships(ctx, caller.UserID)
	if err != nil {
		return "", err
	}
	for _, m := range memberships {
		if m.OrganisationID != caller.OrganisationID {
			return m.OrganisationID, u.leaveFor(ctx, caller, m.OrganisationID)
		}
	}
	if err := u.leave(ctx, caller); err != nil {
		return "", err
	}
	return "", u.sessions.End(ctx)
}

// leaveFor continues the session in the other organisation. It switches the session before the membership ends, because
// the end of the membership ends its sessions. It starts no new session, because that would survive if the user signed
// out everywhere at the same time.
func (u *LeaveOrganisation) leaveFor(ctx context.Context, caller identity.Identity, otherID string) error {
	if err := u.sessions.Switch(ctx, otherID); err != nil {
		return fault.ReplaceNotFound(err, identity.ErrSignedOut())
	}
	err := u.leave(ctx, caller)
	if err == nil {
		return nil
	}
	if switchErr := u.sessions.Switch(ctx, caller.OrganisationID); switchErr != nil && !fault.Is(switchErr, fault.NotFound) {
		return switchErr
	}
	return err
}

func (u *LeaveOrganisation) leave(ctx context.Context, caller identity.Identity) error {
	return u.changer.change(ctx, caller.OrganisationID, func(team *account.Team, report reporter) (effects storage.TeamEffects, err error) {
		left, _ := team.Member(caller.UserID)
		if err := team.Leave(caller.UserID); err != nil {
			return effects, err
		}
		effects.Emails = append(report.accessRemoved(left), report.memberLeft(team, left)...)
		return effects, nil
	})
}

// reporter composes the emails about a change of a team.
type reporter struct {
	writer accountemails.Writer
	org    account.Organisation
	now    time.Time
}

// toOwners returns an email to each owner of the changed team except one user.
func (r reporter) toOwners(
	team *account.Team, except string, write func(owner account.Member) mail.Message,
) (result []storage.TeamEmail) {
	for _, owner := range team.Owners() {
		if owner.UserID != except {
			result = append(result, toMember(owner, write(owner)))
		}
	}
	return result
}

// toMember returns the email to a member, which is sent only if the member has the same role at the delivery.
func toMember(m account.Member, message mail.Message) storage.TeamEmail {
	message.To = m.Email
	return storage.TeamEmail{Message: message, Condition: storage.EmailCondition{RecipientID: m.UserID, RecipientRole: m.Role}}
}
