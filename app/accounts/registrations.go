package accounts

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// registrations finds registrations by the token of their verification email, and verifies them.
type registrations struct {
	store interface {
		storage.Verifications
		storage.Users
	}
	clock            clock.Clock
	createCustomer   func(ctx context.Context, organisationID string) error
	addressConfirmed func(ctx context.Context, email string)
	log              *slog.Logger
}

// find returns the user of the token. NotFound when the token is unknown or too old, or the registration
// has expired or was deleted.
func (r registrations) find(ctx context.Context, token string) (account.User, error) {
	if token == "" {
		return account.User{}, account.ErrUnknownLink()
	}
	verification, err := r.store.Verification(ctx, ids.Hash(token))
	now := r.clock.Now()
	if err == nil && verification.Expired(now) {
		return account.User{}, account.ErrUnknownLink()
	}
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	user, err := r.store.User(ctx, verification.UserID)
	if err == nil && user.RegistrationExpired(now) {
		return account.User{}, account.ErrUnknownLink()
	}
	return user, fault.ReplaceNotFound(err, account.ErrUnknownLink())
}

// verify marks the user as verified and creates the customer at the payment provider. NotFound when the
// registration was deleted or its password was changed after the user was read.
func (r registrations) verify(ctx context.Context, user account.User) error {
	now, newlyVerified := r.clock.Now(), false
	_, err := r.store.UpdateUser(ctx, user.ID, func(stored *account.User) error {
		if stored.RegistrationExpired(now) || stored.PasswordHash != user.PasswordHash {
			return account.ErrUnknownLink()
		}
		newlyVerified = !stored.Verified()
		stored.Verify(now)
		return nil
	})
	if err != nil {
		return fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	r.verified(ctx, user, newlyVerified)
	return nil
}

// verified is called after the owner of the user's address has opened a link that was sent to it. It creates the
// customer of a new user. A failure is only logged: the plans page requests the customer again.
func (r registrations) verified(ctx context.Context, user account.User, isNew bool) {
	r.addressConfirmed(ctx, user.Email)
	if !isNew {
		return
	}
	if err := r.createCustomer(ctx, user.OrganisationID); err != nil {
		r.log.WarnContext(ctx, "customer not created yet", "org", user.OrganisationID, "error", err)
	}
}
