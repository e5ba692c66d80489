package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const day = 24 * time.Hour

// Subscribe starts a subscription that charges the customer's default card.
func (p *Provider) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	return once(ctx, p, "subscribe", in.Key, in, func(t *tx) (billing.Subscription, error) {
		c, amount, err := t.maySubscribe(in)
		if err == nil {
			c, err = t.withCard(c, in.CardID)
		}
		if err != nil {
			return billing.Subscription{}, err
		}
		return t.showSubscription(t.begin(c, in, amount)), nil
	})
}

// begin starts what the customer may have.
func (t *tx) begin(c customer, in payment.NewSubscription, amount int64) subscription {
	s := subscription{
		ID: newID(subscriptionPrefix), Customer: c.ID, Price: in.Price, Amount: amount, Created: t.now, MadeBy: in.Key,
	}
	t.enrol(c, s)
	if in.TrialDays > 0 {
		return t.startTrial(s, c, time.Duration(in.TrialDays)*day)
	}
	return t.startPaid(s)
}

// furthestTrial is Stripe's limit: two years.
const furthestTrial = 730

// maySubscribe refuses what breaks the provider's rules.
func (t *tx) maySubscribe(in payment.NewSubscription) (customer, int64, error) {
	c, err := t.customer(in.CustomerID)
	if err != nil {
		return c, 0, err
	}
	amount, err := t.amount(in.Price)
	if err == nil {
		err = mayBuy(c, in)
	}
	if err == nil {
		err = t.checkAlone(c, in)
	}
	return c, amount, err
}

// checkAlone refuses a customer that has a subscription which can be paid for still, or any.
func (t *tx) checkAlone(c customer, in payment.NewSubscription) error {
	for _, id := range c.Subscriptions {
		s := t.subscriptions.rows[id].Status
		if in.First || in.Sole && s != billing.Canceled && s != billing.IncompleteExpired {
			return fault.New(fault.Conflict, "The customer has a subscription already.")
		}
	}
	return nil
}

// withCard is the customer with the card as its default one, or with the default card it has when
// none is named. A card there must be.
func (t *tx) withCard(c customer, cardID string) (customer, error) {
	if cardID == "" {
		if c.Default == "" {
			return c, errNoCard()
		}
		return c, nil
	}
	found, err := t.savable(c, cardID)
	if err != nil {
		return c, err
	}
	return t.makeDefault(t.attach(c, found), found.ID), nil
}

// mayBuy refuses what no card would help.
func mayBuy(c customer, in payment.NewSubscription) error {
	switch {
	case in.TrialDays < 0 || in.TrialDays > furthestTrial:
		return fault.New(fault.Invalid, "A trial has 0 to 730 days.")
	case c.Currency != "" && c.Currency != in.Price.Currency:
		return fault.Newf(fault.Invalid, "The customer pays in %s and can't be charged in %s.", c.Currency, in.Price.Currency)
	}
	return nil
}

func errNoCard() error {
	return fault.New(fault.Invalid, "The customer has no card to charge. Please add one first.")
}

// enrol gives the subscription to the customer, whose currency it fixes.
func (t *tx) enrol(c customer, s subscription) {
	c.Subscriptions = inFront(c.Subscriptions, s.ID)
	c.Currency = s.Price.Currency
	t.saveCustomer(c)
}

// startPaid charges the first period now. It stays incomplete until that has worked.
func (t *tx) startPaid(s subscription) subscription {
	s.Status = billing.Incomplete
	s.Anchor, s.PeriodStart = t.now, t.now
	s.PeriodEnd = periodEnd(s.Anchor, s.PeriodStart, s.Price.Interval)
	return t.bill(s, s.Amount)
}

// startTrial bills nothing until the trial is over.
func (t *tx) startTrial(s subscription, c customer, length time.Duration) subscription {
	s.Status = billing.Trialing
	s.TrialEnd = t.now.Add(length)
	s.Anchor, s.PeriodStart, s.PeriodEnd = s.TrialEnd, t.now, s.TrialEnd
	s = t.bill(s, 0)
	if t.cards.rows[c.Default].asksHolder() {
		s = t.authenticateTrial(s, c)
	}
	return s
}

// authenticateTrial has the customer's default card authenticated while the trial runs, in place
// of whichever card that was asked for before.
func (t *tx) authenticateTrial(s subscription, c customer) subscription {
	s = t.dropSetup(s)
	id := newID(setupPrefix)
	in := t.attempt(intent{
		ID: id, Kind: kindSetup, Secret: newID(id + secretInfix), Customer: c.ID, Subscription: s.ID,
	}, c.Default)
	if in.Status == billing.RequiresAction {
		s.Setup = in.ID
		t.intents.put(in)
	}
	t.saveSubscription(s)
	return s
}

// dropSetup gives up the authentication that a trial waits for, without saving the subscription.
func (t *tx) dropSetup(s subscription) subscription {
	if in, waiting := t.intents.get(s.Setup); waiting {
		in.Status = billing.IntentCanceled
		t.intents.put(in)
	}
	s.Setup = ""
	return s
}
