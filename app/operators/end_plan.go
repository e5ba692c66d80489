package operators

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
)

// EndPlan ends an organisation's plan as its customer would. It is refused with the errors of billing.DecideEnd, and for a plan
// that is ending already.
type EndPlan struct {
	billingAction
	clock clock.Clock
}

func newEndPlan(runner actionRunner, c clock.Clock) *EndPlan {
	u := &EndPlan{clock: c}
	u.billingAction = billingAction{runner: runner, permission: MayEndPlan, kind: audit.OperatorEndedPlan, decide: u.decide}
	return u
}

// endLabels contains the effect for operators of each kind of end.
var endLabels = map[billing.EndKind]string{
	billing.EndAtPeriodEnd: "The plan ends with its period or trial; nothing is charged any more",
	billing.EndNowVoid:     "The plan ends now, and nothing is owed",
	billing.EndNowOwed:     "The plan ends now, and the overdue invoice stays owed",
}

func (u *EndPlan) decide(_ context.Context, org account.Organisation) (decision, error) {
	now, mayVoid := u.clock.Now(), !u.runner.capabilities.CollectsByInvoice()
	actions, err := billing.DecideEnd(&org.Billing, now, mayVoid)
	if err != nil {
		return decision{}, err
	}
	if len(actions) == 0 {
		return decision{}, fault.New(fault.Conflict, "The plan is ending already.")
	}
	d := decision{actions: actions, subject: actions[0].SubscriptionID}
	end := org.Billing.PreviewEnd(now, mayVoid)
	if end == nil {
		d.data = audit.Data{"end": "order"}
		d.effect.add("Effect", "The order is withdrawn, so the plan does not begin")
		return d, nil
	}
	d.data = audit.Data{"end": string(end.Kind), "at": end.At.UTC().Format(time.RFC3339)}
	d.effect.add("Plan", planName(*org.Billing.LiveSubscription()))
	d.effect.add("Effect", endLabels[end.Kind])
	if end.Kind == billing.EndAtPeriodEnd {
		d.effect.add("Ends", formatTime(org, end.At))
	}
	return d, nil
}
