package stripepayment

import (
	"fmt"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// metaReplaces holds the scheduled change that a change now is to replace. It is written with metaChange, before the
// schedule is released.
//
// Stripe does not say that a subscription with a schedule accepts a pending update that ends a trial or starts a new
// period, so the schedule is released before the change. Whatever happens then, the metadata show the change that
// was scheduled: it has lapsed when the subscription has no pending update and still has the earlier price.
const metaReplaces = "replaces"

// replaceTime is how long before the renewal a scheduled change can be replaced: a pending update lasts up to 23
// hours, and a day remains to create the schedule again.
const replaceTime = 48 * time.Hour

// replacedChange is the content of metaReplaces.
type replacedChange struct {
	from, to string // ids of the current and the scheduled price
	at       int64  // the end of the current period
}

const replacedFormat = "%s %s %d"

func (c replacedChange) String() string { return fmt.Sprintf(replacedFormat, c.from, c.to, c.at) }

// replacedChangeOf returns the scheduled change that was to be replaced by a change that is pending or was not made, or
// nil. A change that was made has another price, and after a renewal it is too late to schedule it again.
func replacedChangeOf(s *stripe.Subscription) *replacedChange {
	var c replacedChange
	if _, err := fmt.Sscanf(s.Metadata[metaReplaces], replacedFormat, &c.from, &c.to, &c.at); err != nil {
		return nil
	}
	runs := statusOf(s) == billing.Active || statusOf(s) == billing.Trialing
	if !runs || !endsAt(s).IsZero() || priceIDOf(s) != c.from || periodEnd(s).Unix() != c.at {
		return nil
	}
	return &c
}

// changeToReplace returns the scheduled change that a change now replaces, or nil.
func changeToReplace(s *stripe.Subscription) *replacedChange {
	next := futurePhase(s.Schedule)
	if next == nil {
		return replacedChangeOf(s)
	}
	c := replacedChange{from: priceIDOf(s), at: next.StartDate}
	for _, item := range next.Items {
		c.to = item.Price.ID
	}
	return &c
}

// hasScheduledChange reports whether a change is scheduled, also if it has lapsed.
func hasScheduledChange(s *stripe.Subscription) bool { return changeToReplace(s) != nil }

// checkReplaceable refuses a change now that could be pending until the scheduled change is to be made.
func (p *Provider) checkReplaceable(s *stripe.Subscription) error {
	if c := changeToReplace(s); c != nil && timeOf(c.at).Sub(p.Clock.Now()) < replaceTime {
		return fault.New(fault.Conflict,
			"A plan change is scheduled for the next days. Drop it first; then you can change the plan now.")
	}
	return nil
}

// priceIDOf returns the id of the price that the subscription is changed from.
func priceIDOf(s *stripe.Subscription) string {
	for _, item := range items(s) {
		if item.Price != nil {
			return item.Price.ID
		}
	}
	return ""
}
