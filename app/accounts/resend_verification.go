package accounts

import (
	"context"

	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// ResendVerification requests another verification email.
type ResendVerification struct {
	store storage.EmailRequests
	clock clock.Clock
}

// Do stores the request for SendRequestedEmails. Neither the result nor the duration shows whether the
// address belongs to a user.
func (u *ResendVerification) Do(ctx context.Context, email string) error {
	return requestEmail(ctx, u.store, storage.EmailRequest{
		Kind: storage.VerificationEmail, Email: email, RequestedAt: u.clock.Now(),
	})
}
