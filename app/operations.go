package app

import (
	"context"
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
	// abandoned is the age at which nobody can still be busy with an operation.
	abandoned = 2 * time.Minute
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
}

// request is one thing to be done once.
type request struct {
	organisationID string
	lane           billing.Lane
	fingerprint    string
	// do asks the provider and records the answer. It returns the id of what it made.
	do func(ctx context.Context, at attempt) (string, error)
}

// attempt is one try at a request.
type attempt struct {
	key string
	// joined means that a repeat of the same request began before: it may be under way still, or
	// have died anywhere on the way.
	joined bool
	org    account.Organisation // read after the operation was stored
}

// run does the request once, under the key of a repeat that is still pending if there is one.
func (o operations) run(ctx context.Context, r request) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	op, joined, err := o.begin(ctx, r)
	if err != nil {
		return err
	}
	org, err := o.store.Organisation(ctx, r.organisationID)
	if err != nil {
		return err
	}
	result, err := r.do(ctx, attempt{key: op.Key, joined: joined, org: org})
	if inDoubt(err) {
		return err
	}
	return firstError(err, o.store.SettleOperation(ctx, op.Key, result, o.clock.Now()))
}

// begin stores the operation, or joins a repeat of the same request. What an abandoned one has
// come to is found out first.
func (o operations) begin(ctx context.Context, r request) (op billing.Operation, joined bool, err error) {
	wanted := billing.Operation{
		Key: newID("op"), OrganisationID: r.organisationID, Lane: r.lane,
		Fingerprint: r.fingerprint, CreatedAt: o.clock.Now(),
	}
	found, err := o.store.BeginOperation(ctx, wanted)
	if err == nil && o.isAbandoned(found) {
		if err = o.settle.do(ctx, found, wanted.CreatedAt); err == nil {
			found, err = o.store.BeginOperation(ctx, wanted)
		}
	}
	if err == nil && found.Fingerprint != wanted.Fingerprint {
		err = errBusy()
	}
	return found, found.Key != wanted.Key, err
}

// isAbandoned reports whether nobody is busy with the operation any more. A customer's is never
// given up: only its own key can tell whether the customer was made.
func (o operations) isAbandoned(op billing.Operation) bool {
	return op.Lane != billing.CustomerLane && o.clock.Now().Sub(op.CreatedAt) >= abandoned
}

// inDoubt reports whether the provider, or our own database after it, may have acted without our
// knowing.
func inDoubt(err error) bool {
	return fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Internal)
}

func errBusy() error {
	return fault.New(fault.Conflict, "Another request of your organisation is still being processed. Please wait a moment and try again.")
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
