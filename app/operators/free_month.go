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

// GrantFreeMonth adds credit that pays a month of the organisation's plan. It is refused with the errors of
// billing.DecideFreeMonth.
type GrantFreeMonth struct {
	billingAction
	clock clock.Clock
}

func newGrantFreeMonth(runner actionRunner, c clock.Clock) *GrantFreeMonth {
	u := &GrantFreeMonth{clock: c}
	u.billingAction = billingAction{runner, MayGrantFreeMonth, audit.OperatorGrantedMonth, u.decide, u.describe}
	return u
}

func (u *GrantFreeMonth) decide(ctx context.Context, org account.Organisation) (decision, error) {
	grants, err := u.runner.doneEntries(ctx, storage.AuditQuery{
		OrganisationID: org.ID, Kind: audit.OperatorGrantedMonth, From: billing.FreeMonthsSince(u.clock.Now()),
	})
	if err != nil {
		return decision{}, err
	}
	actions, err := billing.DecideFreeMonth(&org.Billing, len(grants))
	if err != nil {
		return decision{}, err
	}
	credit := actions[0].Amount
	d := decision{actions: actions, subject: org.Billing.CustomerID, data: audit.Data{"amount": billing.AuditAmount(credit)}}
	d.effect.add("Plan", planName(*org.Billing.LiveSubscription()))
	d.effect.add("Free months in the last 12 months", strconv.Itoa(len(grants))+" of "+strconv.Itoa(billing.MaxFreeMonths))
	d.effect.add("Credit to add", credit.FormatWithCode())
	return d, nil
}

func (u *GrantFreeMonth) describe(ctx context.Context, org account.Organisation, d *decision) error {
	customer, err := u.runner.provider.Customer(ctx, org.Billing.CustomerID)
	if err == nil {
		d.effect.add("Credit today", customer.Credit.FormatWithCode())
	}
	return err
}
