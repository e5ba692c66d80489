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

// ExtendTrial moves the end of an organisation's trial.
type ExtendTrial struct{ runner actionRunner }

// Preview returns the effect of the longest extension, and its days.
func (u *ExtendTrial) Preview(ctx context.Context, organisationID string) (effect Effect, maxDays int, err error) {
	if err := Require(ctx, MayExtendTrial); err != nil {
		return Effect{}, 0, err
	}
	effect, err = u.runner.preview(ctx, organisationID, func(ctx context.Context, org account.Organisation) (decision, error) {
		extension, extendedDays, err := u.check(ctx, org)
		if err != nil {
			return decision{}, err
		}
		maxDays = extension.MaxDays
		return u.decide(org, maxDays, extendedDays)
	})
	return effect, maxDays, err
}

// Do extends the trial by the days. It returns the errors of billing.DecideTrialExtension.
func (u *ExtendTrial) Do(ctx context.Context, req ActionRequest, days int) (ActionResult, error) {
	if err := Require(ctx, MayExtendTrial); err != nil {
		return ActionResult{}, err
	}
	return u.runner.run(ctx, audit.OperatorExtendedTrial, req, []string{strconv.Itoa(days)},
		func(ctx context.Context, org account.Organisation) (decision, error) {
			_, extendedDays, err := u.check(ctx, org)
			if err != nil {
				return decision{}, err
			}
			return u.decide(org, days, extendedDays)
		})
}

// check returns the possible extension, and the days by which the trial was extended before.
func (u *ExtendTrial) check(ctx context.Context, org account.Organisation) (billing.TrialExtension, int, error) {
	entries, err := u.runner.doneEntries(ctx, storage.AuditQuery{OrganisationID: org.ID, Kind: audit.OperatorExtendedTrial})
	if err != nil {
		return billing.TrialExtension{}, 0, err
	}
	extendedDays := 0
	for _, e := range entries {
		days, _ := strconv.Atoi(e.Data["days"]) // written by decide
		extendedDays += days
	}
	extension, err := billing.CheckTrialExtension(&org.Billing, extendedDays)
	return extension, extendedDays, err
}

func (u *ExtendTrial) decide(org account.Organisation, days, extendedDays int) (decision, error) {
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
