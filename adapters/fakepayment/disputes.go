package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// Dispute disputes the payment of an invoice, as the cardholder does at the bank. It withdraws the amount from the
// customer's credit and puts the customer on hold. It changes nothing while a dispute is open. After a won dispute, it
// opens another one.
func (p *Provider) Dispute(ctx context.Context, invoiceID string) error {
	return p.changeDispute(ctx, func(t *tx) (invoice, error) {
		isOpen := t.invoices.rows[invoiceID].disputeStatus() == billing.DisputeOpen
		inv, err := t.openDispute(invoiceID)
		if err == nil && !isOpen {
			t.stopPurchases(inv.CustomerID)
			t.putOnHold(inv.CustomerID)
		}
		return inv, err
	})
}

// CloseDispute ends the dispute of an invoice. If the dispute was won, the customer gets the withdrawn credit back. If all
// disputes of the hold were won, the hold ends.
func (p *Provider) CloseDispute(ctx context.Context, invoiceID string, won bool) error {
	return p.changeDispute(ctx, func(t *tx) (invoice, error) {
		isOpen := t.invoices.rows[invoiceID].disputeStatus() == billing.DisputeOpen
		inv, err := t.closeDispute(invoiceID, won)
		if err == nil && isOpen && won && !t.isHoldJustified(inv.CustomerID) {
			err = t.liftHold(inv.CustomerID)
		}
		return inv, err
	})
}

// changeDispute calls change, and then adjusts the customer's credit. change opens or closes a dispute and returns the
// invoice of the disputed payment.
func (p *Provider) changeDispute(ctx context.Context, change func(*tx) (invoice, error)) error {
	var spent spentCreditReport
	err := p.transact(ctx, func(t *tx) error {
		inv, err := change(t)
		if err == nil {
			spent = t.adjustCredit(inv.ID)
		}
		return err
	})
	spent.report(ctx, p, err)
	return err
}

// openDispute opens a dispute of the invoice's payment and returns the invoice. It changes nothing while a dispute is open.
func (t *tx) openDispute(invoiceID string) (invoice, error) {
	inv, ok := t.invoices.get(invoiceID)
	switch {
	case !ok:
		return inv, errNoInvoice()
	case inv.checkDispute() != nil:
		return inv, inv.checkDispute()
	case inv.disputeStatus() == billing.DisputeOpen:
		return inv, nil
	case inv.disputeStatus() == billing.DisputeWon:
		inv.DisputesWon++
	}
	inv.DisputedAt = append([]time.Time{t.now}, inv.DisputedAt...)
	inv.Disputed, inv.DisputeOutcome = true, ""
	inv.Returns = inv.Returns.Add(engine.Return{
		Kind: billing.ReturnByDispute, Amount: inv.amountDisputed(), At: t.now, Method: inv.PaidWith.paidMethod(),
		Dispute: billing.DisputeOpen,
	})
	t.invoices.put(inv)
	t.emit("charge.dispute.created", disputeObject(inv))
	return inv, nil
}

// checkDispute returns Conflict if the payment of the invoice can't be disputed.
func (i invoice) checkDispute() error {
	switch {
	case i.amountPaid() == 0:
		return errNothingPaid()
	case i.disputeStatus() == billing.DisputeLost:
		return fault.New(fault.Conflict, "A dispute has returned the payment of this invoice already.")
	}
	return nil
}

func errNothingPaid() error { return fault.New(fault.Conflict, "Nothing was paid for this invoice.") }

// closeDispute ends the dispute of the invoice's payment and returns the invoice. It changes nothing if the dispute has
// ended already.
func (t *tx) closeDispute(invoiceID string, won bool) (invoice, error) {
	inv, ok := t.invoices.get(invoiceID)
	switch {
	case !ok:
		return inv, errNoInvoice()
	case !inv.Disputed:
		return inv, fault.New(fault.Conflict, "The payment of this invoice is not disputed.")
	case inv.DisputeOutcome != "":
		return inv, nil
	}
	amount, outcome := inv.amountDisputed(), billing.DisputeLost
	if won {
		outcome = billing.DisputeWon
	}
	inv.DisputeOutcome, inv.Returns = outcome, inv.Returns.SetDispute(amount, outcome, t.now)
	t.invoices.put(inv)
	t.emit("charge.dispute.closed", disputeObject(inv))
	return inv, nil
}

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

// isHoldJustified reports whether a dispute of the customer that was opened after the last hold is open or was lost.
func (t *tx) isHoldJustified(customerID string) bool {
	for _, inv := range t.invoices.rows {
		if inv.CustomerID == customerID && inv.Returns.RequiresHold() {
			return true
		}
	}
	return false
}

// stopPurchases cancels the customer's pending and scheduled plan changes and ends subscriptions whose first payment is
// open.
func (t *tx) stopPurchases(customerID string) {
	for _, id := range t.customers.rows[customerID].SubscriptionIDs {
		s := t.subscriptions.rows[id]
		if s.HasScheduledChange() {
			s = t.cancelScheduledChange(s)
		}
		switch {
		case s.PaymentProcessing: // it can't be stopped
		case s.Status == billing.Incomplete:
			t.endAndVoid(s, billing.IncompleteExpired)
		case s.Pending.Invoice != "":
			t.cancelPendingChange(s)
		}
	}
}

// LiftHold ends the hold of a customer and makes the held credit available again.
func (p *Provider) LiftHold(ctx context.Context, req payment.HoldLift) (billing.Customer, error) {
	return runOnce(ctx, p, "lift hold", req.Key, req, func(t *tx) (billing.Customer, error) {
		err := t.liftHold(req.CustomerID)
		return t.billingCustomer(t.customers.rows[req.CustomerID]), err
	})
}

// liftHold ends the hold of a customer and makes the held credit available again. It does nothing without a hold.
func (t *tx) liftHold(customerID string) error {
	c, err := t.customer(customerID)
	if err != nil || c.Hold == billing.NoHold {
		return err
	}
	c.Hold = billing.NoHold
	c.Credit, c.HeldCredit = c.Credit+c.HeldCredit, 0
	t.customers.put(c)
	for _, inv := range t.invoices.rows {
		if inv.CustomerID == customerID && inv.Returns.RequiresHold() {
			inv.Returns = inv.Returns.LiftHold()
			t.invoices.put(inv)
		}
	}
	t.emit("customer.updated", customerObject(c))
	return nil
}
