package app

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

// reconcileBatchSize limits the operations of one run of Reconcile.
const reconcileBatchSize = 50

// Reconcile settles operations of any age that crashes and timeouts have left pending. Several servers
// may run it at the same time.
type Reconcile struct {
	store interface {
		storage.Organisations
		storage.Operations
	}
	ops            *operation.Runner
	createCustomer *CreateCustomer
	detailsUpdater detailsUpdater
	log            *slog.Logger
}

// Do settles the oldest pending operations that are due and returns their number. It logs failures, which the
// next run repeats.
func (u *Reconcile) Do(ctx context.Context) (int, error) {
	ops, err := u.store.PendingOperations(ctx, u.ops.TakeoverAge(), reconcileBatchSize)
	if err != nil {
		return 0, err
	}
	settledCount := 0
	for _, op := range ops {
		if err := u.settle(ctx, op); err != nil {
			u.log.WarnContext(ctx, "operation not settled yet", "org", op.OrganisationID, "kind", op.Kind, "error", err)
			continue
		}
		settledCount++
	}
	return settledCount, nil
}

// settle settles one operation. If an operation should have created the organisation's customer but did not, settle
// creates the customer, because purchases need it. If the customer exists, and after an operation that sent billing
// details, settle sends the details and the contact email that were not sent yet.
func (u *Reconcile) settle(ctx context.Context, op storage.PendingOperation) error {
	ctx, cancel := context.WithTimeout(ctx, timeouts.Request)
	defer cancel()
	err := u.ops.TakeOver(ctx, op)
	if err == nil && op.Kind == billing.DetailsOperation {
		u.detailsUpdater.sendUnsentDetails(ctx, op.OrganisationID) // they may have changed since the operation began
	}
	if err != nil || op.Kind != billing.CustomerOperation {
		return err
	}
	org, err := u.store.Organisation(ctx, op.OrganisationID)
	if err != nil || org.Billing.CustomerID != "" {
		u.detailsUpdater.sendUnsentDetails(ctx, op.OrganisationID)
		return err
	}
	if _, err = u.createCustomer.create(ctx, op.OrganisationID, timeouts.Request); operation.IsOutcomeUnknown(err) {
		return err
	}
	return nil // created, or refused
}
