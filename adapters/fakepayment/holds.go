package fakepayment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// putOnHold puts the customer on hold and moves the customer's credit to the held credit.
func (t *tx) putOnHold(customerID string) {
	c, err := t.customer(customerID)
	if err != nil {
		return // the customer was deleted
	}
	c.Hold = billing.HoldDisputed
	c.HeldCredit += max(c.Credit, 0)
	c.Credit = min(c.Credit, 0)
	t.customers.put(c)
	t.emit("customer.updated", customerObject(c))
}

// stopPurchases cancels the customer's pending and scheduled plan changes and ends subscriptions whose first payment is
// open.
func (t *tx) stopPurchases(customerID string) {
	for _, id := range t.customers.rows[customerID].SubscriptionIDs {
		s := t.subscriptions.rows[id]
		if s.PaymentProcessing {
			continue // a processing payment can't be stopped
		}
		if s.Status == billing.Incomplete {
			t.endAndVoid(s, billing.IncompleteExpired)
			continue
		}
		if s.Pending.Invoice != "" {
			s = t.cancelPendingChange(s)
		}
		if s.HasScheduledChange() {
			t.cancelScheduledChange(s)
		}
	}
}

// LiftHold ends the hold of a customer, who can use the held credit again.
func (p *Provider) LiftHold(ctx context.Context, req payment.HoldLift) (billing.Customer, error) {
	return runOnce(ctx, p, "lift hold", req.Key, req, func(t *tx) (billing.Customer, error) {
		c, err := t.customer(req.CustomerID)
		if err != nil || c.Hold == billing.NoHold {
			return t.billingCustomer(c), err
		}
		c.Hold = billing.NoHold
		c.Credit, c.HeldCredit = c.Credit+c.HeldCredit, 0
		t.customers.put(c)
		t.emit("customer.updated", customerObject(c))
		return t.billingCustomer(c), nil
	})
}
