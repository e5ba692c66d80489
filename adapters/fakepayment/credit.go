package fakepayment

import (
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// AddCredit adds to the customer's credit. As at Stripe, the first credit sets the customer's currency.
func (p *Provider) AddCredit(ctx context.Context, req payment.CreditGrant) (billing.Customer, error) {
	return runOnce(ctx, p, "add credit", req.Key, req, func(t *tx) (billing.Customer, error) {
		c, err := t.customer(req.CustomerID)
		if err == nil {
			err = checkCredit(c, req.Amount)
		}
		if err != nil {
			return billing.Customer{}, err
		}
		return t.billingCustomer(t.addCredit(c, req.Amount)), nil
	})
}

// checkCredit returns an error if the amount can't be added to the customer's credit.
func checkCredit(c customer, amount money.Amount) error {
	switch {
	case c.Hold != billing.NoHold:
		return billing.HoldConflict()
	case amount.Minor() <= 0:
		return fault.New(fault.Invalid, "The credit must be positive.")
	case c.Currency != "" && c.Currency != amount.Currency().Code:
		return errOtherCurrency(c)
	}
	return nil
}

func errOtherCurrency(c customer) error {
	return fault.Newf(fault.Invalid, "The customer pays in %s.", c.Currency)
}

// addCredit adds to the customer's credit and emits an event.
func (t *tx) addCredit(c customer, amount money.Amount) customer {
	c = c.withCreditChange(amount.Minor())
	c.Currency = amount.Currency().Code
	t.customers.put(c)
	t.emit("customer.updated", customerObject(c))
	return c
}

// unspentCredit returns the customer's unspent credit, including held credit.
func (c customer) unspentCredit() int64 { return max(c.Credit, 0) + c.HeldCredit }

// withCreditChange returns the customer with the credit changed by an amount that may be negative. If the customer is on
// hold, the held credit is changed. It can't become negative, so the customer owes the rest of a larger amount.
func (c customer) withCreditChange(amount int64) customer {
	if c.Hold == billing.NoHold {
		c.Credit += amount
		return c
	}
	held := c.HeldCredit + amount
	c.HeldCredit = max(0, held)
	c.Credit += min(0, held)
	return c
}

// restoreCredit gives the credit that a voided invoice used back to the customer, less the amounts that are owed because
// of returned payments.
func (t *tx) restoreCredit(inv invoice) {
	if c, ok := t.customers.get(inv.CustomerID); ok && inv.Credit != 0 {
		t.saveCustomer(c.withCreditChange(inv.Credit - t.withdrawOwedCredit(c.ID, inv.Credit, inv.Created, engine.ReturnedPayment.WithdrawReturned)))
	}
}

// withdrawOwedCredit withdraws from new credit the amounts that the customer owes because of returned payments, and returns
// their sum. The credit was given for an invoice or a period that began at since; withdraw is the method of
// engine.ReturnedPayment for this kind of credit.
func (t *tx) withdrawOwedCredit(
	customerID string, credit int64, since time.Time,
	withdraw func(engine.ReturnedPayment, int64, time.Time) (engine.ReturnedPayment, int64),
) (withdrawn int64) {
	for _, inv := range (Snapshot{t}).CustomerInvoices(customerID) {
		var refunded, disputed int64
		inv.Refund, refunded = withdraw(inv.Refund, credit-withdrawn, since)
		inv.Dispute, disputed = withdraw(inv.Dispute, credit-withdrawn-refunded, since)
		if refunded+disputed > 0 {
			withdrawn += refunded + disputed
			t.invoices.put(inv)
		}
	}
	return withdrawn
}

// applyDeductions records the deductions of an invoice that is paid. It returns the deducted amount that the customer gets
// back; see engine.Deduction.Apply.
func (t *tx) applyDeductions(deductions []engine.Deduction) (surplus int64) {
	for _, d := range deductions {
		inv := t.invoices.rows[d.Invoice]
		var amount int64
		inv.Refund, inv.Dispute, amount = d.Apply(inv.Refund, inv.Dispute)
		t.invoices.put(inv)
		surplus += amount
	}
	return surplus
}

// creditToWithdraw returns how much of the credit from a plan change with the deductions is withdrawn because of returned
// payments.
func (t *tx) creditToWithdraw(s subscription, deductions []engine.Deduction) (sum int64) {
	since := t.lastRenewalTime(s)
	for _, inv := range (Snapshot{t}).CustomerInvoices(s.CustomerID) {
		sum += inv.Refund.OwedAmount(since) + inv.Dispute.OwedAmount(since)
	}
	return sum - engine.DeductedSum(deductions)
}

// lastRenewalTime returns when the subscription was last renewed, or when it was started. A plan change gives credit
// only for payments since then.
func (t *tx) lastRenewalTime(s subscription) time.Time {
	for _, inv := range (Snapshot{t}).SubscriptionInvoices(s.ID) {
		if inv.Status != invoiceVoid && !slices.ContainsFunc(inv.Lines, func(l engine.Line) bool { return l.Unused }) {
			return inv.Created
		}
	}
	return s.Created
}
