package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// PreviewSubscription quotes StartSubscription.
func (p *Provider) PreviewSubscription(ctx context.Context, in payment.NewSubscription, amount int64) (out billing.Quote, err error) {
	err = p.transact(ctx, func(t *tx) error {
		c, err := t.customer(in.CustomerID)
		if err == nil {
			err = in.Check(c.Currency, nil)
		}
		if err == nil {
			out = t.quoteStart(c, in, amount)
		}
		return err
	})
	return out, err
}

// PreviewPrice quotes ChangePrice, in a trial with EndTrial.
func (p *Provider) PreviewPrice(ctx context.Context, in PriceChange) (out billing.Quote, err error) {
	err = p.transact(ctx, func(t *tx) error {
		s, err := t.subscription(in.SubscriptionID)
		to := engine.PlanChange{Price: in.To, Amount: in.Amount, At: t.prorationInstant(in.At), EndTrial: in.EndTrial}
		if err == nil {
			err = t.checkChange(s, to, payment.Now)
		}
		if err == nil {
			out = t.quoteChange(s, to, payment.Now)
		}
		return err
	})
	return out, err
}

// SetDetails sets what the customer's next invoices are addressed to, like UpdateCustomer.
func (p *Provider) SetDetails(ctx context.Context, customerID string, details account.BillingDetails) error {
	return p.transact(ctx, func(t *tx) error {
		c, err := t.customer(customerID)
		if err == nil {
			err = checkTaxID(details.TaxID)
		}
		if err == nil {
			t.setDetails(c, details)
		}
		return err
	})
}

// AddBalance adds to the customer's credit, like AddCredit, also while a subscription is on hold.
func (p *Provider) AddBalance(ctx context.Context, customerID string, amount money.Amount) error {
	return p.transact(ctx, func(t *tx) error {
		c, err := t.customer(customerID)
		if err == nil {
			err = checkBalance(c, amount)
		}
		if err == nil {
			t.addBalance(c, amount)
		}
		return err
	})
}

// MoveTrialEnd moves the end of a running trial to a later time, like ExtendTrial.
func (p *Provider) MoveTrialEnd(ctx context.Context, subscriptionID string, until time.Time) error {
	return p.transact(ctx, func(t *tx) error {
		s, err := t.subscription(subscriptionID)
		if err == nil {
			_, err = t.extendTrial(s, until)
		}
		return err
	})
}

// RefundInvoice returns a part of what was paid for an invoice, like Refund.
func (p *Provider) RefundInvoice(ctx context.Context, invoiceID string, amount money.Amount) error {
	return p.transact(ctx, func(t *tx) error {
		_, err := t.refund(invoiceID, amount)
		return err
	})
}
