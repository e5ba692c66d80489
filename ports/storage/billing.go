package storage

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/mail"
)

// Invoices stores copies of the provider's invoices.
type Invoices interface {
	// Invoices returns the stored invoices of an organisation, newest first. One line with the description and the
	// total replaces the lines of an invoice. CreditUsed, Refunded, Credited and Returned are the zero Amount,
	// without a currency, if the invoice was stored without them, and Returned also if nothing was returned.
	Invoices(ctx context.Context, organisationID string) ([]billing.Invoice, error)
	// Notices returns all notices of an organisation that were ever queued, in any order.
	Notices(ctx context.Context, organisationID string) ([]billing.Notice, error)
	// RecordReport updates the organisation as UpdateOrganisation does and stores the report in the same
	// transaction.
	RecordReport(ctx context.Context, id string, r Report,
		change func(*account.Organisation) error) (account.Organisation, error)
}

// Report contains the data that RecordReport stores besides the organisation.
type Report struct {
	Invoices []billing.Invoice // replace stored ones with the same ids
	Notices  []QueuedNotice    // notices that were queued before are ignored
	At       time.Time         // the time at which the emails of the notices are due
}

// QueuedNotice is a notice with its emails.
type QueuedNotice struct {
	Notice billing.Notice
	Emails []mail.Message
}

// ErrRevisionChanged is wrapped by the Conflict of BeginOperation if the operation was decided for another
// revision of the organisation's account. The caller must decide it again.
var ErrRevisionChanged = errors.New("the operation was decided for an older revision of the account")

// OperationQuery identifies settled operations by their results.
type OperationQuery struct {
	OrganisationID string
	Kind           billing.OperationKind
	Fingerprint    string
	Result         string
}

// Operations stores operations of the payment provider; see billing.Operation. Their ages follow the
// database's clock.
type Operations interface {
	// BeginOperation stores a pending operation and returns it. If the organisation already has a pending
	// operation of the same kind, it stores nothing and returns that one with its Age; the caller compares the
	// keys. Any other key that was used before is Conflict. If op.Revision is set and is not the revision of the
	// account, the error is Conflict and wraps ErrRevisionChanged. An unknown organisation is NotFound.
	BeginOperation(ctx context.Context, op billing.Operation) (billing.Operation, error)
	// PendingOperation returns the pending operation of a kind, or NotFound.
	PendingOperation(ctx context.Context, organisationID string, kind billing.OperationKind) (billing.Operation, error)
	// SettleOperation ends a pending operation and deletes its actions. The result is the id of the object
	// that the operation created, or "". It returns false and changes nothing if the operation was
	// settled before. An unknown key is NotFound.
	SettleOperation(ctx context.Context, key, result string, at time.Time) (settled bool, err error)
	// OperationSucceeded reports whether a settled operation has all values of the query.
	OperationSucceeded(ctx context.Context, query OperationQuery) (bool, error)
	// PendingOperations returns pending operations of at least the age minAge, oldest first. After the clock was
	// set back an age can be negative; its absolute value counts.
	PendingOperations(ctx context.Context, minAge time.Duration, limit int) ([]billing.Operation, error)
}

// PaymentAttempts stores the attempts to charge an invoice with a card, so that their number can be limited for
// all servers together.
type PaymentAttempts interface {
	// BeginPaymentAttempt calls check with the organisation's earlier attempts to charge the same invoice with
	// the same card, oldest first, and stores the attempt if check returns nil, without other attempts in
	// between. It returns an error of check unchanged, and may call check again. If the attempt's key is
	// stored already, it returns nil without calling check. An unknown organisation is NotFound.
	BeginPaymentAttempt(ctx context.Context, a billing.PaymentAttempt, check func(earlier []billing.PaymentAttempt) error) error
	// RecordHardDecline sets HardDecline of an attempt. It ignores an unknown key.
	RecordHardDecline(ctx context.Context, key string) error
	// SweepPaymentAttempts deletes attempts made before the given time.
	SweepPaymentAttempts(ctx context.Context, before time.Time) error
}

// NewCards stores records of the payment methods that payment requests save; see billing.NewCard.
type NewCards interface {
	// SaveNewCard stores a record, unless the organisation has one of the same payment method. An unknown
	// organisation is NotFound.
	SaveNewCard(ctx context.Context, c billing.NewCard) error
	// NewCards returns the records of an organisation, oldest first.
	NewCards(ctx context.Context, organisationID string) ([]billing.NewCard, error)
	// DeleteNewCard deletes a record if it exists.
	DeleteNewCard(ctx context.Context, organisationID, cardID string) error
	// ClaimNewCardCheck returns the organisation with the earliest CheckAt at or before now, and sets the CheckAt
	// of all its records to until. If none is due, the error is NotFound.
	ClaimNewCardCheck(ctx context.Context, now, until time.Time) (organisationID string, err error)
}

// Endings stores why customers ended their subscriptions.
type Endings interface {
	// RecordEnding stores why a subscription was ended and replaces an earlier record of it. An unknown
	// organisation is NotFound.
	RecordEnding(ctx context.Context, e billing.Ending) error
	// Endings returns the records of an organisation, newest first.
	Endings(ctx context.Context, organisationID string) ([]billing.Ending, error)
}

// Events stores which webhook events of the provider were handled.
type Events interface {
	// EventHandled reports whether RecordEvent was called for the event.
	EventHandled(ctx context.Context, id string) (bool, error)
	// RecordEvent records that the event was handled. It may be called more than once.
	RecordEvent(ctx context.Context, id, kind string, at time.Time) error
	// SweepEvents deletes at most limit events that were handled before the given time, and returns their
	// number.
	SweepEvents(ctx context.Context, before time.Time, limit int) (int, error)
}
