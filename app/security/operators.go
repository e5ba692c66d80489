package security

import (
	"context"
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// OperatorRequest is a change that an operator makes for a user.
type OperatorRequest struct {
	Email    string // of the user
	Operator string
	Reason   string // for the audit log
}

// userOperator finds users, and records what operators do for them in the audit logs of their organisations.
type userOperator struct {
	updater credentialsUpdater
	store   interface {
		storage.Users
		storage.Memberships
		storage.OperatorActions
	}
}

// find returns the verified user with the address, and the action for the audit log. It returns NotFound for an address
// without a verified user, and Invalid without an operator or a reason.
func (o userOperator) find(
	ctx context.Context, req OperatorRequest, kind account.OperatorActionKind,
) (account.User, account.OperatorAction, error) {
	action, err := account.OperatorAction{
		At: o.updater.clock.Now(), Operator: req.Operator, Kind: kind, Reason: req.Reason,
	}.Normalise()
	if err != nil {
		return account.User{}, account.OperatorAction{}, err
	}
	user, err := o.store.UserByEmail(ctx, req.Email)
	if err == nil && !user.IsVerified() {
		err = fault.New(fault.NotFound, "There is no such user")
	}
	return user, action, err
}

// record stores the action in the audit logs of the user's organisations, and returns the memberships. It is called before
// the change, so that no change is made without a record.
func (o userOperator) record(
	ctx context.Context, user account.User, action account.OperatorAction,
) ([]account.Membership, error) {
	memberships, err := o.store.Memberships(ctx, user.ID)
	if err != nil {
		return nil, err
	}
	for _, m := range memberships {
		action.ID, action.OrganisationID = ids.New("act"), m.OrganisationID
		if err := o.store.RecordAction(ctx, action); err != nil {
			return nil, err
		}
	}
	return memberships, nil
}

// EndUserSessions signs a user out everywhere, for an operator.
type EndUserSessions struct{ operator userOperator }

// Do ends all sessions, links and sign-ins in progress of the user, and makes all browsers of the user unknown.
func (u *EndUserSessions) Do(ctx context.Context, req OperatorRequest) error {
	user, action, err := u.operator.find(ctx, req, account.EndSessionsAction)
	if err != nil {
		return err
	}
	if _, err := u.operator.record(ctx, user, action); err != nil {
		return err
	}
	_, err = u.operator.updater.store.UpdateCredentials(ctx, user.ID, action.At,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			c.SignOutEverywhere()
			return storage.CredentialsEffects{}, nil
		})
	return err
}

// RemoveUserPasskeys helps a user whose passkeys can't be trusted, for an operator. A new password leaves passkeys as they
// are.
type RemoveUserPasskeys struct{ operator userOperator }

// Do removes all passkeys of the user, ends all sessions and notifies the user. It returns Conflict, and records nothing,
// if there are none.
func (u *RemoveUserPasskeys) Do(ctx context.Context, req OperatorRequest) error {
	user, action, err := u.operator.find(ctx, req, account.RemovePasskeysAction)
	if err != nil {
		return err
	}
	updater := u.operator.updater
	credentials, err := updater.store.Credentials(ctx, user.ID)
	switch {
	case err != nil:
		return err
	case len(credentials.Passkeys()) == 0:
		return errNoPasskeys()
	}
	org, err := updater.store.Organisation(ctx, user.OrganisationID)
	if err != nil {
		return err
	}
	if _, err := u.operator.record(ctx, user, action); err != nil {
		return err
	}
	email := updater.writer.SecurityEmail(emails.PasskeysRemovedBySupport, user, action.At, org.TimeZone())
	_, err = updater.store.UpdateCredentials(ctx, user.ID, action.At,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			if !c.RemovePasskeys() {
				return storage.CredentialsEffects{}, errNoPasskeys()
			}
			return storage.CredentialsEffects{Emails: []mail.Message{email}}, nil
		})
	return err
}

func errNoPasskeys() error { return fault.New(fault.Conflict, "This user has no passkeys.") }

// ResetTwoStep helps a user who has lost the authenticator app and the recovery codes, for an operator.
type ResetTwoStep struct {
	operator userOperator
	teams    storage.Teams
}

// Do turns two-step verification off, removes all passkeys, makes the password unusable, and sends the user a link for a
// new one: the user then proves access to the mailbox in place of the lost factor. It ends all sessions. The user and all
// owners of the user's organisations are notified. Do returns Conflict, and records nothing, if two-step verification is
// off.
func (u *ResetTwoStep) Do(ctx context.Context, req OperatorRequest) error {
	user, action, err := u.operator.find(ctx, req, account.ResetTwoStepAction)
	switch {
	case err != nil:
		return err
	case !user.HasTwoStep():
		return fault.New(fault.Conflict, "Two-step verification of this user is off.")
	}
	memberships, err := u.operator.record(ctx, user, action)
	if err != nil {
		return err
	}
	reports, err := u.reports(ctx, user, memberships, action.At)
	if err != nil {
		return err
	}
	updater := u.operator.updater
	reset, email := updater.writer.NewPasswordReset(user, action.At)
	_, err = updater.store.UpdateCredentials(ctx, user.ID, action.At,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			effects := storage.CredentialsEffects{
				Emails: reports, Reset: &storage.NewPasswordReset{PasswordReset: reset, Email: email},
			}
			return effects, c.ResetTwoStep()
		})
	return err
}

// reports returns the emails about the reset to the user and to the owners of the user's organisations.
func (u *ResetTwoStep) reports(
	ctx context.Context, user account.User, memberships []account.Membership, now time.Time,
) ([]mail.Message, error) {
	updater := u.operator.updater
	var reports []mail.Message
	recipients := map[string]bool{}
	for _, m := range memberships {
		org, err := updater.store.Organisation(ctx, m.OrganisationID)
		if err != nil {
			return nil, err
		}
		team, err := u.teams.Team(ctx, m.OrganisationID)
		if err != nil {
			return nil, err
		}
		addresses := []string{user.Email}
		for _, owner := range team.Owners() {
			addresses = append(addresses, owner.Email)
		}
		for _, recipient := range addresses {
			if recipients[account.EmailKey(recipient)] {
				continue
			}
			recipients[account.EmailKey(recipient)] = true
			notice := updater.writer.SecurityNotice(account.User{}, now, org.TimeZone()) // without the user's name
			email := emails.TwoStepReset(notice, user.Email)
			email.To = recipient
			reports = append(reports, email)
		}
	}
	return reports, nil
}
