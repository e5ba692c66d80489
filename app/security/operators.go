package security

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// OperatorRequest is a change that an operator makes for a user.
type OperatorRequest struct {
	Email    string // of the user
	Operator string
	Reason   string     // for the audit log; optional with Data
	Data     audit.Data // of the entry of the audit log; only EndUserSessions uses it
}

// OperatorContext returns a context whose changes are made by the operator, and the reason as a note for the audit log. It
// returns Invalid without an operator or a reason.
func OperatorContext(ctx context.Context, operator, reason string) (operatorCtx context.Context, note string, err error) {
	operator, note = strings.TrimSpace(operator), strings.TrimSpace(reason)
	if operator == "" || note == "" {
		return ctx, "", fault.New(fault.Invalid, "The operator and the reason must be given.")
	}
	return audit.WithActor(ctx, audit.Operator(operator)), note, nil
}

// userOperator finds users, and reports what operators do for them in the audit log.
type userOperator struct {
	updater credentialsUpdater
	store   interface {
		storage.Users
		storage.Memberships
	}
}

// find returns the verified user with the address. It returns NotFound for an address without a verified user.
func (o userOperator) find(ctx context.Context, req OperatorRequest) (account.User, error) {
	user, err := o.store.UserByEmail(ctx, req.Email)
	if err == nil && !user.IsVerified() {
		err = fault.New(fault.NotFound, "There is no such user")
	}
	return user, err
}

// entries returns the memberships of the user, and for each organisation an entry of the audit log.
func (o userOperator) entries(
	ctx context.Context, user account.User, kind audit.Kind, note string,
) ([]account.Membership, []audit.Entry, error) {
	memberships, err := o.store.Memberships(ctx, user.ID)
	var entries []audit.Entry
	for _, m := range memberships {
		entries = append(entries, audit.Entry{OrganisationID: m.OrganisationID, Kind: kind, Subject: user.ID, Note: note})
	}
	return memberships, entries, err
}

// EndUserSessions signs a user out everywhere, for an operator.
type EndUserSessions struct{ operator userOperator }

// Do ends all sessions, links and sign-ins in progress of the user, and makes all browsers of the user unknown.
func (u *EndUserSessions) Do(ctx context.Context, req OperatorRequest) error {
	ctx, note, err := OperatorContext(ctx, req.Operator, cmp.Or(req.Reason, req.Data["reason"]))
	if err != nil {
		return err
	}
	user, err := u.operator.find(ctx, req)
	if err != nil {
		return err
	}
	_, entries, err := u.operator.entries(ctx, user, audit.OperatorEndedSessions, note)
	if err != nil {
		return err
	}
	for i := range entries {
		entries[i].Data = req.Data
	}
	_, err = u.operator.updater.store.UpdateCredentials(ctx, user.ID, u.operator.updater.clock.Now(),
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			c.SignOutEverywhere()
			return storage.CredentialsEffects{Entries: entries}, nil
		})
	return err
}

// RemoveUserPasskeys helps a user whose passkeys can't be trusted, for an operator. A new password leaves passkeys as they
// are.
type RemoveUserPasskeys struct{ operator userOperator }

// Do removes all passkeys of the user, ends all sessions and notifies the user. It returns Conflict if there are none.
func (u *RemoveUserPasskeys) Do(ctx context.Context, req OperatorRequest) error {
	ctx, note, err := OperatorContext(ctx, req.Operator, req.Reason)
	if err != nil {
		return err
	}
	user, err := u.operator.find(ctx, req)
	if err != nil {
		return err
	}
	updater := u.operator.updater
	now := updater.clock.Now()
	org, err := updater.store.Organisation(ctx, user.OrganisationID)
	if err != nil {
		return err
	}
	_, entries, err := u.operator.entries(ctx, user, audit.OperatorRemovedPasskeys, note)
	if err != nil {
		return err
	}
	email := updater.writer.SecurityEmail(emails.PasskeysRemovedBySupport, user, now, org.TimeZone())
	_, err = updater.store.UpdateCredentials(ctx, user.ID, now,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			if !c.RemovePasskeys() {
				return storage.CredentialsEffects{}, fault.New(fault.Conflict, "This user has no passkeys.")
			}
			return storage.CredentialsEffects{Emails: []mail.Message{email}, Entries: entries}, nil
		})
	return err
}

// ResetTwoStep helps a user who has lost the authenticator app and the recovery codes, for an operator.
type ResetTwoStep struct {
	operator userOperator
	teams    storage.Teams
}

// Do turns two-step verification off, removes all passkeys, makes the password unusable, and sends the user a link for a
// new one: the user then proves access to the mailbox in place of the lost factor. It ends all sessions. The user and all
// owners of the user's organisations are notified. Do returns Conflict if two-step verification is off.
func (u *ResetTwoStep) Do(ctx context.Context, req OperatorRequest) error {
	ctx, note, err := OperatorContext(ctx, req.Operator, req.Reason)
	if err != nil {
		return err
	}
	user, err := u.operator.find(ctx, req)
	switch {
	case err != nil:
		return err
	case !user.HasTwoStep():
		return fault.New(fault.Conflict, "Two-step verification of this user is off.")
	}
	memberships, entries, err := u.operator.entries(ctx, user, audit.OperatorResetTwoStep, note)
	if err != nil {
		return err
	}
	updater := u.operator.updater
	now := updater.clock.Now()
	reports, err := u.reports(ctx, user, memberships, now)
	if err != nil {
		return err
	}
	reset, email := updater.writer.NewPasswordReset(user, now)
	_, err = updater.store.UpdateCredentials(ctx, user.ID, now,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			effects := storage.CredentialsEffects{
				Emails: reports, Reset: &storage.NewPasswordReset{PasswordReset: reset, Email: email}, Entries: entries,
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
