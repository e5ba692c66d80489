package operators

import (
	"context"
	"strconv"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// GrantFreeMonth adds credit that pays a month of the organisation's plan.
type GrantFreeMonth struct {
	runner actionRunner
	clock  clock.Clock
}

// Preview returns the effect of a free month.
func (u *GrantFreeMonth) Preview(ctx context.Context, organisationID string) (Effect, error) {
	if err := Require(ctx, MayGrantFreeMonth); err != nil {
		return Effect{}, err
	}
	return u.runner.preview(ctx, organisationID, u.decide)
}

// Do adds the credit. It returns the errors of billing.FreeMonth.
func (u *GrantFreeMonth) Do(ctx context.Context, req ActionRequest) (ActionResult, error) {
	if err := Require(ctx, MayGrantFreeMonth); err != nil {
		return ActionResult{}, err
	}
	return u.runner.run(ctx, audit.OperatorGrantedMonth, req, nil, u.decide)
}

func (u *GrantFreeMonth) decide(ctx context.Context, org account.Organisation) (decision, error) {
	count, err := u.count(ctx, org)
	if err != nil {
		return decision{}, err
	}
	actions, err := billing.DecideFreeMonth(&org.Billing, count)
	if err != nil {
		return decision{}, err
	}
	customer, err := u.runner.provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil {
		return decision{}, err
	}
	credit := actions[0].Amount
	d := decision{actions: actions, subject: org.Billing.CustomerID, data: audit.Data{"amount": billing.AuditAmount(credit)}}
	d.effect.add("Plan", planName(*org.Billing.LiveSubscription()))
	d.effect.add("Credit to add", credit.FormatWithCode())
	d.effect.add("Credit today", customer.Credit.FormatWithCode())
	d.effect.add("Free months in the last 12 months", strconv.Itoa(count)+" of "+strconv.Itoa(billing.MaxFreeMonths))
	return d, nil
}

// count returns how many free months count towards billing.MaxFreeMonths.
func (u *GrantFreeMonth) count(ctx context.Context, org account.Organisation) (int, error) {
	grants, err := u.runner.doneEntries(ctx, storage.AuditQuery{
		OrganisationID: org.ID, Kind: audit.OperatorGrantedMonth, From: billing.FreeMonthsSince(u.clock.Now()),
	})
	return len(grants), err
}
