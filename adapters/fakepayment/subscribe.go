package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const day = 24 * time.Hour

// Subscribe starts a subscription that charges the named card, or the customer's default card.
func (p *Provider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	return runOnce(ctx, p, "subscribe", req.Key, req, func(t *tx) (billing.Subscription, error) {
		c, amount, err := t.checkSubscribe(req)
		if err == nil {
			err = req.Quoted.Check(t.quoteStart(c, req, amount))
		}
		if err == nil && req.MethodID != "" {
			c, err = t.addDefaultCard(c, req.MethodID)
		}
		if err != nil {
			return billing.Subscription{}, err
		}
		cardID, err := t.cardToCharge(c, req.MethodID)
		if err != nil {
			return billing.Subscription{}, err
		}
		return t.billingSubscription(t.createSubscription(c, req, amount, cardID)), nil
	})
}

// QuoteSubscription returns the quote of the subscription that Subscribe would start. It requires no card.
func (p *Provider) QuoteSubscription(ctx context.Context, req payment.NewSubscription) (billing.Quote, error) {
	return run(ctx, p, func(t *tx) (billing.Quote, error) {
		c, amount, err := t.checkSubscribe(req)
		if err != nil {
			return billing.Quote{}, err
		}
		return t.quoteStart(c, req, amount), nil
	})
}

func (t *tx) quoteStart(c customer, req payment.NewSubscription, amount int64) billing.Quote {
	s := engine.StartSubscription(req.Price, amount, time.Duration(req.TrialDays)*day, t.now)
	return s.QuoteStart(c.Credit, engine.MinimumCharge(req.Price.Currency)).BillingQuote(req.Price.Currency, t)
}

// checkSubscribe returns the customer and the amount of one period, or the error of a refused request.
func (t *tx) checkSubscribe(req payment.NewSubscription) (customer, int64, error) {
	c, err := t.customer(req.CustomerID)
	if err == nil && c.Hold != billing.NoHold {
		err = billing.HoldConflict()
	}
	if err != nil {
		return c, 0, err
	}
	amount, err := t.priceAmount(req.Price)
	if err == nil {
		err = req.Check(c.Currency, t.subscriptionStatuses(c))
	}
	return c, amount, err
}

// subscriptionStatuses returns the statuses of the customer's subscriptions.
func (t *tx) subscriptionStatuses(c customer) (statuses []billing.Status) {
	for _, id := range c.SubscriptionIDs {
		statuses = append(statuses, t.subscriptions.rows[id].Status)
	}
	return statuses
}

// addDefaultCard saves the card to the customer, unless it is saved already, and makes it the default card.
func (t *tx) addDefaultCard(c customer, cardID string) (customer, error) {
	newCard, err := t.findSavableCard(c, cardID)
	if err != nil {
		return c, err
	}
	return t.setDefaultCard(t.attach(c, newCard), newCard.ID), nil
}

// cardToCharge returns the id of the card that a request charges: the card that the request names or, if methodID is "",
// the customer's default card. With Config.HostedPaymentPage it returns "" instead of the default card, because the customer
// chooses a card on a page.
func (t *tx) cardToCharge(c customer, methodID string) (string, error) {
	switch {
	case methodID != "" || t.config.HostedPaymentPage:
		return methodID, nil
	case c.DefaultCardID == "":
		return "", errNoCard()
	}
	return c.DefaultCardID, nil
}

func errNoCard() error {
	return fault.New(fault.Invalid, "The customer has no card to charge. Please add one first.")
}

// createSubscription stores the subscription and invoices its first period or its trial. It charges the card with the id.
func (t *tx) createSubscription(c customer, req payment.NewSubscription, amount int64, cardID string) subscription {
	s := t.chargePeriod(t.newSubscription(c, req, amount), cardID)
	if req.TrialDays > 0 && t.cards.rows[c.DefaultCardID].needsAuthentication() {
		s = t.authenticateTrial(s, c)
	}
	return s
}

// createUnconfirmedSubscription stores the subscription and invoices its first period. The customer has to confirm the
// payment, unless nothing is due.
func (t *tx) createUnconfirmedSubscription(c customer, req payment.NewSubscription, amount int64) subscription {
	s := t.newSubscription(c, req, amount)
	inv := t.beginInvoice(s, s.PeriodLines())
	s.LatestInvoiceID = inv.ID
	if inv.AmountDue == 0 {
		return t.payZeroInvoice(s, inv)
	}
	pi := t.storeWithNewPayment(s, inv)
	pi.Status = billing.RequiresConfirmation
	t.intents.put(pi)
	return t.subscriptions.rows[s.ID]
}

// newSubscription returns a new subscription without storing it, and adds its id to the customer.
func (t *tx) newSubscription(c customer, req payment.NewSubscription, amount int64) subscription {
	s := subscription{
		ID: newID(subscriptionPrefix), CustomerID: c.ID, StartKey: req.Key,
		Subscription: engine.StartSubscription(req.Price, amount, time.Duration(req.TrialDays)*day, t.now),
	}
	c.SubscriptionIDs = prependID(c.SubscriptionIDs, s.ID)
	c.Currency = s.Price.Currency
	t.saveCustomer(c)
	return s
}

// authenticateTrial opens an authentication of the customer's default card, if the card needs one,
// and cancels the previous one.
func (t *tx) authenticateTrial(s subscription, c customer) subscription {
	s = t.cancelSetup(s)
	id := newID(setupPrefix)
	pi := t.attempt(intent{
		ID: id, Kind: kindSetup, Secret: newID(id + secretInfix), CustomerID: c.ID, SubscriptionID: s.ID,
		Created: t.now,
	}, c.DefaultCardID)
	if pi.Status == billing.RequiresAction {
		s.SetupID = pi.ID
		t.intents.put(pi)
	}
	t.saveSubscription(s)
	return s
}

// cancelSetup cancels the trial's open authentication. The caller saves the subscription.
func (t *tx) cancelSetup(s subscription) subscription {
	if pi, ok := t.intents.get(s.SetupID); ok {
		pi.Status = billing.IntentCanceled
		t.intents.put(pi)
	}
	s.SetupID = ""
	return s
}
