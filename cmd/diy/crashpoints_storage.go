//go:build crashpoints

package main

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// crashingStore comes by a point before and after everything it writes.
type crashingStore struct {
	storage.Store
	crash *crash
}

func (s *crashingStore) CreateSignup(ctx context.Context, in storage.Signup) error {
	return over(s.crash, "CreateSignup", func() error { return s.Store.CreateSignup(ctx, in) })
}

func (s *crashingStore) UpdateOrganisation(
	ctx context.Context, id string, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	return through(s.crash, "UpdateOrganisation", func() (account.Organisation, error) {
		return s.Store.UpdateOrganisation(ctx, id, fn)
	})
}

func (s *crashingStore) UpdateUser(ctx context.Context, id string, fn func(*account.User) error) (account.User, error) {
	return through(s.crash, "UpdateUser", func() (account.User, error) { return s.Store.UpdateUser(ctx, id, fn) })
}

func (s *crashingStore) AddVerification(ctx context.Context, v account.Verification, email mail.Message, at time.Time) error {
	return over(s.crash, "AddVerification", func() error { return s.Store.AddVerification(ctx, v, email, at) })
}

func (s *crashingStore) SweepVerifications(ctx context.Context, before time.Time) error {
	return over(s.crash, "SweepVerifications", func() error { return s.Store.SweepVerifications(ctx, before) })
}

func (s *crashingStore) DeleteRegistration(ctx context.Context, userID string) (account.Organisation, error) {
	return through(s.crash, "DeleteRegistration", func() (account.Organisation, error) {
		return s.Store.DeleteRegistration(ctx, userID)
	})
}

func (s *crashingStore) SweepRegistrations(ctx context.Context, cutoff time.Time, limit int) ([]account.Organisation, error) {
	return through(s.crash, "SweepRegistrations", func() ([]account.Organisation, error) {
		return s.Store.SweepRegistrations(ctx, cutoff, limit)
	})
}

func (s *crashingStore) AddPasswordReset(ctx context.Context, r account.PasswordReset, email mail.Message, at time.Time) error {
	return over(s.crash, "AddPasswordReset", func() error { return s.Store.AddPasswordReset(ctx, r, email, at) })
}

func (s *crashingStore) UsePasswordReset(
	ctx context.Context, tokenHash string, email mail.Message, at time.Time, fn func(*account.User) error,
) (account.User, error) {
	return through(s.crash, "UsePasswordReset", func() (account.User, error) {
		return s.Store.UsePasswordReset(ctx, tokenHash, email, at, fn)
	})
}

func (s *crashingStore) SweepPasswordResets(ctx context.Context, before time.Time) error {
	return over(s.crash, "SweepPasswordResets", func() error { return s.Store.SweepPasswordResets(ctx, before) })
}

func (s *crashingStore) AddEmailRequest(ctx context.Context, r storage.EmailRequest) error {
	return over(s.crash, "AddEmailRequest", func() error { return s.Store.AddEmailRequest(ctx, r) })
}

func (s *crashingStore) ClaimEmailRequest(ctx context.Context, now, until time.Time) (storage.EmailRequest, error) {
	return through(s.crash, "ClaimEmailRequest", func() (storage.EmailRequest, error) {
		return s.Store.ClaimEmailRequest(ctx, now, until)
	})
}

func (s *crashingStore) FinishEmailRequest(ctx context.Context, id string) error {
	return over(s.crash, "FinishEmailRequest", func() error { return s.Store.FinishEmailRequest(ctx, id) })
}

func (s *crashingStore) BeginOperation(ctx context.Context, op billing.Operation) (billing.Operation, error) {
	return through(s.crash, "BeginOperation", func() (billing.Operation, error) { return s.Store.BeginOperation(ctx, op) })
}

func (s *crashingStore) SettleOperation(ctx context.Context, key, result string, at time.Time) (bool, error) {
	return through(s.crash, "SettleOperation", func() (bool, error) { return s.Store.SettleOperation(ctx, key, result, at) })
}

func (s *crashingStore) BeginPaymentAttempt(
	ctx context.Context, a billing.PaymentAttempt, check func([]billing.PaymentAttempt) error,
) error {
	return over(s.crash, "BeginPaymentAttempt", func() error { return s.Store.BeginPaymentAttempt(ctx, a, check) })
}

func (s *crashingStore) NoteNewCard(ctx context.Context, c billing.NewCard) error {
	return over(s.crash, "NoteNewCard", func() error { return s.Store.NoteNewCard(ctx, c) })
}

func (s *crashingStore) ForgetNewCard(ctx context.Context, organisationID, cardID string) error {
	return over(s.crash, "ForgetNewCard", func() error { return s.Store.ForgetNewCard(ctx, organisationID, cardID) })
}

func (s *crashingStore) ClaimEmails(ctx context.Context, now, until time.Time, limit int) ([]storage.Email, error) {
	claimed, err := s.Store.ClaimEmails(ctx, now, until, limit)
	if len(claimed) > 0 { // most of the time there are none
		s.crash.pass("after", "ClaimEmails")
	}
	return claimed, err
}

func (s *crashingStore) FinishEmail(ctx context.Context, id string) error {
	return over(s.crash, "FinishEmail", func() error { return s.Store.FinishEmail(ctx, id) })
}

func (s *crashingStore) PostponeEmail(ctx context.Context, id string, due time.Time) error {
	return over(s.crash, "PostponeEmail", func() error { return s.Store.PostponeEmail(ctx, id, due) })
}

func (s *crashingStore) RecordEvent(ctx context.Context, id, kind string, at time.Time) error {
	return over(s.crash, "RecordEvent", func() error { return s.Store.RecordEvent(ctx, id, kind, at) })
}
