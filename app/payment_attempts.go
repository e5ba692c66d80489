package app

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// paymentAttempts limits how often the server charges an invoice with the same card. Every use case
// that charges a named invoice does so through charge.
type paymentAttempts struct {
	store storage.PaymentAttempts
	clock clock.Clock
	log   *slog.Logger
}

// charge stores an attempt to charge the invoice with the card, calls do, and records a hard
// decline. key is the idempotency key of the charge. When the limit is reached do is not called:
// RateLimited with a RetryAfter, or Declined after a hard decline.
func (p paymentAttempts) charge(
	ctx context.Context, organisationID, invoiceID, key string, card billing.PaymentMethod,
	do func() (billing.Subscription, error),
) (billing.Subscription, error) {
	now := p.clock.Now()
	attempt := newPaymentAttempt(organisationID, invoiceID, key, card)
	attempt.At = now
	err := p.store.BeginPaymentAttempt(ctx, attempt, func(earlier []billing.PaymentAttempt) error {
		return billing.CheckPaymentAttempt(earlier, now)
	})
	if err != nil {
		return billing.Subscription{}, err
	}
	sub, err := do()
	if err == nil && isHardDecline(sub) {
		if err := p.store.RecordHardDecline(ctx, key); err != nil {
			p.log.WarnContext(ctx, "hard decline not recorded", "org", organisationID, "error", err)
		}
	}
	return sub, err
}

// note stores an attempt that was part of the request which created the invoice, so that it counts
// for later ones. A failure is only logged: the payment has been tried by now.
func (p paymentAttempts) note(ctx context.Context, organisationID, key string, card billing.PaymentMethod, sub billing.Subscription) {
	if sub.LatestInvoice == nil || sub.LatestInvoice.Payment == nil {
		return
	}
	attempt := newPaymentAttempt(organisationID, sub.LatestInvoice.ID, key, card)
	attempt.At, attempt.HardDecline = p.clock.Now(), isHardDecline(sub)
	allow := func([]billing.PaymentAttempt) error { return nil }
	if err := p.store.BeginPaymentAttempt(ctx, attempt, allow); err != nil {
		p.log.WarnContext(ctx, "payment attempt not recorded", "org", organisationID, "error", err)
	}
}

// newPaymentAttempt identifies the card by a hash: what the provider knows it by is not stored.
func newPaymentAttempt(organisationID, invoiceID, key string, card billing.PaymentMethod) billing.PaymentAttempt {
	return billing.PaymentAttempt{
		Key: key, OrganisationID: organisationID, InvoiceID: invoiceID, Card: fingerprint("card", card.Identity()),
	}
}

func isHardDecline(sub billing.Subscription) bool {
	return sub.LatestInvoice != nil && sub.LatestInvoice.Payment != nil && sub.LatestInvoice.Payment.HardDecline
}
