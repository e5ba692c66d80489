package members

import (
	"context"
	"time"

	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/app/internal/newpassword"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// errUnusable is the error for the link of an invitation that is unknown, has expired, was accepted or revoked.
func errUnusable() error {
	return fault.New(fault.NotFound, "This link no longer works. Ask for a new invitation.")
}

// invitationFinder finds invitations by the token in their link.
type invitationFinder struct {
	store interface {
		storage.Teams
		storage.Users
		storage.Organisations
	}
	clock clock.Clock
}

// find returns the invitation with its organisation. It returns NotFound for a link that can't be used.
func (f invitationFinder) find(ctx context.Context, token string) (account.Invitation, account.Organisation, error) {
	if token == "" {
		return account.Invitation{}, account.Organisation{}, errUnusable()
	}
	inv, err := f.store.Invitation(ctx, ids.Hash(token))
	if err == nil && inv.IsExpired(f.clock.Now()) {
		err = errUnusable()
	}
	if err != nil {
		return account.Invitation{}, account.Organisation{}, fault.ReplaceNotFound(err, errUnusable())
	}
	org, err := f.store.Organisation(ctx, inv.OrganisationID)
	return inv, org, fault.ReplaceNotFound(err, errUnusable())
}

// JoinStep is what a person has to do to accept an invitation.
type JoinStep string

// The steps.
const (
	StepRegister JoinStep = "register" // there is no account with the address: enter names and a password
	StepSignIn   JoinStep = "sign_in"  // with the address
	StepJoin     JoinStep = "join"     // signed in with the address
	StepSwitch   JoinStep = "switch"   // signed in with the address, and a member already
	StepSignOut  JoinStep = "sign_out" // signed in with another address
)

// LinkedInvitation is the invitation of a link.
type LinkedInvitation struct {
	account.Invitation

	Organisation account.Organisation
	Inviter      account.Member // zero for an operator
	Step         JoinStep
}

// ShowInvitation shows the invitation of a link. It needs no session.
type ShowInvitation struct {
	finder   invitationFinder
	store    storage.Teams
	sessions identity.Sessions
}

// Do returns the invitation, and what the visitor has to do to accept it. It changes nothing. It returns NotFound for a link
// that is unknown, has expired, was accepted or revoked.
func (u *ShowInvitation) Do(ctx context.Context, token string) (LinkedInvitation, error) {
	inv, org, err := u.finder.find(ctx, token)
	if err != nil {
		return LinkedInvitation{}, err
	}
	team, err := u.store.Team(ctx, org.ID)
	if err != nil {
		return LinkedInvitation{}, fault.ReplaceNotFound(err, errUnusable())
	}
	invitee, err := u.finder.invitee(ctx, inv, u.sessions)
	if err != nil {
		return LinkedInvitation{}, err
	}
	if _, isMember := team.Member(invitee.user.ID); isMember && invitee.step == StepJoin {
		invitee.step = StepSwitch
	}
	inviter, _ := team.Member(inv.InviterID)
	return LinkedInvitation{Invitation: inv, Organisation: org, Inviter: inviter, Step: invitee.step}, nil
}

// invitee is the person who opens the link of an invitation.
type invitee struct {
	step JoinStep
	user account.User // the signed-in user, zero without a session
}

// invitee returns the person who makes the request. The token proves access to the mailbox, so that the step may reveal
// whether the address has an account.
func (f invitationFinder) invitee(ctx context.Context, inv account.Invitation, sessions identity.Sessions) (invitee, error) {
	if caller, ok := sessions.Current(ctx); ok {
		user, err := f.store.User(ctx, caller.UserID)
		switch {
		case err == nil && account.EmailKey(user.Email) == inv.Email:
			return invitee{StepJoin, user}, nil
		case err == nil:
			return invitee{StepSignOut, user}, nil
		case !fault.Is(err, fault.NotFound): // the user was deleted since the request began
			return invitee{}, err
		}
	}
	user, err := f.store.UserByEmail(ctx, inv.Email)
	switch {
	case err == nil && user.IsVerified():
		return invitee{step: StepSignIn}, nil
	case err == nil || fault.Is(err, fault.NotFound):
		return invitee{step: StepRegister}, nil
	default:
		return invitee{}, err
	}
}

// AcceptInvitation makes the person who has opened the link of an invitation a member.
type AcceptInvitation struct {
	finder  invitationFinder
	changer teamChanger
	store   interface {
		storage.Teams
		storage.Memberships
		storage.Users
	}
	sessions      identity.Sessions
	passwords     identity.Passwords
	rules         newpassword.Rules
	markReachable func(ctx context.Context, email string)
}

// NewPerson contains what a person without an account enters.
type NewPerson struct {
	FirstName string
	LastName  string
	Password  string
}

// Do adds the member with the role of the invitation, notifies the owners, and selects the organisation for the session. It
// returns the user.
//
// A person without an account becomes a verified user and is signed in. Do then deletes unverified registrations of the
// address, because another person may have chosen their password. It returns Invalid with a message for each invalid
// field of person. If a user with the address of the invitation is signed in, this user joins and person is ignored. A
// member keeps the current role. Do returns Unauthenticated if the address has an account that is not signed in, and
// Conflict for another account and if the organisation has too many members. It returns NotFound for a link that is
// unknown, has expired, was accepted or revoked.
func (u *AcceptInvitation) Do(ctx context.Context, token string, person NewPerson) (account.User, error) {
	inv, org, err := u.finder.find(ctx, token)
	if err != nil {
		return account.User{}, err
	}
	invitee, err := u.finder.invitee(ctx, inv, u.sessions)
	if err != nil {
		return account.User{}, err
	}
	switch invitee.step {
	case StepRegister:
		return u.register(ctx, inv, org, person)
	case StepJoin:
		return u.join(ctx, inv, invitee.user)
	case StepSignOut:
		return account.User{}, fault.Newf(fault.Conflict, "You are signed in as %s. This invitation is for %s.", invitee.user.Email, inv.Email)
	default:
		return account.User{}, errSignInFirst()
	}
}

func errSignInFirst() error {
	return fault.New(fault.Unauthenticated, "This email address has an account. Please sign in first.")
}

// register creates the user of a new person and starts a session.
func (u *AcceptInvitation) register(
	ctx context.Context, inv account.Invitation, org account.Organisation, person NewPerson,
) (account.User, error) {
	now := u.changer.clock.Now()
	user, err := u.newUser(ctx, inv, org, person, now)
	if err != nil {
		return account.User{}, err
	}
	err = u.accept(ctx, inv, user, true)
	switch {
	case fault.Is(err, fault.Duplicate): // the address was verified in the meantime
		return account.User{}, errSignInFirst()
	case err != nil:
		return account.User{}, err
	}
	u.markReachable(ctx, user.Email)
	return user, u.startSession(ctx, user, now)
}

// startSession signs the new user in and records the sign-in. Like a sign-in, it compares the security revision after the
// session was stored.
func (u *AcceptInvitation) startSession(ctx context.Context, user account.User, now time.Time) error {
	caller := identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID, AuthenticatedAt: now}
	if err := u.sessions.Start(ctx, caller, identity.PasswordMethod); err != nil {
		return fault.ReplaceNotFound(err, errSignInFirst())
	}
	entry := account.SignInEntry(user, false, string(identity.PasswordMethod))
	err := u.store.RecordSignIn(ctx, user.ID, entry, now, func(stored *account.User) (*mail.Message, error) {
		if stored.SecurityRevision != user.SecurityRevision {
			return nil, errSignInFirst()
		}
		return nil, nil //nolint:nilnil // no email
	})
	if err = fault.ReplaceNotFound(err, errSignInFirst()); err != nil {
		if endErr := u.sessions.End(ctx); endErr != nil {
			return endErr
		}
	}
	return err
}

