package accounts

import (
	"context"

	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// ForgotPassword requests a password reset email.
type ForgotPassword struct {
	store storage.EmailRequests
	clock clock.Clock
}

// Do stores the request for SendRequestedEmails. Neither the result nor the duration shows whether the
// address belongs to a user.
func (u *ForgotPassword) Do(ctx context.Context, email string) error {
	return requestEmail(ctx, u.store, storage.EmailRequest{
		Kind: storage.PasswordResetEmail, Email: email, RequestedAt: u.clock.Now(),
	})
}
