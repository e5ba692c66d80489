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
func (p *storedPayment) toPayment() gateway.Payment {
	payment := p.Payment
	payment.Disputes = slices.Clone(p.disputes)
	for _, r := range p.refunds {
		payment.Refunds = append(payment.Refunds, r.Refund)
	}
	if p.account != nil && p.account.ref != "" {
		payment.Method = &gateway.Method{Ref: p.account.ref, Details: p.account.details}
	}
	return payment
}

// setState sets a state other than open and clears the fields of open and processing payments.
func (p *storedPayment) setState(s gateway.State) {
	p.State, p.URL, p.Secret, p.ExpiresAt, p.ExpectedBy = s, "", "", time.Time{}, time.Time{}
}

func (p *storedPayment) fail(d gateway.Decline, reason string) {
	p.setState(gateway.Failed)
	p.Decline, p.Reason = d, reason
}

// advance applies all changes that are due, and reports whether the payment or a refund has changed.
func (p *storedPayment) advance(c Config, now time.Time) (changed bool) {
	stateBefore := p.State
	if p.State == gateway.Open && !now.Before(p.ExpiresAt) {
		p.setState(gateway.Canceled)
	}
	if p.State == gateway.Processing && !now.Before(p.settlesAt) {
		p.setState(gateway.Paid)
		if p.account.behaviour == FailsLate && p.Amount.Minor() > 0 {
			p.fail(gateway.SoftDecline, "Your bank account has insufficient funds.")
		}
	}
	if p.State == gateway.Paid && p.isReturnDue(c, now) {
		p.setState(gateway.Returned)
		p.Reason = "Your bank returned the payment."
	}
	return p.settleRefunds(now) || p.State != stateBefore
}

// changeTimes returns when the payment and its refunds change without a request.
func (p *storedPayment) changeTimes(c Config) (times []time.Time) {
	switch {
	case p.State == gateway.Open:
		times = append(times, p.ExpiresAt)
	case p.State == gateway.Processing:
		times = append(times, p.settlesAt)
	case p.State == gateway.Paid && p.isReturnDue(c, p.settlesAt.Add(c.ReturnWindow)):
		times = append(times, p.settlesAt.Add(c.ReturnWindow))
	}
	for _, r := range p.refunds {
		if r.State == gateway.Processing {
			times = append(times, r.settlesAt)
		}
	}
	return times
}

// isReturnDue reports whether the return of the paid payment by the bank is due.
func (p *storedPayment) isReturnDue(c Config, now time.Time) bool {
	isReturnable := p.account.behaviour == ReturnsLate && p.Amount.Minor() > 0 && c.ReturnWindow > 0 && len(p.disputes) == 0
	return isReturnable && !now.Before(p.settlesAt.Add(c.ReturnWindow))
}

func (p *storedPayment) settleRefunds(now time.Time) (changed bool) {
	for _, r := range p.refunds {
		if r.State != gateway.Processing || now.Before(r.settlesAt) {
			continue
		}
		changed = true
		r.State = gateway.Paid
		if p.account.behaviour == FailsRefunds {
			r.State = gateway.Failed
		}
	}
	return changed
}

// refundWithKey returns the refund with the key.
func (p *storedPayment) refundWithKey(key string) gateway.Refund {
	for _, r := range p.refunds {
		if r.Key == key {
			return r.Refund
		}
	}
	return gateway.Refund{}
}

// returnableAmount returns the part of the payment, in minor units, that was neither refunded nor disputed.
func (p *storedPayment) returnableAmount() int64 {
	returnable := p.Amount.Minor()
	for _, r := range p.refunds {
		if r.State != gateway.Failed {
			returnable -= r.Amount.Minor()
		}
	}
	for _, d := range p.disputes {
		if d.Status != billing.DisputeWon {
			returnable -= d.Amount.Minor()
		}
	}
	return returnable
}

// refund begins to return a part of the payment. It returns Conflict for an amount above returnableAmount.
func (f *Provider) refund(p *storedPayment, key string, amount money.Amount) (*storedRefund, error) {
	switch {
	case amount.Minor() <= 0 || amount.Currency() != p.Amount.Currency():
		return nil, fault.New(fault.Invalid, "The refund must be an amount in the currency of the payment.")
	case p.State != gateway.Paid || amount.Minor() > p.returnableAmount():
		return nil, fault.New(fault.Conflict, "The refund exceeds what was paid and neither refunded nor disputed.")
	}
	now := f.config.Clock.Now()
	r := &storedRefund{
		Refund:    gateway.Refund{Key: key, Ref: f.newRef("refund"), Amount: amount, State: gateway.Processing},
		settlesAt: now.Add(f.config.settlement(p.account.details.Kind)),
	}
	p.refunds = append(p.refunds, r)
	p.advance(f.config, now)
	f.recordChange(p)
	return r, nil
}

// ReturnPart lets the bank take back a part of a paid payment. The payment stays paid.
func (f *Provider) ReturnPart(paymentRef string, amount money.Amount) error {
	defer f.unlock()
	if err := f.lockAndAdvance(); err != nil {
		return err
	}
	p, err := f.find(gateway.Reference{Ref: paymentRef})
	if err != nil {
		return err
	}
	r, err := f.refund(p, "", amount)
	if err == nil {
		r.State = gateway.Paid
	}
	return err
}

// RefundByHand refunds a part of a payment, as an operator does in the provider's dashboard.
func (f *Provider) RefundByHand(paymentRef string, amount money.Amount) error {
	defer f.unlock()
	if err := f.lockAndAdvance(); err != nil {
		return err
	}
	p, err := f.find(gateway.Reference{Ref: paymentRef})
	if err != nil {
		return err
	}
	_, err = f.refund(p, "", amount)
	return err
}
