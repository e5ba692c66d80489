package accounts

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	emailRequestBatchSize = 20
	emailRequestLease     = time.Minute      // the time for which a claimed request is reserved for one server
	emailRequestDelay     = 10 * time.Second // the time until a failed request is repeated
)

// requestEmail stores the request. It ignores a request with an invalid address.
func requestEmail(ctx context.Context, store storage.EmailRequests, req storage.EmailRequest) error {
	if !account.ValidEmail(req.Email) {
		return nil
	}
	req.Email = account.EmailKey(req.Email)
	return store.AddEmailRequest(ctx, req)
}

// SendRequestedEmails looks up the users of requested emails and adds the emails to the outbox. Several
// servers may run it at the same time.
type SendRequestedEmails struct {
	store interface {
		storage.EmailRequests
		storage.Users
		storage.Verifications
		storage.PasswordResets
	}
	clock  clock.Clock
	writer emailWriter
}

// Do processes the requests that are due and returns their number. If a request fails, or the server crashes while it
// processes a request, the request is processed again.
func (u *SendRequestedEmails) Do(ctx context.Context) (int, error) {
	for count := range emailRequestBatchSize {
		now := u.clock.Now()
		req, err := u.store.ClaimEmailRequest(ctx, now, emailRequestLease)
		if fault.Is(err, fault.NotFound) {
			return count, nil
		}
		if err != nil {
			return count, err
		}
		if err = u.addRequestedEmail(ctx, req); err == nil {
			err = u.store.FinishEmailRequest(ctx, req.ID)
		}
		if err != nil {
			ctx := context.WithoutCancel(ctx)
			return count, errors.Join(err, u.store.PostponeEmailRequest(ctx, req.ID, now.Add(emailRequestDelay)))
		}
	}
	return emailRequestBatchSize, nil
}

// addRequestedEmail adds the requested email to the outbox if the address has a user who may receive it.
func (u *SendRequestedEmails) addRequestedEmail(ctx context.Context, req storage.EmailRequest) error {
	user, err := u.store.UserByEmail(ctx, req.Email)
	if err != nil {
		return fault.ReplaceNotFound(err, nil) // nothing is sent to an unknown address
	}
	now := u.clock.Now()
	if user.IsRegistrationExpired(now) {
		return nil
	}
	return fault.ReplaceNotFound(u.addToOutbox(ctx, req.Kind, user, now), nil)
}

// addToOutbox adds an email of the kind to the outbox. It adds no verification email for a verified user.
func (u *SendRequestedEmails) addToOutbox(ctx context.Context, kind storage.EmailKind, user account.User, now time.Time) error {
	switch {
	case kind == storage.PasswordResetEmail:
		reset, email := u.writer.newPasswordReset(user, now)
		return u.store.AddPasswordReset(ctx, reset, email, now)
	case kind == storage.VerificationEmail && !user.IsVerified():
		verification, email := u.writer.newVerification(user, now)
		return u.store.AddVerification(ctx, verification, email, now)
	}
	return nil
}

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
