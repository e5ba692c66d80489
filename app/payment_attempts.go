package app

import (
	"context"
	"log/slog"
	"slices"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// paymentAttempts limits how often an invoice is charged to the same card. Every payment of an invoice
// goes through charge.
type paymentAttempts struct {
	store storage.PaymentAttempts
	clock clock.Clock
	log   *slog.Logger
}

// charge stores an attempt to charge the invoice to the card, calls do, and records a hard decline. key
// is the idempotency key of the charge. When the limit is reached, charge doesn't call do and returns
// RateLimited with a RetryAfter, or Declined after a hard decline.
func (p paymentAttempts) charge(
	ctx context.Context, organisationID, invoiceID, key string, card billing.PaymentMethod,
	do func() (billing.Subscription, error),
) (billing.Subscription, error) {
	attempt := p.newAttempt(organisationID, invoiceID, key, card)
	err := p.store.BeginPaymentAttempt(ctx, attempt, func(earlier []billing.PaymentAttempt) error {
		return billing.CheckPaymentAttempt(earlier, attempt.At)
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

// record stores an attempt that the provider made when it created the invoice. A failure is only logged,
// because the charge has happened.
func (p paymentAttempts) record(ctx context.Context, organisationID, key string, card billing.PaymentMethod, sub billing.Subscription) {
	if sub.LatestInvoice == nil || sub.LatestInvoice.Payment == nil {
		return
	}
	attempt := p.newAttempt(organisationID, sub.LatestInvoice.ID, key, card)
	attempt.HardDecline = isHardDecline(sub)
	allow := func([]billing.PaymentAttempt) error { return nil }
	if err := p.store.BeginPaymentAttempt(ctx, attempt, allow); err != nil {
		p.log.WarnContext(ctx, "payment attempt not recorded", "org", organisationID, "error", err)
	}
}

// recordFirst stores the failed first charge of a new subscription to the default card. before is the
// organisation before the subscription was created.
func (p paymentAttempts) recordFirst(
	ctx context.Context, provider payment.Customers, before account.Organisation, made billing.Subscription,
) {
	isKnown := slices.ContainsFunc(before.Billing.Subscriptions, func(s billing.Subscription) bool { return s.ID == made.ID })
	if isKnown || made.Status != billing.Incomplete || made.LatestInvoice == nil || made.LatestInvoice.Payment == nil {
		return
	}
	card, err := defaultCard(ctx, provider, before.Billing.CustomerID)
	if err != nil {
		p.log.WarnContext(ctx, "first payment attempt not recorded", "org", before.ID, "error", err)
		return
	}
	p.record(ctx, before.ID, made.LatestInvoice.ID+"-first", card, made)
}

// newAttempt returns an attempt at the current time that identifies the card by a hash.
func (p paymentAttempts) newAttempt(organisationID, invoiceID, key string, card billing.PaymentMethod) billing.PaymentAttempt {
	return billing.PaymentAttempt{
		Key: key, OrganisationID: organisationID, InvoiceID: invoiceID, Card: fingerprint("card", card.Identity()), At: p.clock.Now(),
	}
}

func isHardDecline(sub billing.Subscription) bool {
	return sub.LatestInvoice != nil && sub.LatestInvoice.Payment != nil && sub.LatestInvoice.Payment.HardDecline
}
