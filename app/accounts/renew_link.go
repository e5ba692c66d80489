package accounts

import (
	"context"

	"github.com/vc-admin/diy/app/internal/accountemails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// RenewLink sends a user a new link, for an operator.
type RenewLink struct {
	store  storage.Credentials
	clock  clock.Clock
	writer accountemails.Writer
}

// Do sends the email of the kind to the user, as ResendVerification and ForgotPassword do, and adds the entry to the
// audit log of its organisation. It returns NotFound for an unknown user. It returns Conflict for a verification email to
// a verified user, for a password reset of an unverified one, and for an expired registration.
func (u *RenewLink) Do(ctx context.Context, userID string, kind storage.EmailKind, entry audit.Entry) error {
	now := u.clock.Now()
	_, err := u.store.UpdateCredentials(ctx, userID, now, func(c *account.Credentials) (storage.CredentialsEffects, error) {
		effects := storage.CredentialsEffects{Entries: []audit.Entry{entry}}
		switch {
		case !c.User.IsVerified() && c.User.IsRegistrationExpired(now):
			return effects, fault.New(fault.Conflict, "The registration has expired.")
		case c.User.IsVerified() != (kind == storage.PasswordResetEmail):
			return effects, fault.New(fault.Conflict, "The user was verified in the meantime. Open the form again.")
		case kind == storage.PasswordResetEmail:
			reset, email := u.writer.NewPasswordReset(c.User, now)
			effects.Reset = &storage.NewPasswordReset{PasswordReset: reset, Email: email, OrganisationID: entry.OrganisationID}
		default:
			verification, email := u.writer.NewVerification(c.User, now)
			effects.Verification = &storage.NewVerification{Verification: verification, Email: email}
		}
		return effects, nil
	})
	return err
}
