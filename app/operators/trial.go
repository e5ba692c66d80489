package operators

import (
	"context"
	"strconv"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

// ExtendTrial moves the end of an organisation's trial. Its form shows the longest extension. It is refused with the errors of
// billing.DecideTrialExtension.
type ExtendTrial struct{ billingAction }

func newExtendTrial(runner actionRunner) *ExtendTrial {
	u := &ExtendTrial{}
	u.billingAction = billingAction{
		runner: runner, permission: MayExtendTrial, kind: audit.OperatorExtendedTrial, decide: u.decideLongest,
	}
	return u
}

// Preview returns the effect of the longest extension, and its days.
func (u *ExtendTrial) Preview(ctx context.Context, organisationID string) (effect Effect, maxDays int, err error) {
	if effect, err = u.billingAction.Preview(ctx, organisationID); err != nil {
		return Effect{}, 0, err
	}
	org, err := u.runner.store.Organisation(ctx, organisationID)
	if err != nil {
		return Effect{}, 0, err
	}
	maxDays, _, err = u.maxDays(ctx, org)
	return effect, maxDays, err
}

// Do extends the trial by the days.
func (u *ExtendTrial) Do(ctx context.Context, req ActionRequest, days int) error {
	if err := Require(ctx, u.permission); err != nil {
		return err
	}
	return u.runner.run(ctx, u.kind, req, []string{strconv.Itoa(days)},
		func(ctx context.Context, org account.Organisation) (decision, error) {
			_, extendedDays, err := u.maxDays(ctx, org)
			if err != nil {
				return decision{}, err
			}
			return decideTrial(org, days, extendedDays)
		})
}

func (u *ExtendTrial) decideLongest(ctx context.Context, org account.Organisation) (decision, error) {
	maxDays, extendedDays, err := u.maxDays(ctx, org)
	if err != nil {
		return decision{}, err
	}
	return decideTrial(org, maxDays, extendedDays)
}

// maxDays returns the days of the longest extension, and those by which the trial was extended before.
func (u *ExtendTrial) maxDays(ctx context.Context, org account.Organisation) (maxDays, extendedDays int, err error) {
	entries, err := u.runner.doneEntries(ctx, storage.AuditQuery{OrganisationID: org.ID, Kind: audit.OperatorExtendedTrial})
	if err != nil {
		return 0, 0, err
	}
	for _, e := range entries {
		days, _ := strconv.Atoi(e.Data["days"]) // written by decideTrial
		extendedDays += days
	}
	maxDays, err = billing.MaxTrialDays(&org.Billing, extendedDays)
	return maxDays, extendedDays, err
}

func decideTrial(org account.Organisation, days, extendedDays int) (decision, error) {
	actions, err := billing.DecideTrialExtension(&org.Billing, days, extendedDays)
	if err != nil {
		return decision{}, err
	}
	liveSub := org.Billing.LiveSubscription()
	d := decision{
		actions: actions, subject: liveSub.ID,
		data: audit.Data{"days": strconv.Itoa(days), "until": actions[0].Until.UTC().Format(time.RFC3339)},
	}
	d.effect.add("Plan", planName(*liveSub))
	d.effect.add("Trial ends", formatTime(org, liveSub.TrialEnd))
	d.effect.add("Extended so far", strconv.Itoa(extendedDays)+" days")
	return d, nil
}

// planName returns the product and the interval of a subscription.
func planName(s billing.Subscription) string { return s.Price.PriceID() }

// formatTime returns the time in the organisation's time zone.
func formatTime(org account.Organisation, t time.Time) string {
	return org.TimeZone().In(t).Format("2 January 2006, 15:04 MST")
}
