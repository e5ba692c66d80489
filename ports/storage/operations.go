package storage

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// ErrRevisionChanged is wrapped by the Conflict of BeginOperation if the operation is based on another revision of the
// organisation's account than the stored one. The caller must read the account and build the operation again.
var ErrRevisionChanged = errors.New("the operation was decided for an older revision of the account")

// OperationQuery identifies settled operations by their results.
type OperationQuery struct {
	OrganisationID string
	Kind           billing.OperationKind
	Fingerprint    string
	Result         string
}

// PendingOperation is an operation whose outcome is still unknown.
type PendingOperation struct {
	billing.Operation
	// Age is the time since the operation began, by the clock of the database. The store computes it. Age is negative
	// if that clock was set back, so the application uses it only to decide when to try a takeover, never whether a
	// takeover is safe.
	Age time.Duration
}

// Operations stores operations of the payment provider; see billing.Operation. Their ages follow the
// database's clock.
type Operations interface {
	// BeginOperation stores a pending operation and returns it. If the organisation already has a pending operation of the
	// same kind, BeginOperation stores nothing and returns the pending operation with its Age; the caller compares the
	// keys. It returns Conflict for the key of any other operation. If the revision for which its actions were decided
	// differs from the revision of the account, it returns a Conflict that wraps ErrRevisionChanged. It returns NotFound
	// for an unknown organisation. It adds an entry with the actor of the context to the audit log.
	BeginOperation(ctx context.Context, op billing.Operation, revision int64) (PendingOperation, error)
	// PendingOperation returns the pending operation of a kind, or NotFound.
	PendingOperation(ctx context.Context, organisationID string, kind billing.OperationKind) (PendingOperation, error)
	// SettleOperation ends a pending operation and deletes its actions. If the operation was settled before,
	// SettleOperation returns false and changes nothing. It returns NotFound for an unknown key. It adds an entry with the
	// outcome to the audit log, with the key as the cause. For an operation with an Entry it also adds that entry, with the
	// outcome, and increases the revision of the account, so that BeginOperation refuses a request that was decided before.
	SettleOperation(ctx context.Context, key string, settlement billing.Settlement, at time.Time) (settled bool, err error)
	// OperationSucceeded reports whether a settled operation matches all fields of the query.
	OperationSucceeded(ctx context.Context, query OperationQuery) (bool, error)
	// PendingOperations returns pending operations whose age is at least minAge, oldest first. The age is negative if
	// the clock was set back, so PendingOperations compares its absolute value.
	PendingOperations(ctx context.Context, minAge time.Duration, limit int) ([]PendingOperation, error)
	// SweepOperations deletes at most limit operations that were settled before the given time, and returns their number.
	SweepOperations(ctx context.Context, before time.Time, limit int) (int, error)
}

// PaymentAttempts stores the attempts to charge an invoice with a card, so that their number can be limited for
// all servers together.
type PaymentAttempts interface {
	// BeginPaymentAttempt calls check with the organisation's earlier attempts to charge the same invoice with the
	// same card, oldest first. If check returns nil, it stores the attempt. No other attempt is stored in between.
	// BeginPaymentAttempt returns an error of check unchanged, and may call check again. If the attempt's key is
	// already stored, it returns nil without calling check. It returns NotFound for an unknown organisation.
	BeginPaymentAttempt(ctx context.Context, a billing.PaymentAttempt, check func(earlier []billing.PaymentAttempt) error) error
	// RecordHardDecline sets HardDecline of an attempt. It ignores an unknown key.
	RecordHardDecline(ctx context.Context, key string) error
	// SweepPaymentAttempts deletes attempts made before the given time.
	SweepPaymentAttempts(ctx context.Context, before time.Time) error
}
