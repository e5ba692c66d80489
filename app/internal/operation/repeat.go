package operation

import (
	"context"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// CheckNotPending returns ErrRevisionChanged while an operation of the same request is pending, so that the request is
// decided again and joins it.
func (r *Runner) CheckNotPending(ctx context.Context, req Request) error {
	op, err := r.store.PendingOperation(ctx, req.OrganisationID, req.Kind)
	if err == nil && op.Fingerprint == req.fingerprint() {
		return storage.ErrRevisionChanged
	}
	return fault.ReplaceNotFound(err, nil)
}

// HasStarted reports whether an earlier execution of the same request has started or paid the subscription. It returns
// ErrRevisionChanged while that execution is pending.
func (r *Runner) HasStarted(ctx context.Context, req Request, subscriptionID string) (bool, error) {
	if err := r.CheckNotPending(ctx, req); err != nil {
		return false, err
	}
	return r.store.OperationSucceeded(ctx, storage.OperationQuery{
		OrganisationID: req.OrganisationID, Kind: req.Kind, Fingerprint: req.fingerprint(), Result: subscriptionID,
	})
}
