package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// The methods in this file are for a server that offers a provider's API and stores idempotency keys itself, such as
// stripeserver. Such a server may call several of these methods where the application calls one method of
// payment.Provider.

// withCustomer calls fn with a customer in a transaction.
func (p *Provider) withCustomer(ctx context.Context, id string, fn func(*tx, customer) error) error {
	return p.transact(ctx, func(t *tx) error {
		c, err := t.customer(id)
		if err != nil {
			return err
		}
		return fn(t, c)
	})
}

// withSubscription calls fn with a subscription in a transaction.
func (p *Provider) withSubscription(ctx context.Context, id string, fn func(*tx, subscription) error) error {
	return p.transact(ctx, func(t *tx) error {
		s, err := t.subscription(id)
		if err != nil {
			return err
		}
		return fn(t, s)
	})
}

// AttachCard saves a card to the customer without making it the default. It returns Declined
// if the card can't be saved.
func (p *Provider) AttachCard(ctx context.Context, customerID, cardID string) error {
	return p.withCustomer(ctx, customerID, func(t *tx, c customer) error {
		newCard, err := t.findSavableCard(c, cardID)
		if err == nil {
			t.attach(c, newCard)
		}
		return err
	})
}

// StartSubscription starts a subscription with the amount of one period in minor units and returns
// its id. A card is required only without a trial. If unconfirmed is set, the customer has to confirm the payment.
func (p *Provider) StartSubscription(
	ctx context.Context, req payment.NewSubscription, amount int64, unconfirmed bool,
) (id string, err error) {
	return run(ctx, p, func(t *tx) (string, error) {
		c, err := t.customer(req.CustomerID)
		if err == nil {
			err = req.Check(c.Currency, nil)
		}
		if err == nil && c.DefaultCardID == "" && req.TrialDays == 0 {
			err = errNoCard()
		}
		if err != nil {
			return "", err
		}
		if unconfirmed {
			return t.createUnconfirmedSubscription(c, req, amount).ID, nil
		}
		return t.createSubscription(c, req, amount, c.DefaultCardID).ID, nil
	})
}

// PriceChange is a change to another price. Unlike payment.PriceChange, it does not name the current price.
type PriceChange struct {
	SubscriptionID string
	To             catalogue.PriceRef
	Amount         int64 // of one period, in minor units
	EndTrial       bool
	At             time.Time // the proration date; default: now
	// Returned is a further line of the invoice, without its price. The zero value adds none.
	Returned engine.Line
}

// ChangePrice moves an active or trialing subscription to another price, like ChangePlan. Without
// EndTrial a trial continues and nothing is invoiced.
func (p *Provider) ChangePrice(ctx context.Context, req PriceChange) error {
	return p.withSubscription(ctx, req.SubscriptionID, func(t *tx, s subscription) error {
		change := t.immediateChange(req)
		if err := t.checkChange(s, change, billing.ChangeNow); err != nil {
			return err
		}
		if s.Status == billing.Trialing && !req.EndTrial {
			s.Price, s.Amount = req.To, req.Amount
			t.saveSubscription(s)
			return nil
		}
		t.changeNow(s, change, req.returnedLines(s)...)
		return nil
	})
}

// SchedulePriceChange moves an active or trialing subscription to another price when its period or trial ends,
// like ChangePlan with AtRenewal. EndTrial and At are ignored.
func (p *Provider) SchedulePriceChange(ctx context.Context, req PriceChange) error {
	return p.withSubscription(ctx, req.SubscriptionID, func(t *tx, s subscription) error {
		change := engine.PriceChange{Price: req.To, Amount: req.Amount}
		if err := t.checkChange(s, change, billing.ChangeAtRenewal); err != nil {
			return err
		}
		t.changeAtRenewal(s, change)
		return nil
	})
}

// CancelScheduledPriceChange cancels a change that SchedulePriceChange has scheduled, if any.
func (p *Provider) CancelScheduledPriceChange(ctx context.Context, subscriptionID string) error {
	return p.withSubscription(ctx, subscriptionID, func(t *tx, s subscription) error {
		t.cancelScheduledChange(s)
		return nil
	})
}