// newUser returns the user, whose address the link has verified.
func (u *AcceptInvitation) newUser(
	ctx context.Context, inv account.Invitation, org account.Organisation, person NewPerson, now time.Time,
) (account.User, error) {
	profile, err := account.Profile{FirstName: person.FirstName, LastName: person.LastName}.Normalise()
	user := account.User{
		ID: ids.New("usr"), OrganisationID: org.ID, Email: inv.Email, VerifiedAt: now, FirstSignInAt: now, CreatedAt: now,
	}
	user.SetProfile(profile)
	var fields fault.Fields
	fields.AddFrom(err)
	fields.AddFrom(u.rules.CheckRepeated(person.Password, person.Password, newpassword.ContextOf(user, org.Name)))
	if err := fields.Err(); err != nil {
		return account.User{}, err
	}
	user.PasswordHash, err = u.passwords.Hash(ctx, person.Password)
	return user, err
}

// join makes the signed-in user a member, or leaves the member's role as it is, and switches the session.
func (u *AcceptInvitation) join(ctx context.Context, inv account.Invitation, user account.User) (account.User, error) {
	if err := u.accept(ctx, inv, user, false); err != nil {
		return account.User{}, err
	}
	u.markReachable(ctx, user.Email)
	err := selectOrganisation(ctx, u.store, u.sessions, user.ID, inv.OrganisationID, u.changer.clock.Now())
	return user, fault.ReplaceNotFound(err, errSignInFirst()) // removed, or signed out, in the meantime
}

// accept stores the membership, and the user if isNew is set.
func (u *AcceptInvitation) accept(ctx context.Context, inv account.Invitation, user account.User, isNew bool) error {
	isAccepted := false
	err := u.changer.change(ctx, inv.OrganisationID, func(team *account.Team, report reporter) (effects storage.TeamEffects, err error) {
		isAccepted = false
		_, isMember := team.Member(user.ID)
		if err := team.Accept(inv.TokenHash, user, report.now); err != nil {
			return effects, fault.ReplaceNotFound(err, errUnusable())
		}
		isAccepted = true
		if isNew {
			effects.NewUser = &user
		}
		if joined, _ := team.Member(user.ID); !isMember {
			effects.Emails = report.memberJoined(team, joined)
		}
		return effects, nil
	})
	if isAccepted { // the user may have been deleted in the meantime
		return fault.ReplaceNotFound(err, errSignInFirst())
	}
	return fault.ReplaceNotFound(err, errUnusable())
}
