package stripepayment

import (
	"fmt"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// metaReplaces holds the scheduled change that a change now replaces. It is written together with metaChange, before
// the schedule is released.
//
// Stripe does not document that a subscription with a schedule accepts a pending update that ends a trial or starts a new
// period, so the schedule is released before the change. If the change is not made, the metadata still contain the change
// that was scheduled. It has lapsed if the subscription has no pending update and still has the earlier price.
const metaReplaces = "replaces"

// minReplaceTime is the shortest time before the renewal at which a scheduled change can be replaced. A pending update
// lasts up to 23 hours, and a day remains to create the schedule again.
const minReplaceTime = 48 * time.Hour

// scheduledPrices are the prices of a scheduled change, the content of metaReplaces.
type scheduledPrices struct {
	currentID, nextID string // ids of the prices before and after the change
	changeTime        int64  // end of the current period, when the change is made
}

const scheduledPricesFormat = "%s %s %d"

// String returns the value of metaReplaces.
func (c scheduledPrices) String() string {
	return fmt.Sprintf(scheduledPricesFormat, c.currentID, c.nextID, c.changeTime)
}

// replacedPricesOf returns the scheduled change that metaReplaces records, while the change now is pending or if it was not
// made. Otherwise it returns nil: after the change now the subscription has another price, and after the renewal another
// period.
func replacedPricesOf(s *stripe.Subscription) *scheduledPrices {
	var c scheduledPrices
	if _, err := fmt.Sscanf(s.Metadata[metaReplaces], scheduledPricesFormat, &c.currentID, &c.nextID, &c.changeTime); err != nil {
		return nil
	}
	isLive := statusOf(s) == billing.Active || statusOf(s) == billing.Trialing
	if !isLive || !endsAt(s).IsZero() || currentPriceID(s) != c.currentID || periodEnd(s).Unix() != c.changeTime {
		return nil
	}
	return &c
}

// scheduledPricesOf returns the change of the schedule's future phase, or else that of replacedPricesOf, or nil.
func scheduledPricesOf(s *stripe.Subscription) *scheduledPrices {
	next := futurePhase(s.Schedule)
	if next == nil {
		return replacedPricesOf(s)
	}
	c := scheduledPrices{currentID: currentPriceID(s), changeTime: next.StartDate}
	for _, item := range next.Items {
		c.nextID = item.Price.ID
	}
	return &c
}

// hasScheduledChange reports whether a change is scheduled, also if it has lapsed.
func hasScheduledChange(s *stripe.Subscription) bool { return scheduledPricesOf(s) != nil }

// checkReplaceable refuses a change now that could still be pending when the scheduled change is due.
func (p *Provider) checkReplaceable(s *stripe.Subscription) error {
	if c := scheduledPricesOf(s); c != nil && timeOf(c.changeTime).Sub(p.Clock.Now()) < minReplaceTime {
		return fault.New(fault.Conflict,
			"A plan change is scheduled for the next days. Drop it first; then you can change the plan now.")
	}
	return nil
}

// currentPriceID returns the id of the first item's price, or "".
func currentPriceID(s *stripe.Subscription) string {
	for _, item := range items(s) {
		if item.Price != nil {
			return item.Price.ID
		}
	}
	return ""
}
