package operation

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// attemptLimiter limits how often an invoice is charged to the same card. actionSender calls charge to charge a card. It
// calls record after the provider has created an invoice and charged it by itself. New cards that are charged before they
// are saved can't be distinguished. They are counted together, as the zero PaymentMethod, which also limits card testing.
type attemptLimiter struct {
	store storage.PaymentAttempts
	clock clock.Clock
	log   *slog.Logger
}

// charge stores an attempt to charge the invoice to the card, calls pay, and records a hard decline. key
// is the idempotency key of the charge. When the limit is reached, charge doesn't call pay and returns
// RateLimited with a RetryAfter, or Declined after a hard decline.
func (l attemptLimiter) charge(
	ctx context.Context, organisationID, invoiceID, key string, card billing.PaymentMethod,
	pay func() (billing.Subscription, error),
) (billing.Subscription, error) {
	attempt := l.newAttempt(organisationID, invoiceID, key, card)
	err := l.store.BeginPaymentAttempt(ctx, attempt, func(earlier []billing.PaymentAttempt) error {
		return billing.CheckPaymentAttempt(earlier, attempt.At)
	})
	if err != nil {
		return billing.Subscription{}, err
	}
	sub, err := pay()
	if err == nil && hasHardDecline(sub) {
		if err := l.store.RecordHardDecline(ctx, key); err != nil {
			l.log.WarnContext(ctx, "hard decline not recorded", "org", organisationID, "error", err)
		}
	}
	return sub, err
}

// record stores the attempt that the provider made by itself when it created the invoice.
func (l attemptLimiter) record(
	ctx context.Context, organisationID, key string, card billing.PaymentMethod, sub billing.Subscription,
) error {
	if sub.LatestInvoice == nil || sub.LatestInvoice.Payment == nil {
		return nil
	}
	attempt := l.newAttempt(organisationID, sub.LatestInvoice.ID, key, card)
	attempt.HardDecline = hasHardDecline(sub)
	return l.store.BeginPaymentAttempt(ctx, attempt, func([]billing.PaymentAttempt) error { return nil })
}

// newAttempt returns an attempt at the current time that identifies the card by a hash; see billing.PaymentAttempt.Card.
func (l attemptLimiter) newAttempt(
	organisationID, invoiceID, key string, card billing.PaymentMethod,
) billing.PaymentAttempt {
	attempt := billing.PaymentAttempt{Key: key, OrganisationID: organisationID, InvoiceID: invoiceID, At: l.clock.Now()}
	if id := card.Identity(); id != "" {
		attempt.Card = newFingerprint("card", id)
	}
	return attempt
}

// hasHardDecline reports whether the payment of the latest invoice was declined permanently.
func hasHardDecline(sub billing.Subscription) bool {
	return sub.LatestInvoice != nil && sub.LatestInvoice.Payment != nil && sub.LatestInvoice.Payment.HardDecline
}
