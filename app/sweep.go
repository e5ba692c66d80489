package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// sweepBatchSize limits the registrations, operations or events that are deleted in one transaction.
	sweepBatchSize = 100
	// eventRetention is longer than the time for which providers repeat an event. If an event is repeated after this time,
	// it is applied again, which only causes a refresh.
	eventRetention = 60 * 24 * time.Hour
	// operationRetention is longer than a year, so that the operations of the last yearly payment can be looked up.
	operationRetention = 400 * 24 * time.Hour
	// feedbackRetention is the time for which comments of customers who ended their plan are kept.
	feedbackRetention = 2 * 365 * 24 * time.Hour
	// trialCardRetention is the time for which the hashes of cards are kept with which trials began.
	trialCardRetention = 2 * 365 * 24 * time.Hour
	// unreachableRetention is the time for which an address that refused an email gets no notices.
	unreachableRetention = 365 * 24 * time.Hour
	// challengeRetention is the time for which a used challenge is kept after it expired, because the clock of another
	// server may be late.
	challengeRetention = time.Hour
	// invitationRetention is the time for which owners see an expired invitation, to send it again.
	invitationRetention = 30 * 24 * time.Hour
)

// Sweep deletes expired data.
type Sweep struct {
	store interface {
		storage.SignUps
		storage.Verifications
		storage.PasswordResets
		storage.Credentials
		storage.EmailConfirmations
		storage.Teams
		storage.UnreachableEmails
		storage.PaymentAttempts
		storage.Events
		storage.Operations
		storage.EndFeedback
		storage.TrialCards
		storage.FinishedEmails
		storage.CallerChecks
	}
	clock clock.Clock
	log   *slog.Logger
}

// Do deletes expired registrations and tokens, old payment attempts, settled operations, events, comments, trial cards, sent
// emails and codes of callers, and old marks of unreachable addresses. It shortens tokens that would live longer than their
// lifetime from now, because a clock was wrong when they were issued.
func (u *Sweep) Do(ctx context.Context) error {
	now := u.clock.Now()
	return errors.Join(
		u.sweepRegistrations(ctx, now.Add(-account.VerificationLifetime)),
		u.store.SweepVerifications(ctx, now, now.Add(account.VerificationLifetime)),
		u.store.SweepPasswordResets(ctx, now, now.Add(account.PasswordResetLifetime)),
		u.store.SweepChallenges(ctx, now.Add(-challengeRetention)),
		u.store.SweepEmailChanges(ctx, now, now.Add(account.EmailChangeLifetime)),
		u.store.SweepUndos(ctx, now, now.Add(account.UndoLifetime)),
		u.store.SweepInvitations(ctx, now.Add(-invitationRetention), now.Add(account.InvitationLifetime)),
		u.store.SweepEmailConfirmations(ctx, now, now.Add(account.EmailConfirmationLifetime)),
		u.store.SweepUnreachable(ctx, now.Add(-unreachableRetention)),
		u.store.SweepPaymentAttempts(ctx, now.Add(-billing.PaymentAttemptRetention)),
		u.store.SweepEndFeedback(ctx, now.Add(-feedbackRetention)),
		u.store.SweepTrialCards(ctx, now.Add(-trialCardRetention)),
		u.store.SweepFinishedEmails(ctx, now.Add(-operators.ResendPeriod)),
		u.store.SweepCallerChecks(ctx, now.Add(-account.CallerCodesPeriod)),
		sweepInBatches(ctx, now.Add(-operationRetention), u.store.SweepOperations),
		sweepInBatches(ctx, now.Add(-eventRetention), u.store.SweepEvents),
	)
}

// sweepInBatches calls sweep until it has deleted everything from before the cutoff.
func sweepInBatches(
	ctx context.Context, cutoff time.Time, sweep func(ctx context.Context, before time.Time, limit int) (int, error),
) error {
	for {
		count, err := sweep(ctx, cutoff, sweepBatchSize)
		if err != nil || count < sweepBatchSize {
			return err
		}
	}
}

// sweepRegistrations deletes registrations that were created at or before the cutoff and never verified. None of them has a
// customer at the payment provider, because the customer is created after the verification.
func (u *Sweep) sweepRegistrations(ctx context.Context, cutoff time.Time) error {
	for {
		orgs, err := u.store.SweepRegistrations(ctx, cutoff, sweepBatchSize)
		for _, org := range orgs {
			u.log.InfoContext(ctx, "registration expired", "org", org.ID)
		}
		if err != nil || len(orgs) < sweepBatchSize {
			return err
		}
	}
}