// SetCancelAtPeriodEnd ends a subscription when its period or trial ends, like SetEndAtPeriodEnd. If cancel is false, it
// resumes the subscription.
func (p *Provider) SetCancelAtPeriodEnd(ctx context.Context, subscriptionID string, cancel bool) error {
	return p.withSubscription(ctx, subscriptionID, func(t *tx, s subscription) error {
		_, err := t.setEndAtPeriodEnd(s, cancel)
		return err
	})
}

// CancelKeepingInvoice ends a subscription immediately. It voids the open invoice of an incomplete subscription and leaves
// any other invoice open. CancelSubscription leaves only the invoice of a past due subscription open.
func (p *Provider) CancelKeepingInvoice(ctx context.Context, subscriptionID string) error {
	return p.withSubscription(ctx, subscriptionID, func(t *tx, s subscription) error {
		if err := t.checkCancel(s, false); err != nil {
			return err
		}
		switch s.Status {
		case billing.Canceled, billing.IncompleteExpired:
			return fault.New(fault.Conflict, "The subscription has ended.")
		case billing.Incomplete:
			t.endAndVoid(s, billing.IncompleteExpired)
		default:
			t.endKeepingInvoice(s, billing.Canceled)
		}
		return nil
	})
}

// ChargeInvoice charges an open invoice to a card. The invoice's payment shows the result.
func (p *Provider) ChargeInvoice(ctx context.Context, invoiceID, cardID string) error {
	return p.transact(ctx, func(t *tx) error {
		inv, err := t.requireOpenInvoice(invoiceID)
		if err != nil {
			return err
		}
		t.applyResult(t.attempt(t.intents.rows[inv.PaymentID], cardID))
		return nil
	})
}

// MarkPaidOutside marks an open invoice as paid without a charge, as an operator does after a payment outside of the
// provider.
func (p *Provider) MarkPaidOutside(ctx context.Context, invoiceID string) error {
	return p.transact(ctx, func(t *tx) error {
		inv, err := t.requireOpenInvoice(invoiceID)
		if err != nil {
			return err
		}
		if pi, ok := t.intents.get(inv.PaymentID); ok {
			pi.Status = billing.IntentCanceled
			t.intents.put(pi)
		}
		inv.PaidOutside = true
		t.markInvoicePaid(inv, t.subscriptions.rows[inv.SubscriptionID])
		return nil
	})
}

// VoidInvoice voids an open invoice. It cancels the pending change that waits for the payment of the invoice.
func (p *Provider) VoidInvoice(ctx context.Context, invoiceID string) error {
	return p.transact(ctx, func(t *tx) error {
		inv, err := t.requireOpenInvoice(invoiceID)
		if err != nil {
			return err
		}
		if s := t.subscriptions.rows[inv.SubscriptionID]; s.Pending.Invoice == inv.ID {
			t.cancelPendingChange(s)
			return nil
		}
		t.void(inv)
		return nil
	})
}

// requireOpenInvoice returns an open invoice. It returns Conflict for another status, and while the payment is processing.
func (t *tx) requireOpenInvoice(id string) (invoice, error) {
	inv, ok := t.invoices.get(id)
	switch {
	case !ok:
		return inv, errNoInvoice()
	case inv.Status != invoiceOpen:
		return inv, fault.New(fault.Conflict, "The invoice is not open.")
	case t.isProcessing(id):
		return inv, billing.ErrPaymentProcessing()
	}
	return inv, nil
}

// QuoteSubscriptionStart returns the quote of the subscription that StartSubscription would start.
func (p *Provider) QuoteSubscriptionStart(
	ctx context.Context, req payment.NewSubscription, amount int64,
) (billing.Quote, error) {
	return run(ctx, p, func(t *tx) (billing.Quote, error) {
		c, err := t.customer(req.CustomerID)
		if err == nil {
			err = req.Check(c.Currency, nil)
		}
		if err != nil {
			return billing.Quote{}, err
		}
		return t.quoteStart(c, req, amount), nil
	})
}

