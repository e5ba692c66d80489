package app

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// settler ends operations that nobody is busy with any more, by asking the provider what there is.
type settler struct {
	store     operationStore
	customers payment.Customers
	sync      *syncBilling
}

// do brings our copy up to date and settles the operation with what came of it.
func (s settler) do(ctx context.Context, op billing.Operation, at time.Time) error {
	result, err := s.outcome(ctx, op, at)
	if err != nil {
		return err
	}
	return s.store.SettleOperation(ctx, op.Key, result, at)
}

// outcome is the id of what there is now, "" when there is nothing.
func (s settler) outcome(ctx context.Context, op billing.Operation, at time.Time) (string, error) {
	if op.Lane == billing.CustomerLane {
		return s.customer(ctx, op, at)
	}
	return s.subscription(ctx, op)
}

// customer finds the customer that was made for the organisation without our hearing of it. The
// key can't tell: a provider forgets it one day, and until then may repeat that it failed.
func (s settler) customer(ctx context.Context, op billing.Operation, at time.Time) (string, error) {
	org, err := s.store.Organisation(ctx, op.OrganisationID)
	if err != nil || org.Billing.CustomerID != "" {
		return org.Billing.CustomerID, err
	}
	found, err := s.customers.CustomerOf(ctx, payment.Owner{OrganisationID: org.ID, Email: org.ContactEmail})
	if fault.Is(err, fault.NotFound) {
		return "", nil
	}
	if err == nil {
		err = adopt(ctx, s.store, org.ID, found, at)
	}
	return found.ID, err
}

// subscription is the live one, unless it was made when nobody was busy with the operation any
// more: somebody else's doing must not look like this request's, whose card it is not charged on. A
// customer that is gone at the provider has none for sure.
func (s settler) subscription(ctx context.Context, op billing.Operation) (string, error) {
	org, err := s.sync.do(ctx, op.OrganisationID)
	if fault.Is(err, fault.NotFound) {
		return "", nil
	}
	live := org.Billing.Live()
	if err != nil || live == nil || live.CreatedAt.After(op.CreatedAt.Add(abandoned)) {
		return "", err
	}
	return live.ID, nil
}
