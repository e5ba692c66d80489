package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// customerPatience is how long a verification waits for the payment provider before it goes on without.
const customerPatience = 5 * time.Second

// registrations finds registrations by the token that was sent to their e-mail address, and verifies
// them.
type registrations struct {
	store interface {
		storage.Verifications
		storage.Users
	}
	clock    clock.Clock
	customer *NewCustomer
	log      *slog.Logger
}

// find returns the user whom the token was sent to. NotFound when the token is unknown, too old, or
// its registration has expired or was deleted.
func (r registrations) find(ctx context.Context, token string) (account.User, error) {
	if token == "" {
		return account.User{}, errUnknownToken()
	}
	verification, err := r.store.Verification(ctx, hash(token))
	now := r.clock.Now()
	if err == nil && verification.Expired(now) {
		return account.User{}, errUnknownToken()
	}
	if err != nil {
		return account.User{}, orUnknownToken(err)
	}
	user, err := r.store.User(ctx, verification.UserID)
	if err == nil && user.RegistrationExpired(now) {
		return account.User{}, errUnknownToken()
	}
	return user, orUnknownToken(err)
}

// verify marks the user as verified, unless the registration was deleted or its password changed
// since the user was read, and makes the payment provider's customer.
func (r registrations) verify(ctx context.Context, user account.User) error {
	now, fresh := r.clock.Now(), false
	_, err := r.store.UpdateUser(ctx, user.ID, func(stored *account.User) error {
		if stored.RegistrationExpired(now) || stored.PasswordHash != user.PasswordHash {
			return errUnknownToken()
		}
		fresh = !stored.Verified()
		stored.Verify(now)
		return nil
	})
	if err != nil {
		return orUnknownToken(err)
	}
	if fresh {
		r.makeCustomer(ctx, user.OrganisationID)
	}
	return nil
}

// makeCustomer tries to make the provider's customer. A provider that is down never costs a
// verification: the plans page asks again when the customer is needed.
func (r registrations) makeCustomer(ctx context.Context, organisationID string) {
	if _, err := r.customer.create(ctx, organisationID, customerPatience); err != nil {
		r.log.WarnContext(ctx, "customer will be made later", "org", organisationID, "error", err)
	}
}

// orUnknownToken hides which of a token's parts was not found.
func orUnknownToken(err error) error {
	if fault.Is(err, fault.NotFound) {
		return errUnknownToken()
	}
	return err
}

func errUnknownToken() error {
	return fault.New(fault.NotFound, "This link is unknown or too old.")
}
