package app

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

// reconcileBatch is how many operations one round takes on.
const reconcileBatch = 50

// Reconcile settles what crashes and time-outs left in doubt, however old; see takeover. It may run
// on any number of servers at once.
type Reconcile struct {
	store interface {
		storage.Operations
		storage.Organisations
	}
	takeover *takeover
	customer *NewCustomer
	log      *slog.Logger
}

// Do settles the oldest operations in doubt and returns how many it could settle. One that can't
// be settled now is logged and left for the next round.
func (u *Reconcile) Do(ctx context.Context) (int, error) {
	ops, err := u.store.PendingOperations(ctx, u.takeover.age(), reconcileBatch)
	if err != nil {
		return 0, err
	}
	settled := 0
	for _, op := range ops {
		if err := u.one(ctx, op); err != nil {
			u.log.WarnContext(ctx, "operation still in doubt", "org", op.OrganisationID, "kind", op.Kind, "error", err)
			continue
		}
		settled++
	}
	return settled, nil
}

// one settles one operation. If the operation did not create the organisation's customer, it is
// created now: the sign-up needs it.
func (u *Reconcile) one(ctx context.Context, op billing.Operation) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := u.takeover.do(ctx, op)
	if err != nil || op.Kind != billing.CustomerOperation {
		return err
	}
	org, err := u.store.Organisation(ctx, op.OrganisationID)
	if err != nil || org.Billing.CustomerID != "" {
		return err
	}
	if _, err = u.customer.create(ctx, op.OrganisationID, patience); inDoubt(err) {
		return err
	}
	return nil // created, or refused for good
}
