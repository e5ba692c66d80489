package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// AddCredit adds to the customer's credit. As at Stripe, the first credit sets the customer's currency.
func (p *Provider) AddCredit(ctx context.Context, req payment.Credit) (billing.Customer, error) {
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
		return billing.ErrHold()
	case amount.Minor() <= 0:
		return fault.New(fault.Invalid, "The credit must be positive.")
	case c.Currency != "" && c.Currency != amount.Currency().Code:
		return errOtherCurrency(c)
	}
	return nil
}

// addCredit adds to the customer's credit and emits an event.
func (t *tx) addCredit(c customer, amount money.Amount) customer {
	c = c.withCreditChange(amount.Minor())
	c.Currency = amount.Currency().Code
	t.customers.put(c)
	t.emit("customer.updated", customerObject(c))
	return c
}

// ExtendTrial moves the end of a running trial.
func (p *Provider) ExtendTrial(ctx context.Context, req payment.TrialExtension) (billing.Subscription, error) {
	return p.updateOnce(ctx, "extend trial", req.Key, req.SubscriptionID, req, func(t *tx, s subscription) (subscription, error) {
		return t.extendTrial(s, req.Until)
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

func errOtherCurrency(c customer) error {
	return fault.Newf(fault.Invalid, "The customer pays in %s.", c.Currency)
}
