package billing

import "github.com/vc-admin/diy/domain/catalogue"

// TrialDays is how many days a new subscription to the plan is free. An organisation has one
// trial, ever, over all plans; noTrial, a client's wish, can only take it away.
func TrialDays(a *Account, plan catalogue.Plan, noTrial bool) int {
	if noTrial || !a.TrialUsedAt.IsZero() {
		return 0
	}
	return max(plan.TrialPeriodDays, 0)
}
