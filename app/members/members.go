package members

import (
	"context"
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/accountemails"
	"github.com/vc-admin/diy/app/internal/newpassword"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// Ports contains the dependencies of the use cases.
type Ports struct {
	Store interface {
		storage.Teams
		storage.Memberships
		storage.Users
		storage.Organisations
	}
	Sessions  identity.Sessions
	Passwords identity.Passwords
	Clock     clock.Clock
	PublicURL string        // prefix of the links in emails, without a slash at the end
	Sender    emails.Sender // name and address of the sender of all emails
	// MarkReachable is called when a user opens a link that was sent to the email address.
	MarkReachable func(ctx context.Context, email string)
}

// UseCases contains the use cases of the package.
type UseCases struct {
	ListMembers        *ListMembers
	InviteMember       *InviteMember
	ResendInvitation   *ResendInvitation
	RevokeInvitation   *RevokeInvitation
	ChangeRole         *ChangeRole
	RemoveMember       *RemoveMember
	LeaveOrganisation  *LeaveOrganisation
	ShowInvitation     *ShowInvitation
	AcceptInvitation   *AcceptInvitation
	SwitchOrganisation *SwitchOrganisation
	InviteOwner        *InviteOwner     // for operators
	RenewInvitation    *RenewInvitation // for operators
}

// New returns the use cases, connected with the ports. It calls no port.
func New(p Ports) UseCases {
	changer := teamChanger{store: p.Store, clock: p.Clock, writer: accountemails.Writer{PublicURL: p.PublicURL, Sender: p.Sender}}
	finder := invitationFinder{store: p.Store, clock: p.Clock}
	return UseCases{
		ListMembers:       &ListMembers{store: p.Store},
		InviteMember:      &InviteMember{changer: changer},
		ResendInvitation:  &ResendInvitation{changer: changer},
		RevokeInvitation:  &RevokeInvitation{changer: changer},
		ChangeRole:        &ChangeRole{changer: changer},
		RemoveMember:      &RemoveMember{changer: changer},
		LeaveOrganisation: &LeaveOrganisation{changer: changer, store: p.Store, sessions: p.Sessions},
		ShowInvitation:    &ShowInvitation{finder: finder, store: p.Store, sessions: p.Sessions},
		AcceptInvitation: &AcceptInvitation{
			finder: finder, changer: changer, store: p.Store, sessions: p.Sessions, passwords: p.Passwords,
			rules: newpassword.Rules{Passwords: p.Passwords, Product: p.Sender.Brand}, markReachable: p.MarkReachable,
		},
		SwitchOrganisation: &SwitchOrganisation{store: p.Store, sessions: p.Sessions, clock: p.Clock},
		InviteOwner:        &InviteOwner{changer: changer, store: p.Store},
		RenewInvitation:    &RenewInvitation{changer: changer},
	}
}

// ListMembers returns the members of the caller's organisation.
type ListMembers struct{ store storage.Teams }

// Do returns the members. Only owners get the invitations, and whether a member, other than the caller, belongs to other
// organisations.
func (u *ListMembers) Do(ctx context.Context, caller identity.Identity) (account.Team, error) {
	if err := caller.Require(account.Read); err != nil {
		return account.Team{}, err
	}
	team, err := u.store.Team(ctx, caller.OrganisationID)
	if err != nil || caller.Role.Allows(account.ManageMembers) {
		return team, err
	}
	team.Invitations = nil
	for i := range team.Members {
		if team.Members[i].UserID != caller.UserID {
			team.Members[i].HasOtherOrganisations = false
		}
	}
	return team, nil
}

// SwitchOrganisation selects an organisation for the session.
type SwitchOrganisation struct {
	store    storage.Memberships
	sessions identity.Sessions
	clock    clock.Clock
}

// Do selects the organisation for the caller's session and for the next sign-in. It returns NotFound for every organisation
// of which the caller is not a member, whether it exists or not.
func (u *SwitchOrganisation) Do(ctx context.Context, caller identity.Identity, organisationID string) error {
	if err := caller.Require(account.Read); err != nil {
		return err
	}
	err := selectOrganisation(ctx, u.store, u.sessions, caller.UserID, organisationID, u.clock.Now())
	return fault.ReplaceNotFound(err, fault.New(fault.NotFound, "There is no such organisation."))
}

// selectOrganisation selects the organisation for the session and for the user's next sign-in. It returns NotFound for an
// organisation without the user and for a session that has ended.
func selectOrganisation(
	ctx context.Context, store storage.Memberships, sessions identity.Sessions, userID, organisationID string, now time.Time,
) error {
	if err := store.UseMembership(ctx, userID, organisationID, now); err != nil {
		return err
	}
	return sessions.Switch(ctx, organisationID)
}
