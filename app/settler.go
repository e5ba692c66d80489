package app

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// settler ends operations that nobody is busy with any more, by asking the provider what there is.
type settler struct {
	store storage.Operations
	sync  *syncBilling
}

// do brings our copy up to date and settles the operation with the subscription that came of it.
func (s settler) do(ctx context.Context, op billing.Operation, at time.Time) error {
	result, err := s.outcome(ctx, op)
	if err != nil {
		return err
	}
	return s.store.SettleOperation(ctx, op.Key, result, at)
}

// outcome is the id of the live subscription, "" when there is none: a customer that is gone at
// the provider has none for sure. A card needs no asking: the provider lists the cards whenever
// somebody looks.
func (s settler) outcome(ctx context.Context, op billing.Operation) (string, error) {
	if op.Lane != billing.SubscriptionLane {
		return "", nil
	}
	org, err := s.sync.do(ctx, op.OrganisationID)
	if fault.Is(err, fault.NotFound) {
		return "", nil
	}
	live := org.Billing.Live()
	if err != nil || live == nil {
		return "", err
	}
	return live.ID, nil
}
