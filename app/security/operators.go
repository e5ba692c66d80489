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
	Reason   string     // the note of the entry in the audit log; optional if Data has a reason
	Data     audit.Data // of the entry of the audit log
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

// operatorAction contains the user for whom an operator acts.
type operatorAction struct {
	user        account.User
	memberships []account.Membership
	entries     []audit.Entry // of the audit log, one for each organisation of the user
}

// begin returns the action on the verified user, and a context whose changes are made by the operator. It returns Invalid
// without an operator or a reason, and NotFound for an address without a verified user.
func (o userOperator) begin(ctx context.Context, req OperatorRequest, kind audit.Kind) (context.Context, operatorAction, error) {
	ctx, _, err := OperatorContext(ctx, req.Operator, cmp.Or(req.Reason, req.Data["reason"]))
	if err != nil {
		return ctx, operatorAction{}, err
	}
	user, err := o.store.UserByEmail(ctx, req.Email)
	if err == nil && !user.IsVerified() {
		err = fault.New(fault.NotFound, "There is no such user")
	}
	if err != nil {
		return ctx, operatorAction{}, err
	}
	action := operatorAction{user: user}
	action.memberships, err = o.store.Memberships(ctx, user.ID)
	for _, m := range action.memberships {
		action.entries = append(action.entries, audit.Entry{
			OrganisationID: m.OrganisationID, Kind: kind, Subject: user.ID, Data: req.Data, Note: strings.TrimSpace(req.Reason),
		})
	}
	return ctx, action, err
}

// EndUserSessions signs a user out everywhere, for an operator.
type EndUserSessions struct{ operator userOperator }

// Do ends all sessions, links and sign-ins in progress of the user, and makes all browsers of the user unknown.
func (u *EndUserSessions) Do(ctx context.Context, req OperatorRequest) error {
	ctx, action, err := u.operator.begin(ctx, req, audit.OperatorEndedSessions)
	if err != nil {
		return err
	}
	_, err = u.operator.updater.store.UpdateCredentials(ctx, action.user.ID, u.operator.updater.clock.Now(),
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			c.SignOutEverywhere()
			return storage.CredentialsEffects{Entries: action.entries}, nil
		})
	return err
}

// RemoveUserPasskeys removes the passkeys of a user, for an operator. A new password does not remove passkeys.
type RemoveUserPasskeys struct{ operator userOperator }

// Do removes all passkeys of the user, ends all sessions and notifies the user. It returns Conflict if there are none.
func (u *RemoveUserPasskeys) Do(ctx context.Context, req OperatorRequest) error {
	ctx, action, err := u.operator.begin(ctx, req, audit.OperatorRemovedPasskeys)
	if err != nil {
		return err
	}
	updater := u.operator.updater
	now := updater.clock.Now()
	org, err := updater.store.Organisation(ctx, action.user.OrganisationID)
	if err != nil {
		return err
	}
	email := updater.writer.SecurityEmail(emails.PasskeysRemovedBySupport, action.user, now, org.TimeZone())
	_, err = updater.store.UpdateCredentials(ctx, action.user.ID, now,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			if !c.RemovePasskeys() {
				return storage.CredentialsEffects{}, fault.New(fault.Conflict, "This user has no passkeys.")
			}
			return storage.CredentialsEffects{Emails: []mail.Message{email}, Entries: action.entries}, nil
		})
	return err
}

// ResetTwoStep turns off two-step verification for a user who has lost the authenticator app and the recovery codes, for
// an operator.
type ResetTwoStep struct {
	operator userOperator
	teams    storage.Teams
}

// Do turns two-step verification off, removes all passkeys, makes the password unusable, and sends the user a link for a
// new one: the user then proves access to the mailbox in place of the lost factor. It ends all sessions. The user and all
// owners of the user's organisations are notified. Do returns Conflict if two-step verification is off.
func (u *ResetTwoStep) Do(ctx context.Context, req OperatorRequest) error {
	ctx, action, err := u.operator.begin(ctx, req, audit.OperatorResetTwoStep)
	switch {
	case err != nil:
		return err
	case !action.user.HasTwoStep():
		return fault.New(fault.Conflict, "Two-step verification of this user is off.")
	}
	updater := u.operator.updater
	now := updater.clock.Now()
	reports, err := u.reports(ctx, action.user, action.memberships, now)
	if err != nil {
		return err
	}
	reset, email := updater.writer.NewPasswordReset(action.user, now)
	_, err = updater.store.UpdateCredentials(ctx, action.user.ID, now,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			effects := storage.CredentialsEffects{
				Emails: reports, Reset: &storage.NewPasswordReset{PasswordReset: reset, Email: email}, Entries: action.entries,
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
	for i, m := range memberships {
		org, err := updater.store.Organisation(ctx, m.OrganisationID)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			notice := updater.writer.SecurityNotice(account.User{}, now, org.TimeZone()) // without the user's name
			email := emails.TwoStepReset(notice, user.Email)
			email.To = user.Email
			reports = append(reports, email)
		}
		team, err := u.teams.Team(ctx, m.OrganisationID)
		if err != nil {
			return nil, err
		}
		for _, owner := range team.Owners() {
			if owner.UserID == user.ID {
				continue
			}
			notice := emails.MemberNotice{
				Sender: updater.writer.Sender, FirstName: owner.FirstName, Organisation: org.Name,
				Link: updater.writer.PublicURL + "/vc-admin/diy/members", At: org.TimeZone().DateTime(now),
			}
			email := emails.MemberTwoStepReset(notice, user.Email)
			email.To = owner.Email
			reports = append(reports, email)
		}
	}
	return reports, nil
}
