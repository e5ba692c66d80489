package app

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
)

// overdueBill is what an organisation still owes for the subscription it has.
type overdueBill struct {
	provider payment.Subscriptions
	clock    clock.Clock
	sync     *syncBilling
	log      *slog.Logger
}

// pay tries the bill with the card that has just become the default one, without waiting for the
// provider's next try. It is part of a request about a card, which has been fulfilled by now
// whatever comes of this: a card that is declined here stays the default one, there is no place in
// the answer to say so, and the provider goes on trying.
func (b overdueBill) pay(ctx context.Context, at attempt) {
	if err := b.try(ctx, at); err != nil {
		b.log.WarnContext(ctx, "overdue bill not tried with the new default card", "org", at.org.ID, "error", err)
	}
}

func (b overdueBill) try(ctx context.Context, at attempt) error {
	if !at.org.Billing.Stale(b.clock.Now()) {
		return nil // a subscription that is past due counts as stale, and so does one that may be
	}
	org, err := b.sync.do(ctx, at.org.ID)
	if err != nil {
		return err
	}
	live := org.Billing.Live()
	if live == nil || live.Status != billing.PastDue {
		return nil
	}
	paid, err := b.provider.ContinueSubscription(ctx, payment.Continuation{Key: at.key + "-pay", SubscriptionID: live.ID})
	if paid, err = b.sync.now(ctx, at, paid, err); err != nil {
		return err
	}
	return b.sync.keep(ctx, org, paid)
}
