package app

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// patience is how long a request may take at the provider, its own retries included. It is
	// not the browser's to end: a click away in the middle must not leave things half-known.
	patience = 50 * time.Second
	// abandoned is the age at which nobody is busy with an operation any more, and what the
	// provider was asked last has had its effect or will never have it.
	abandoned = 2 * time.Minute
	// through is the age by which everybody has to be through with an operation, those who joined
	// it late as well: the rest is the provider's to come to its end.
	through = abandoned - 20*time.Second
)

// operationStore is what operations need of the database.
type operationStore interface {
	storage.Organisations
	storage.Operations
}

// operations runs what must happen once at the provider; see the package comment.
type operations struct {
	store  operationStore
	clock  clock.Clock
	settle settler
	log    *slog.Logger
}

// request is one thing to be done once.
type request struct {
	organisationID string
	lane           billing.Lane
	fingerprint    string
	patience       time.Duration // how long it may take; 0 is the usual
	// do asks the provider and records the answer. It returns the id of what it made.
	do func(ctx context.Context, at attempt) (string, error)
}

// noSubscription is the result of what shares the subscription's lane and makes none: the lane's
// results tell which request a subscription came of.
const noSubscription = ""

// attempt is one try at a request.
type attempt struct {
	key string
	// joined means that a repeat of the same request began before: it may be under way still, or
	// have died anywhere on the way.
	joined bool
	began  time.Time            // when the operation was stored
	org    account.Organisation // read after the operation was stored
}

// run does the request once, under the key of a repeat that is still pending if there is one.
func (o operations) run(ctx context.Context, r request) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(r.patience, patience))
	defer cancel()
	op, joined, err := o.begin(ctx, r)
	if err != nil {
		return err
	}
	ctx, cancel = context.WithTimeout(ctx, o.left(op))
	defer cancel()
	org, err := o.store.Organisation(ctx, r.organisationID)
	if err != nil {
		return err
	}
	result, err := r.do(ctx, attempt{key: op.Key, joined: joined, began: op.CreatedAt, org: org})
	switch {
	case err == nil:
		o.end(ctx, op, result)
	case !inDoubt(err):
		o.end(ctx, op, "") // a refusal made nothing
	}
	return err
}

// end settles the operation. When that fails it stays pending for Reconcile, and whoever asked is
// told how it went all the same: what was done is recorded, and a success must not look like a
// failure.
func (o operations) end(ctx context.Context, op billing.Operation, result string) {
	if err := o.store.SettleOperation(ctx, op.Key, result, o.clock.Now()); err != nil {
		o.log.WarnContext(ctx, "operation done but not settled yet", "org", op.OrganisationID, "lane", op.Lane, "error", err)
	}
}

// begin stores the operation, or joins a repeat of the same request. What an abandoned one has
// come to is found out first.
func (o operations) begin(ctx context.Context, r request) (op billing.Operation, joined bool, err error) {
	wanted := billing.Operation{
		Key: newID("op"), OrganisationID: r.organisationID, Lane: r.lane,
		Fingerprint: r.fingerprint, CreatedAt: o.clock.Now(),
	}
	found, err := o.store.BeginOperation(ctx, wanted)
	if err == nil && found.Key != wanted.Key && o.isAbandoned(found) {
		if err = o.settle.do(ctx, found, wanted.CreatedAt); err == nil {
			found, err = o.store.BeginOperation(ctx, wanted)
		}
	}
	if err == nil && (found.Fingerprint != wanted.Fingerprint || o.left(found) <= 0) {
		err = errBusy()
	}
	return found, found.Key != wanted.Key, err
}

// isAbandoned reports whether nobody is busy with the operation any more.
func (o operations) isAbandoned(op billing.Operation) bool {
	return o.clock.Now().Sub(op.CreatedAt) >= abandoned
}

// left is how long anybody may still be busy with the operation. Without this limit somebody who
// joins late could be at the provider still when the next one takes the operation for abandoned.
func (o operations) left(op billing.Operation) time.Duration {
	return through - o.clock.Now().Sub(op.CreatedAt)
}

// inDoubt reports whether the provider, or our own database after it, may have acted without our
// knowing.
func inDoubt(err error) bool {
	return fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Internal)
}

func errBusy() error {
	return fault.New(fault.Conflict, "Another request of your organisation is still being processed. Please wait a moment and try again.")
}