// QuotePriceChange returns the quote of the change that ChangePrice would make. In a trial, EndTrial must be set.
func (p *Provider) QuotePriceChange(ctx context.Context, req PriceChange) (billing.Quote, error) {
	return run(ctx, p, func(t *tx) (billing.Quote, error) {
		change := t.immediateChange(req)
		s, err := t.subscription(req.SubscriptionID)
		if err == nil {
			err = t.checkChange(s, change, billing.ChangeNow)
		}
		if err != nil {
			return billing.Quote{}, err
		}
		return t.quoteChange(s, change, billing.ChangeNow, req.returnedLines(s)...), nil
	})
}

// returnedLines returns the line Returned with the price of the subscription, if there is one.
func (c PriceChange) returnedLines(s subscription) []engine.Line {
	line := c.Returned
	if line.Amount == 0 {
		return nil
	}
	line.Price, line.Returned = s.Price, true
	return []engine.Line{line}
}

// immediateChange returns the change that ChangePrice makes.
func (t *tx) immediateChange(req PriceChange) engine.PriceChange {
	return engine.PriceChange{Price: req.To, Amount: req.Amount, At: t.prorationDate(req.At), EndTrial: req.EndTrial}
}

// AdjustCredit changes the customer's credit by an amount that may be negative, and returns the credit.
func (p *Provider) AdjustCredit(
	ctx context.Context, customerID string, amount money.Amount,
) (credit money.Amount, err error) {
	return run(ctx, p, func(t *tx) (money.Amount, error) {
		c, err := t.customer(customerID)
		if err == nil && c.Currency != "" && c.Currency != amount.Currency().Code {
			err = errOtherCurrency(c)
		}
		if err != nil {
			return money.Amount{}, err
		}
		c = t.addCredit(c, amount)
		return amountOf(c.Credit, c.Currency), nil
	})
}

// SetTrialEnd moves the end of a running trial to a later time, like ExtendTrial.
func (p *Provider) SetTrialEnd(ctx context.Context, subscriptionID string, until time.Time) error {
	return p.withSubscription(ctx, subscriptionID, func(t *tx, s subscription) error {
		_, err := t.extendTrial(s, until)
		return err
	})
}

// RefundKeepingCredit refunds a part of the payment of an invoice. Unlike Refund, it does not change the credit.
func (p *Provider) RefundKeepingCredit(ctx context.Context, invoiceID string, amount money.Amount) error {
	return p.transact(ctx, func(t *tx) error {
		_, err := t.refund(invoiceID, amount)
		return err
	})
}

// FailedRefund is a refund that the customer's bank has sent back.
type FailedRefund struct {
	ID        string
	InvoiceID string
	Amount    money.Amount
	Created   time.Time
}

// ReverseRefund reverses a refund that failed, with an event about the refund. It does not change the credit.
func (p *Provider) ReverseRefund(ctx context.Context, refund FailedRefund) error {
	return p.transact(ctx, func(t *tx) error {
		inv, ok := t.invoices.get(refund.InvoiceID)
		if !ok || inv.Refunded < refund.Amount.Minor() {
			return fault.New(fault.Conflict, "There is no such refund.")
		}
		inv.Refunded -= refund.Amount.Minor()
		inv.Returns = inv.Returns.Reduce(billing.ReturnRefund, refund.Amount.Minor())
		t.invoices.put(inv)
		t.emit("refund.failed", refundObject(inv, refund))
		return nil
	})
}

// OpenDisputeWithoutHold disputes the payment of an invoice. Unlike Dispute, it neither changes the credit nor puts the
// customer on hold.
func (p *Provider) OpenDisputeWithoutHold(ctx context.Context, invoiceID string) error {
	return p.transact(ctx, func(t *tx) error {
		_, err := t.openDispute(invoiceID)
		return err
	})
}

// CloseDisputeKeepingCredit ends the dispute of an invoice. Unlike CloseDispute, it does not change the credit.
func (p *Provider) CloseDisputeKeepingCredit(ctx context.Context, invoiceID string, won bool) error {
	return p.transact(ctx, func(t *tx) error {
		_, err := t.closeDispute(invoiceID, won)
		return err
	})
}
