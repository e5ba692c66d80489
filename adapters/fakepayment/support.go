package fakepayment

import (
	"context"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// AddCredit adds to the customer's credit. As at Stripe, the first credit fixes the currency.
func (p *Provider) AddCredit(ctx context.Context, in payment.Credit) (billing.Customer, error) {
	return runOnce(ctx, p, "add credit", in.Key, in, func(t *tx) (billing.Customer, error) {
		c, err := t.customer(in.CustomerID)
		if err == nil {
			err = t.checkCredit(c, in.Amount)
		}
		if err != nil {
			return billing.Customer{}, err
		}
		return t.billingCustomer(t.addCredit(c, in.Amount)), nil
	})
}

// checkCredit reports why the amount can't be added to the customer's credit, if it can't.
func (t *tx) checkCredit(c customer, amount money.Amount) error {
	for _, id := range c.Subscriptions {
		if s := t.subscriptions.rows[id]; s.Status.Live() && s.Hold != billing.NoHold {
			return fault.New(fault.Conflict, "A payment of this customer was disputed or refunded.")
		}
	}
	return checkCreditAmount(c, amount)
}

// checkCreditAmount validates the amount to be added to the customer's credit.
func checkCreditAmount(c customer, amount money.Amount) error {
	switch {
	case amount.Minor() <= 0:
		return fault.New(fault.Invalid, "The credit must be positive.")
	case c.Currency != "" && c.Currency != amount.Currency().Code:
		return fault.Newf(fault.Invalid, "The customer pays in %s.", c.Currency)
	}
	return nil
}

// addCredit adds to the customer's credit and emits an event.
func (t *tx) addCredit(c customer, amount money.Amount) customer {
	c.Credit += amount.Minor()
	c.Currency = amount.Currency().Code
	t.customers.put(c)
	t.emit("customer.updated", customerObject(c))
	return c
}

// ExtendTrial moves the end of a running trial.
func (p *Provider) ExtendTrial(ctx context.Context, in payment.TrialExtension) (billing.Subscription, error) {
	return p.updateOnce(ctx, "extend trial", in.Key, in.SubscriptionID, in, func(t *tx, s subscription) (subscription, error) {
		return t.extendTrial(s, in.Until)
	})
}

func (t *tx) extendTrial(s subscription, until time.Time) (subscription, error) {
	until = until.UTC().Truncate(time.Second)
	if err := s.CheckTrialExtension(until); err != nil {
		return s, err
	}
	s.Subscription = s.ExtendTrial(until)
	t.saveSubscription(s)
	return s, nil
}

// Refund returns a part of what was paid for an invoice and puts the subscription on hold.
func (p *Provider) Refund(ctx context.Context, in payment.Refund) (billing.Invoice, error) {
	return runOnce(ctx, p, "refund", in.Key, in, func(t *tx) (billing.Invoice, error) {
		inv, err := t.refund(in.InvoiceID, in.Amount)
		if err != nil {
			return billing.Invoice{}, err
		}
		return t.listedInvoice(inv), nil
	})
}

func (t *tx) refund(invoiceID string, amount money.Amount) (invoice, error) {
	inv, found := t.invoices.get(invoiceID)
	switch {
	case !found:
		return inv, errNoInvoice()
	case amount.Minor() <= 0 || amount.Currency().Code != inv.Currency:
		return inv, fault.Newf(fault.Invalid, "The refund must be a positive amount of %s.", inv.Currency)
	case amount.Minor() > inv.paid()-inv.Refunded:
		return inv, fault.New(fault.Conflict, "More than was paid can't be refunded.")
	}
	inv.Refunded += amount.Minor()
	t.invoices.put(inv)
	s := t.subscriptions.rows[inv.Subscription]
	if s.Hold == billing.NoHold {
		s.Hold = billing.HoldRefunded
	}
	t.subscriptions.put(s) // as at Stripe, the event is about the charge alone
	t.emit("charge.refunded", chargeObject(inv))
	return inv, nil
}

// Dispute disputes the charge of a paid invoice, as the cardholder does at the bank, and puts the
// subscription on hold. Disputing it again changes nothing.
func (p *Provider) Dispute(ctx context.Context, invoiceID string) error {
	return p.transact(ctx, func(t *tx) error {
		inv, found := t.invoices.get(invoiceID)
		switch {
		case !found:
			return errNoInvoice()
		case inv.paid() == 0:
			return fault.New(fault.Conflict, "Nothing was paid for this invoice.")
		case inv.Disputed:
			return nil
		}
		inv.Disputed = true
		t.invoices.put(inv)
		s := t.subscriptions.rows[inv.Subscription]
		s.Hold = billing.HoldDisputed
		t.subscriptions.put(s)
		dispute := chargeObject(inv)
		dispute.Charge, dispute.Object, dispute.ID = dispute.ID, "dispute", "dp_"+strings.TrimPrefix(inv.ID, invoicePrefix)
		t.emit("charge.dispute.created", dispute)
		return nil
	})
}
