package app

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// reconcileBatch is how many operations one round takes on.
const reconcileBatch = 50

// Reconcile settles what crashes and time-outs left in doubt, however old, by asking the provider.
// It may run on any number of servers at once: settling twice is harmless.
type Reconcile struct {
	store interface {
		storage.Operations
		storage.Organisations
	}
	clock    clock.Clock
	settle   settler
	customer *NewCustomer
	log      *slog.Logger
}

// Do settles the oldest operations in doubt and returns how many it could settle. One that can't
// be settled now is logged and left for the next round.
func (u *Reconcile) Do(ctx context.Context) (int, error) {
	now := u.clock.Now()
	ops, err := u.store.PendingOperations(ctx, now.Add(-abandoned), reconcileBatch)
	if err != nil {
		return 0, err
	}
	settled := 0
	for _, op := range ops {
		if err := u.one(ctx, op); err != nil {
			u.log.WarnContext(ctx, "operation still in doubt", "org", op.OrganisationID, "lane", op.Lane, "error", err)
			continue
		}
		settled++
	}
	return settled, nil
}

// one settles one operation. A customer that did not come of it is made now: whoever signed up
// counts on it.
func (u *Reconcile) one(ctx context.Context, op billing.Operation) error {
	err := u.settle.do(ctx, op, u.clock.Now())
	if err != nil || op.Lane != billing.CustomerLane {
		return err
	}
	org, err := u.store.Organisation(ctx, op.OrganisationID)
	if err != nil || org.Billing.CustomerID != "" {
		return err
	}
	if _, err = u.customer.create(ctx, op.OrganisationID, patience); inDoubt(err) {
		return err
	}
	return nil // made, or refused for good
}
