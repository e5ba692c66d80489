package storage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
)

// Teams reads and changes the members and the invitations of organisations. Locks are taken in this order: organisations by
// their ids, then users.
type Teams interface {
	// Team returns the members and the invitations of an organisation, or NotFound for an unknown one. It sets
	// Verified and HasOtherOrganisations of the members.
	Team(ctx context.Context, organisationID string) (account.Team, error)
	// UpdateTeam reads the team, calls change, and stores the result together with what change returns, as
	// UpdateOrganisation does. No other update of the team happens in between. A member who is removed loses their sessions in
	// the organisation, and a user without any membership is deleted, so that the address is free again. The organisation's
	// ContactEmail and MemberEmails follow the members. UpdateTeam returns NotFound if a new member was deleted in the
	// meantime, and Duplicate if a verified user has the address of TeamEffects.NewUser.
	UpdateTeam(ctx context.Context, organisationID string, now time.Time,
		change func(*account.Team) (TeamEffects, error)) (account.Team, error)
	// Invitation returns an invitation by the hash of its token, even if it has expired.
	Invitation(ctx context.Context, tokenHash string) (account.Invitation, error)
	// SweepInvitations deletes invitations that expired before the given time. It sets the expiry of those that expire after
	// latest to latest, because they were made while a clock was wrong.
	SweepInvitations(ctx context.Context, before, latest time.Time) error
}

// TeamEffects contains what UpdateTeam stores besides the team.
type TeamEffects struct {
	Emails []TeamEmail // for the outbox, due at the time of the update
	// NewUser is stored before the members. Unverified registrations with the address are deleted.
	NewUser *account.User
}

// TeamEmail is an email about the members of an organisation, with the conditions under which it is still sent.
type TeamEmail struct {
	mail.Message

	Condition EmailCondition
	ExpiresAt time.Time // as Email.ExpiresAt
}
