package operators

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
)

// LiftHold ends an organisation's hold.
type LiftHold struct{ runner actionRunner }

// Preview returns the effect. It warns while a dispute is open.
func (u *LiftHold) Preview(ctx context.Context, organisationID string) (Effect, error) {
	if err := Require(ctx, MayLiftHold); err != nil {
		return Effect{}, err
	}
	return u.runner.preview(ctx, organisationID, u.decide)
}

// Do lifts the hold. It returns Conflict when the organisation is not on hold.
func (u *LiftHold) Do(ctx context.Context, req ActionRequest) (ActionResult, error) {
	if err := Require(ctx, MayLiftHold); err != nil {
		return ActionResult{}, err
	}
	return u.runner.run(ctx, audit.OperatorLiftedHold, req, nil, u.decide)
}

func (u *LiftHold) decide(ctx context.Context, org account.Organisation) (decision, error) {
	actions, err := billing.DecideLiftHold(&org.Billing)
	if err != nil {
		return decision{}, err
	}
	d := decision{actions: actions, subject: org.Billing.CustomerID}
	if org.Billing.CustomerID == "" {
		d.effect.add("Hold", "of a customer that was deleted at the payment provider")
		return d, nil
	}
	customer, err := u.runner.provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil {
		return decision{}, err
	}
	payments, err := u.runner.provider.ReturnedPayments(ctx, org.Billing.CustomerID)
	if err != nil {
		return decision{}, err
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
	return d, nil
}
