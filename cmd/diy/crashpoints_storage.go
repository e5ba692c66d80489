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

func (s *crashingStore) AddVerification(ctx context.Context, v account.Verification, letter mail.Message, at time.Time) error {
	return over(s.crash, "AddVerification", func() error { return s.Store.AddVerification(ctx, v, letter, at) })
}

func (s *crashingStore) SweepVerifications(ctx context.Context, before time.Time) error {
	return over(s.crash, "SweepVerifications", func() error { return s.Store.SweepVerifications(ctx, before) })
}

func (s *crashingStore) BeginOperation(ctx context.Context, op billing.Operation) (billing.Operation, error) {
	return through(s.crash, "BeginOperation", func() (billing.Operation, error) { return s.Store.BeginOperation(ctx, op) })
}

func (s *crashingStore) SettleOperation(ctx context.Context, key, result string, at time.Time) error {
	return over(s.crash, "SettleOperation", func() error { return s.Store.SettleOperation(ctx, key, result, at) })
}

func (s *crashingStore) ClaimLetters(ctx context.Context, now, until time.Time, limit int) ([]storage.Letter, error) {
	claimed, err := s.Store.ClaimLetters(ctx, now, until, limit)
	if len(claimed) > 0 { // most of the time there are none
		s.crash.pass("after", "ClaimLetters")
	}
	return claimed, err
}

func (s *crashingStore) FinishLetter(ctx context.Context, id string) error {
	return over(s.crash, "FinishLetter", func() error { return s.Store.FinishLetter(ctx, id) })
}

func (s *crashingStore) PostponeLetter(ctx context.Context, id string, due time.Time) error {
	return over(s.crash, "PostponeLetter", func() error { return s.Store.PostponeLetter(ctx, id, due) })
}

func (s *crashingStore) RecordEvent(ctx context.Context, id, kind string, at time.Time) error {
	return over(s.crash, "RecordEvent", func() error { return s.Store.RecordEvent(ctx, id, kind, at) })
}
