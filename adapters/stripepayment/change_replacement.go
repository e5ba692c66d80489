package stripepayment

import (
	"fmt"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// metaReplacedChange holds the scheduled change that an immediate change replaces. It is written together with
// metaChangeKey, before the schedule is released.
//
// Stripe's documentation does not say whether a pending update can end a trial or start a new period while the
// subscription has a schedule. The schedule is therefore released before the immediate change. If the immediate change
// is not made, the metadata still contain the scheduled change. The scheduled change has lapsed if the subscription has
// no pending update and still has the earlier price.
const metaReplacedChange = "replaces"

// minTimeBeforeRenewal is the shortest time before the renewal at which a scheduled change can be replaced. A pending
// update lasts up to 23 hours, and a day remains to create the schedule again.
const minTimeBeforeRenewal = 48 * time.Hour

// scheduledPriceChange contains the prices and the time of a scheduled change. Its string is
// the value of metaReplacedChange.
type scheduledPriceChange struct {
	currentPriceID, nextPriceID string // Stripe's ids of the prices before and after the change
	effectiveAt                 int64  // end of the current period, when the change is made
	quantity                    int64  // of the next price
}

const priceChangeFormat = "%s %s %d"

// String formats the change as a metadata value that parseReplacedPriceChange can read.
func (c scheduledPriceChange) String() string {
	return fmt.Sprintf(priceChangeFormat, c.currentPriceID, c.nextPriceID, c.effectiveAt)
}

// parseReplacedPriceChange returns the scheduled change that metaReplacedChange records, while the immediate change is
// pending or if it was not made. It returns nil after the immediate change, when the subscription has another price, and
// after the renewal, when the subscription has another period.
func parseReplacedPriceChange(s *stripe.Subscription) *scheduledPriceChange {
	c := scheduledPriceChange{quantity: 1}
	_, err := fmt.Sscanf(s.Metadata[metaReplacedChange], priceChangeFormat, &c.currentPriceID, &c.nextPriceID, &c.effectiveAt)
	if err != nil {
		return nil
	}
	isActiveOrTrialing := statusOf(s) == billing.Active || statusOf(s) == billing.Trialing
	if !isActiveOrTrialing || !endsAt(s).IsZero() || currentPriceID(s) != c.currentPriceID ||
		periodEnd(s).Unix() != c.effectiveAt {
		return nil
	}
	return &c
}

// findScheduledPriceChange returns the change of the schedule's next phase. Without a next phase, it returns the
// result of parseReplacedPriceChange.
func findScheduledPriceChange(s *stripe.Subscription) *scheduledPriceChange {
	phase := nextPhase(s.Schedule)
	if phase == nil {
		return parseReplacedPriceChange(s)
	}
	c := scheduledPriceChange{currentPriceID: currentPriceID(s), effectiveAt: phase.StartDate}
	for _, item := range phase.Items {
		c.nextPriceID, c.quantity = item.Price.ID, max(item.Quantity, 1)
	}
	return &c
}

// hasScheduledChange reports whether a change is scheduled, also if it has lapsed.
func hasScheduledChange(s *stripe.Subscription) bool { return findScheduledPriceChange(s) != nil }

// checkReplaceable refuses an immediate change that could still be pending when the scheduled change is due.
func (p *Provider) checkReplaceable(s *stripe.Subscription) error {
	if c := findScheduledPriceChange(s); c != nil && timeOf(c.effectiveAt).Sub(p.Clock.Now()) < minTimeBeforeRenewal {
		return fault.New(fault.Conflict,
			"A plan change is scheduled for the next days. Drop it first; then you can change the plan now.")
	}
	return nil
}

// currentPriceID returns the id of the first item's price, or "".
func currentPriceID(s *stripe.Subscription) string {
	if price := firstItem(s).Price; price != nil {
		return price.ID
	}
	return ""
}
