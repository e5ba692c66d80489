package operators

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
)

// LiftHold ends an organisation's hold. Its form warns while a dispute is open. It is refused when the organisation is not on
// hold.
type LiftHold struct{ billingAction }

func newLiftHold(runner actionRunner) *LiftHold {
	u := &LiftHold{}
	u.billingAction = billingAction{runner, MayLiftHold, audit.OperatorLiftedHold, u.decide, u.describe}
	return u
}

func (u *LiftHold) decide(_ context.Context, org account.Organisation) (decision, error) {
	actions, err := billing.DecideLiftHold(&org.Billing)
	return decision{actions: actions, subject: org.Billing.CustomerID}, err
}

func (u *LiftHold) describe(ctx context.Context, org account.Organisation, d *decision) error {
	if org.Billing.CustomerID == "" {
		d.effect.add("Hold", "of a customer that was deleted at the payment provider")
		return nil
	}
	customer, err := u.runner.provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil {
		return err
	}
	payments, err := u.runner.provider.ReturnedPayments(ctx, org.Billing.CustomerID)
	if err != nil {
		return err
	}
	d.effect.add("Hold", "because a payment was disputed")
	d.effect.add("Credit that can be used again", customer.HeldCredit.FormatWithCode())
	for _, p := range payments {
		if p.Dispute == billing.NoDispute {
			continue
		}
		d.effect.add("Payment "+p.Payment, "dispute "+string(p.Dispute)+", "+p.Amount.FormatWithCode())
		if p.Dispute == billing.DisputeOpen {
			d.effect.Warning = "A dispute is still open. If the bank decides for the customer, the payment stays with the customer."
		}
	}
	return nil
}
