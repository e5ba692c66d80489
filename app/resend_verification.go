package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// ResendVerification asks for the verification email once more.
type ResendVerification struct {
	store storage.EmailRequests
	clock clock.Clock
}

// Do stores the request for AnswerEmailRequests, whatever the address: neither the answer nor the
// time it takes tells whether there is a user.
func (u *ResendVerification) Do(ctx context.Context, email string) error {
	return requestEmail(ctx, u.store, storage.EmailRequest{
		Kind: storage.VerificationEmail, Email: email, RequestedAt: u.clock.Now(),
	})
}

// requestEmail stores a request, unless its address can't belong to anyone.
func requestEmail(ctx context.Context, store storage.EmailRequests, r storage.EmailRequest) error {
	if !account.ValidEmail(r.Email) {
		return nil
	}
	r.Email = account.EmailKey(r.Email)
	return store.AddEmailRequest(ctx, r)
}
