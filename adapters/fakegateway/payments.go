package fakegateway

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
)

// storedPayment is a payment in the provider's ledger.
type storedPayment struct {
	gateway.Payment // without Refunds, Disputes and Method, which toPayment adds
	customerRef     string
	returnTo        string
	account         *account // nil until the customer has chosen an account
	settlesAt       time.Time
	refunds         []*storedRefund
	disputes        []gateway.Dispute // oldest first
}

// storedRefund is a refund in the provider's ledger. At settlesAt the money arrives or the refund fails.
type storedRefund struct {
	gateway.Refund
	settlesAt time.Time
}

// toPayment returns the payment as the provider reports it.
func (sp *storedPayment) toPayment() gateway.Payment {
	payment := sp.Payment
	payment.Disputes = slices.Clone(sp.disputes)
	for _, r := range sp.refunds {
		payment.Refunds = append(payment.Refunds, r.Refund)
	}
	if sp.account != nil && sp.account.ref != "" {
		payment.Method = &gateway.Method{Ref: sp.account.ref, Details: sp.account.details}
	}
	return payment
}

// setState sets a state other than open and clears the fields of open and processing payments.
func (sp *storedPayment) setState(s gateway.State) {
	sp.State, sp.URL, sp.Secret, sp.ExpiresAt, sp.ExpectedBy = s, "", "", time.Time{}, time.Time{}
}

func (sp *storedPayment) fail(d gateway.Decline, reason string) {
	sp.setState(gateway.Failed)
	sp.Decline, sp.Reason = d, reason
}

// advance applies all changes that are due, and reports whether the payment or a refund has changed.
func (sp *storedPayment) advance(c Config, now time.Time) (changed bool) {
	stateBefore := sp.State
	if sp.State == gateway.Open && !now.Before(sp.ExpiresAt) {
		sp.setState(gateway.Canceled)
	}
	if sp.State == gateway.Processing && !now.Before(sp.settlesAt) {
		sp.setState(gateway.Paid)
		if sp.account.behaviour == FailsLate && sp.Amount.Minor() > 0 {
			sp.fail(gateway.SoftDecline, "Your bank account has insufficient funds.")
		}
	}
	if sp.State == gateway.Paid && sp.isReturnDue(c, now) {
		sp.setState(gateway.Returned)
		sp.Reason = "Your bank returned the payment."
	}
	return sp.settleRefunds(now) || sp.State != stateBefore
}

// changeTimes returns when the payment and its refunds change without a request.
func (sp *storedPayment) changeTimes(c Config) (times []time.Time) {
	switch {
	case sp.State == gateway.Open:
		times = append(times, sp.ExpiresAt)
	case sp.State == gateway.Processing:
		times = append(times, sp.settlesAt)
	case sp.State == gateway.Paid && sp.isReturnDue(c, sp.settlesAt.Add(c.ReturnWindow)):
		times = append(times, sp.settlesAt.Add(c.ReturnWindow))
	}
	for _, r := range sp.refunds {
		if r.State == gateway.Processing {
			times = append(times, r.settlesAt)
		}
	}
	return times
}

// isReturnDue reports whether the return of the paid payment by the bank is due.
func (sp *storedPayment) isReturnDue(c Config, now time.Time) bool {
	isReturnable := sp.account.behaviour == ReturnsLate && sp.Amount.Minor() > 0 && c.ReturnWindow > 0 && len(sp.disputes) == 0
	return isReturnable && !now.Before(sp.settlesAt.Add(c.ReturnWindow))
}

func (sp *storedPayment) settleRefunds(now time.Time) (changed bool) {
	for _, r := range sp.refunds {
		if r.State != gateway.Processing || now.Before(r.settlesAt) {
			continue
		}
		changed = true
		r.State = gateway.Paid
		if sp.account.behaviour == FailsRefunds {
			r.State = gateway.Failed
		}
	}
	return changed
}

// refundWithKey returns the refund with the key.
func (sp *storedPayment) refundWithKey(key string) gateway.Refund {
	for _, r := range sp.refunds {
		if r.Key == key {
			return r.Refund
		}
	}
	return gateway.Refund{}
}

// returnableAmount returns the part of the payment, in minor units, that was neither refunded nor disputed.
func (sp *storedPayment) returnableAmount() int64 {
	returnable := sp.Amount.Minor()
	for _, r := range sp.refunds {
		if r.State != gateway.Failed {
			returnable -= r.Amount.Minor()
		}
	}
	for _, d := range sp.disputes {
		if d.Status != billing.DisputeWon {
			returnable -= d.Amount.Minor()
		}
	}
	return returnable
}

// refund begins to return a part of the payment. It returns Conflict for an amount above returnableAmount.
func (p *Provider) refund(sp *storedPayment, key string, amount money.Amount) (*storedRefund, error) {
	switch {
	case amount.Minor() <= 0 || amount.Currency() != sp.Amount.Currency():
		return nil, fault.New(fault.Invalid, "The refund must be an amount in the currency of the payment.")
	case sp.State != gateway.Paid || amount.Minor() > sp.returnableAmount():
		return nil, fault.New(fault.Conflict, "The refund exceeds what was paid and neither refunded nor disputed.")
	}
	now := p.config.Clock.Now()
	r := &storedRefund{
		Refund:    gateway.Refund{Key: key, Ref: p.newRef("refund"), Amount: amount, State: gateway.Processing},
		settlesAt: now.Add(p.config.settlement(sp.account.details.Kind)),
	}
	sp.refunds = append(sp.refunds, r)
	sp.advance(p.config, now)
	p.recordChange(sp)
	return r, nil
}

// ReturnPart lets the bank take back a part of a paid payment. The payment stays paid.
func (p *Provider) ReturnPart(paymentRef string, amount money.Amount) error {
	defer p.unlock()
	if err := p.lockAndAdvance(); err != nil {
		return err
	}
	sp, err := p.find(gateway.Reference{Ref: paymentRef})
	if err != nil {
		return err
	}
	r, err := p.refund(sp, "", amount)
	if err == nil {
		r.State = gateway.Paid
	}
	return err
}

// RefundByHand refunds a part of a payment, as an operator does in the provider's dashboard.
func (p *Provider) RefundByHand(paymentRef string, amount money.Amount) error {
	defer p.unlock()
	if err := p.lockAndAdvance(); err != nil {
		return err
	}
	sp, err := p.find(gateway.Reference{Ref: paymentRef})
	if err != nil {
		return err
	}
	_, err = p.refund(sp, "", amount)
	return err
}
