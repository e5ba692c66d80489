package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// sweepBatch limits the registrations that are deleted in one transaction.
const sweepBatch = 100

// Sweep deletes expired data.
type Sweep struct {
	store interface {
		storage.Signups
		storage.Verifications
		storage.PasswordResets
		storage.PaymentAttempts
	}
	clock clock.Clock
	log   *slog.Logger
}

// Do deletes expired registrations, expired tokens and old payment attempts.
func (u *Sweep) Do(ctx context.Context) error {
	now := u.clock.Now()
	return errors.Join(
		u.registrations(ctx, now.Add(-account.VerificationLifetime)),
		u.store.SweepVerifications(ctx, now),
		u.store.SweepPasswordResets(ctx, now),
		u.store.SweepPaymentAttempts(ctx, now.Add(-billing.PaymentAttemptRetention)),
	)
}

// registrations deletes registrations that were created at or before the cutoff and never verified. It logs
// the customer of a registration by an earlier version, which created it at sign-up: the customer
// remains at the payment provider.
func (u *Sweep) registrations(ctx context.Context, cutoff time.Time) error {
	for {
		swept, err := u.store.SweepRegistrations(ctx, cutoff, sweepBatch)
		for _, org := range swept {
			u.log.InfoContext(ctx, "registration expired", "org", org.ID, "customer", org.Billing.CustomerID)
		}
		if err != nil || len(swept) < sweepBatch {
			return err
		}
	}
}
