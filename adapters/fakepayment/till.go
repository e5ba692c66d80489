package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// What a provider's own API does in several steps and the port in one. A face that has such an
// API works with these; they take no key, because keeping keys is the face's business then.

// AttachCard saves a card to the customer, after the bank has had a look at it. The customer's
// default card stays what it was.
func (p *Provider) AttachCard(ctx context.Context, customerID, cardID string) error {
	return p.act(ctx, func(t *tx) error {
		c, err := t.customer(customerID)
		if err != nil {
			return err
		}
		found, err := t.savable(c, cardID)
		if err != nil {
			return err
		}
		t.attach(c, found)
		return nil
	})
}

// StartSubscription starts a subscription at the stated amount of one period, in minor units, and returns its
// id. Only what is to be paid now needs a card.
func (p *Provider) StartSubscription(ctx context.Context, in payment.NewSubscription, amount int64) (id string, err error) {
	err = p.act(ctx, func(t *tx) error {
		c, err := t.customer(in.CustomerID)
		if err != nil {
			return err
		}
		if err := mayBuy(c, in); err != nil {
			return err
		}
		if c.Default == "" && in.TrialDays == 0 {
			return errNoCard()
		}
		id = t.begin(c, in, amount).ID
		return nil
	})
	return id, err
}

// PriceChange moves a subscription to another price, whatever the present one.
type PriceChange struct {
	SubscriptionID string
	To             catalogue.PriceRef
	Amount         int64 // of one period, in minor units
	EndTrial       bool
	At             time.Time // the instant to calculate with; zero is now
}

// ChangePrice moves an active or trialing subscription to another price, which waits for its payment as
// with ChangePlan. A trial goes on, unless it is to end, and nothing is billed before its end.
func (p *Provider) ChangePrice(ctx context.Context, in PriceChange) error {
	return p.act(ctx, func(t *tx) error {
		s, err := t.subscription(in.SubscriptionID)
		if err != nil {
			return err
		}
		to := planChange{Price: in.To, Amount: in.Amount, At: t.instant(in.At), EndTrial: in.EndTrial}
		if err := t.changeable(s, in.To.Currency, in.EndTrial, to.At); err != nil {
			return err
		}
		if s.Status == billing.Trialing && !in.EndTrial {
			s.Price, s.Amount = in.To, in.Amount
			t.saveSubscription(s)
			return nil
		}
		t.change(s, to)
		return nil
	})
}

// EndSubscription ends a subscription now. What was open on it stays open, unless it was never paid at all.
func (p *Provider) EndSubscription(ctx context.Context, subscriptionID string) error {
	return p.act(ctx, func(t *tx) error {
		s, err := t.subscription(subscriptionID)
		switch {
		case err != nil:
			return err
		case s.Status == billing.Canceled || s.Status == billing.IncompleteExpired:
			return fault.New(fault.Conflict, "The subscription has ended.")
		case s.Status == billing.Incomplete:
			t.end(s, billing.IncompleteExpired)
			return nil
		}
		if s.Pending.Invoice != "" {
			s = t.discard(s)
		}
		s = t.dropSetup(s)
		s.Status = billing.Canceled
		t.saveSubscription(calm(s))
		return nil
	})
}

// ChargeInvoice tries an open invoice with a card of the customer's; how that went is told by the
// invoice's payment.
func (p *Provider) ChargeInvoice(ctx context.Context, invoiceID, cardID string) error {
	return p.act(ctx, func(t *tx) error {
		inv, err := t.openInvoice(invoiceID)
		if err != nil {
			return err
		}
		t.settle(t.attempt(t.intents.rows[inv.Payment], cardID))
		return nil
	})
}

// VoidInvoice has nobody pay an open invoice any more.
func (p *Provider) VoidInvoice(ctx context.Context, invoiceID string) error {
	return p.act(ctx, func(t *tx) error {
		inv, err := t.openInvoice(invoiceID)
		if err != nil {
			return err
		}
		if s := t.subscriptions.rows[inv.Subscription]; s.Pending.Invoice == inv.ID {
			t.discard(s)
			return nil
		}
		t.void(inv)
		return nil
	})
}

func (t *tx) openInvoice(id string) (invoice, error) {
	inv, found := t.invoices.get(id)
	switch {
	case !found:
		return inv, errNoInvoice()
	case inv.Status != invoiceOpen:
		return inv, fault.New(fault.Conflict, "The invoice is not open.")
	}
	return inv, nil
}
