package app

import (
	"context"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// ResendVerification sends the verification letter again.
type ResendVerification struct {
	store interface {
		storage.Verifications
		storage.Users
	}
	clock   clock.Clock
	letters verificationLetters
}

// Do sends a letter with a fresh token when the e-mail belongs to somebody who has not verified it
// yet, and does nothing otherwise. The caller can't tell which: nobody learns who has an account.
func (u *ResendVerification) Do(ctx context.Context, email string) error {
	user, err := u.store.UserByEmail(ctx, email)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil || user.Verified() {
		return err
	}
	verification, letter := u.letters.compose(user)
	return u.store.AddVerification(ctx, verification, letter, u.clock.Now())
}
