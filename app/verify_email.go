package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// VerifyEmail believes that an e-mail address belongs to whoever brings the token sent to it.
type VerifyEmail struct {
	store interface {
		storage.Verifications
		storage.Users
	}
	clock clock.Clock
}

// Do marks the token's user as verified; a second time changes nothing. A token that is unknown or
// too old is NotFound.
func (u *VerifyEmail) Do(ctx context.Context, token string) error {
	if token == "" {
		return errUnknownToken()
	}
	verification, err := u.store.Verification(ctx, hash(token))
	now := u.clock.Now()
	if fault.Is(err, fault.NotFound) || err == nil && verification.Expired(now) {
		return errUnknownToken()
	}
	if err != nil {
		return err
	}
	_, err = u.store.UpdateUser(ctx, verification.UserID, func(user *account.User) error {
		if !user.Verified() {
			user.VerifiedAt = now
		}
		return nil
	})
	return err
}

func errUnknownToken() error {
	return fault.New(fault.NotFound, "This link is unknown or too old.")
}
