package flows

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

// tappedStore taps the calls that use cases around payments make of the database.
type tappedStore struct {
	storage.Store
	tap *tap
}

// CreateSignup is tapped.
func (s *tappedStore) CreateSignup(ctx context.Context, in storage.Signup) error {
	_, err := through(s.tap, "CreateSignup", func() (struct{}, error) { return struct{}{}, s.Store.CreateSignup(ctx, in) })
	return err
}

// Organisation is tapped.
func (s *tappedStore) Organisation(ctx context.Context, id string) (account.Organisation, error) {
	return through(s.tap, "Organisation", func() (account.Organisation, error) { return s.Store.Organisation(ctx, id) })
}

// UpdateOrganisation is tapped.
func (s *tappedStore) UpdateOrganisation(
	ctx context.Context, id string, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	return through(s.tap, "UpdateOrganisation", func() (account.Organisation, error) {
		return s.Store.UpdateOrganisation(ctx, id, fn)
	})
}

// BeginOperation is tapped.
func (s *tappedStore) BeginOperation(ctx context.Context, op billing.Operation) (billing.Operation, error) {
	return through(s.tap, "BeginOperation", func() (billing.Operation, error) { return s.Store.BeginOperation(ctx, op) })
}

// PendingOperation is tapped.
func (s *tappedStore) PendingOperation(ctx context.Context, id string, kind billing.OperationKind) (billing.Operation, error) {
	return through(s.tap, "PendingOperation", func() (billing.Operation, error) { return s.Store.PendingOperation(ctx, id, kind) })
}

// SettleOperation is tapped.
func (s *tappedStore) SettleOperation(ctx context.Context, key, result string, at time.Time) (bool, error) {
	return through(s.tap, "SettleOperation", func() (bool, error) { return s.Store.SettleOperation(ctx, key, result, at) })
}

// OperationMade is tapped.
func (s *tappedStore) OperationMade(ctx context.Context, of storage.Made) (bool, error) {
	return through(s.tap, "OperationMade", func() (bool, error) { return s.Store.OperationMade(ctx, of) })
}

// RecordEvent is tapped.
func (s *tappedStore) RecordEvent(ctx context.Context, id, kind string, at time.Time) error {
	_, err := through(s.tap, "RecordEvent", func() (struct{}, error) {
		return struct{}{}, s.Store.RecordEvent(ctx, id, kind, at)
	})
	return err
}
