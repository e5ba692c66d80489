package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// patience is how long a request may take at the provider, its own retries included. It is
	// not the browser's to end: a click away in the middle must not leave things half-known.
	patience = 50 * time.Second
	// abandoned is the age at which an operation may be taken over. It is no promise that its owner
	// has stopped: taking over stops the requests first, see takeover.
	abandoned = 2 * time.Minute
	// completableAfter is the age at which an operation that can't charge is completed by another
	// request of the organisation, which would have to wait for it otherwise.
	completableAfter = 5 * time.Second
	// joinable is the age up to which a repeat may still join an operation.
	joinable = abandoned - 20*time.Second
	// beginTries is how often a request is planned anew because something has changed meanwhile.
	beginTries = 4
)

// operationStore is what operations need of the database.
type operationStore interface {
	storage.Organisations
	storage.Operations
}

// operations runs what must happen once at the provider; see the package comment.
type operations struct {
	store    operationStore
	clock    clock.Clock
	takeover *takeover
	log      *slog.Logger
}

// request is one thing to be done once.
type request struct {
	organisationID string
	kind           billing.OperationKind
	fingerprint    string
	patience       time.Duration // how long it may take; 0 is the usual
	// plan decides which steps the request takes. It may look at the provider, and is called again
	// when the organisation has changed before the operation could begin. A plan without steps means
	// that there is nothing left to do. nil: the steps are always the same.
	plan  func(ctx context.Context) (plan, error)
	steps []billing.Step // without a plan
	// do sends the steps of the attempt and records the answer. It returns the id of what it made.
	do func(ctx context.Context, at attempt) (string, error)
}

// plan is the steps of a request, and what they were planned for.
type plan struct {
	steps []billing.Step
	org   *account.Organisation // the operation begins only while it is at this revision; nil: at any
}

// noSubscription is the result of what shares the subscription's kind and makes none: the kind's
// results tell which request a subscription came of.
const noSubscription = ""

// attempt is one try at a request.
type attempt struct {
	key   string
	steps []billing.Step // as they were planned when the operation began, whoever sends them
	// joined means that a repeat of the same request began before: it may be under way still, or
	// have died anywhere on the way.
	joined bool
	org    account.Organisation // read after the operation was stored
}

// step returns the first step of the kind. The steps have the keys of the operation.
func (a attempt) step(kind billing.StepKind) (billing.Step, bool) {
	for _, s := range a.steps {
		if s.Kind == kind {
			return s, true
		}
	}
	return billing.Step{}, false
}

// run does the request once, as part of a repeat that is still pending if there is one. Its
// deadline is counted by this process's monotonic clock.
func (o operations) run(ctx context.Context, r request) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(r.patience, patience))
	defer cancel()
	op, joined, err := o.begin(ctx, r)
	if err != nil || op.Key == "" {
		return err
	}
	ctx, cancel = context.WithTimeout(ctx, left(op))
	defer cancel()
	org, err := o.store.Organisation(ctx, r.organisationID)
	if err != nil {
		return err
	}
	result, err := r.do(ctx, attempt{key: op.Key, steps: op.Steps, joined: joined, org: org})
	switch {
	case err == nil:
		o.end(ctx, op, result)
	case errors.Is(err, payment.ErrKeyRetired):
		return fault.Wrap(err, fault.Conflict, "This took too long and was given up. Please look at your subscription before you try again.")
	case !inDoubt(err):
		o.end(ctx, op, "") // a refusal made nothing
	}
	return err
}

// end settles the operation. When that fails it stays pending for Reconcile, and whoever asked is
// told how it went all the same: what was done is recorded, and a success must not look like a
// failure.
func (o operations) end(ctx context.Context, op billing.Operation, result string) {
	if _, err := o.store.SettleOperation(ctx, op.Key, result, o.clock.Now()); err != nil {
		o.log.WarnContext(ctx, "operation done but not settled yet", "org", op.OrganisationID, "kind", op.Kind, "error", err)
	}
}

// begin stores the operation with its steps, or joins a pending repeat of the same request. An
// operation that was abandoned is taken over first. The zero operation means that there is nothing
// to do.
func (o operations) begin(ctx context.Context, r request) (op billing.Operation, joined bool, err error) {
	for range beginTries {
		op, joined, err = o.beginOnce(ctx, r)
		if errors.Is(err, storage.ErrPlanOutdated) {
			continue
		}
		if err != nil || !joined {
			return op, joined, err
		}
		isRepeat := op.Fingerprint == r.fingerprint
		switch {
		case o.takeover.due(op), !isRepeat && o.takeover.completable(op):
			if err = o.takeover.do(ctx, op); err != nil {
				return op, joined, err
			}
		case isRepeat && left(op) > 0:
			return op, joined, nil
		default:
			return op, joined, errBusy()
		}
	}
	return op, joined, errBusy()
}

// beginOnce returns the pending operation of the kind, which may be anybody's, or begins the
// request's own. What is pending is looked for before the request is planned, because its effect
// would be in the way of a plan.
func (o operations) beginOnce(ctx context.Context, r request) (op billing.Operation, found bool, err error) {
	planned := plan{steps: r.steps}
	if r.plan != nil {
		op, err = o.store.PendingOperation(ctx, r.organisationID, r.kind)
		if !fault.Is(err, fault.NotFound) {
			return op, true, err
		}
		planned, err = r.plan(ctx)
		if err != nil || len(planned.steps) == 0 {
			return billing.Operation{}, false, err
		}
	}
	if err := billing.CheckSteps(planned.steps); err != nil {
		return billing.Operation{}, false, err
	}
	key := newID("op")
	wanted := billing.Operation{
		Key: key, OrganisationID: r.organisationID, Kind: r.kind, Fingerprint: r.fingerprint,
		Steps: billing.WithKeys(key, planned.steps), CreatedAt: o.clock.Now(),
	}
	if planned.org != nil {
		wanted.Revision = &planned.org.Billing.Revision
	}
	op, err = o.store.BeginOperation(ctx, wanted)
	return op, op.Key != key, err
}

// left is how long a joined operation may still be worked on, so that its repeats are through by
// the time it may be taken over. The age of an operation is negative when the clock was set back.
func left(op billing.Operation) time.Duration { return joinable - max(op.Age, 0) }

// inDoubt reports whether the provider, or our own database after it, may have acted without our
// knowing.
func inDoubt(err error) bool {
	return fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Internal)
}

func errBusy() error {
	return fault.New(fault.Conflict, "Another request of your organisation is still being processed. Please wait a moment and try again.")
}
