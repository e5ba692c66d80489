package fakegateway

import (
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
)

// Dispute disputes an amount of a paid payment, as the customer does at the bank, and returns the reference of the dispute. An
// amount of 0 is everything that was neither refunded nor disputed. Dispute returns Conflict for an amount above that, and
// Unsupported if Config.Missing contains gateway.Disputes.
func (p *Provider) Dispute(paymentRef string, amount money.Amount) (ref string, err error) {
	if _, missing := p.config.Missing[gateway.Disputes]; missing {
		return "", fault.New(fault.Unsupported, "This payment provider reports no disputes.")
	}
	defer p.unlock()
	if err := p.lockAndAdvance(); err != nil {
		return "", err
	}
	sp, err := p.find(gateway.Reference{Ref: paymentRef})
	if err != nil {
		return "", err
	}
	if amount, err = sp.disputedAmount(amount); err != nil {
		return "", err
	}
	d := gateway.Dispute{
		Ref: p.newRef("dispute"), Amount: amount, Status: billing.DisputeOpen, Reason: "fraudulent", OpenedAt: p.config.Clock.Now(),
	}
	sp.disputes = append(sp.disputes, d)
	p.recordChange(sp)
	return d.Ref, nil
}

// disputedAmount returns the amount of a dispute for which amount is requested, or the reason why it is not possible.
func (sp *storedPayment) disputedAmount(amount money.Amount) (money.Amount, error) {
	returnable := sp.returnableAmount()
	if amount.Minor() == 0 {
		var err error
		if amount, err = money.New(returnable, sp.Amount.Currency().Code); err != nil {
			return amount, err
		}
	}
	switch {
	case amount.Minor() < 0 || amount.Currency() != sp.Amount.Currency():
		return amount, fault.New(fault.Invalid, "The disputed amount must be in the currency of the payment.")
	case sp.State != gateway.Paid || returnable == 0 || amount.Minor() > returnable:
		return amount, fault.New(fault.Conflict, "The amount exceeds what was paid and neither refunded nor disputed.")
	}
	return amount, nil
}

// CloseDispute decides the oldest open dispute of a payment, as the bank does. It returns Conflict if no dispute is open.
func (p *Provider) CloseDispute(paymentRef string, won bool) error {
	defer p.unlock()
	if err := p.lockAndAdvance(); err != nil {
		return err
	}
	sp, err := p.find(gateway.Reference{Ref: paymentRef})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(sp.disputes, func(d gateway.Dispute) bool { return d.Status == billing.DisputeOpen })
	if i < 0 {
		return fault.New(fault.Conflict, "The payment has no open dispute.")
	}
	sp.disputes[i].Status, sp.disputes[i].DecidedAt = billing.DisputeLost, p.config.Clock.Now()
	if won {
		sp.disputes[i].Status = billing.DisputeWon
	}
	p.recordChange(sp)
	return nil
}
