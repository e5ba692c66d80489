package app

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	emailRequestBatch = 20
	emailRequestLease = time.Minute // how long another server leaves a claimed request alone
)

// AnswerEmailRequests looks up the users whom emails were requested for, and puts the emails into the
// outbox. Any number of servers may run it at once.
type AnswerEmailRequests struct {
	store interface {
		storage.EmailRequests
		storage.Users
		storage.Verifications
		storage.PasswordResets
	}
	clock     clock.Clock
	emails    verificationEmails
	passwords passwordEmails
}

// Do answers what is due and returns how many requests it removed. A server that dies in between
// leaves its request to be answered again.
func (u *AnswerEmailRequests) Do(ctx context.Context) (int, error) {
	for answered := range emailRequestBatch {
		now := u.clock.Now()
		request, err := u.store.ClaimEmailRequest(ctx, now, now.Add(emailRequestLease))
		if fault.Is(err, fault.NotFound) {
			return answered, nil
		}
		if err == nil {
			err = u.answer(ctx, request)
		}
		if err == nil {
			err = u.store.FinishEmailRequest(ctx, request.ID)
		}
		if err != nil {
			return answered, err
		}
	}
	return emailRequestBatch, nil
}

func (u *AnswerEmailRequests) answer(ctx context.Context, request storage.EmailRequest) error {
	user, err := u.store.UserByEmail(ctx, request.Email)
	if err != nil {
		return unlessGone(err)
	}
	now := u.clock.Now()
	if user.RegistrationExpired(now) {
		return nil
	}
	return unlessGone(u.send(ctx, request.Kind, user, now))
}

func (u *AnswerEmailRequests) send(ctx context.Context, kind storage.EmailKind, user account.User, now time.Time) error {
	switch {
	case kind == storage.PasswordResetEmail:
		reset, email := u.passwords.reset(user, now)
		return u.store.AddPasswordReset(ctx, reset, email, now)
	case kind == storage.VerificationEmail && !user.Verified():
		verification, email := u.emails.compose(user)
		return u.store.AddVerification(ctx, verification, email, now)
	}
	return nil
}

// unlessGone takes a user who does not exist, or not any more, for an answer: there is nothing to send.
func unlessGone(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}
