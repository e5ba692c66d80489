// Package storage is the port to the database. Adapters implement Store and pass the conformance suite in
// package storagetest.
//
// All methods share these rules. Errors are faults: NotFound, Duplicate and Conflict as documented, and
// Unavailable if the database can't be reached or a lock is held too long. A nil error means that the
// change survives a power failure. Times are in UTC with microseconds. A call whose ctx ends early is
// Unavailable and changes nothing.
package storage

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/mail"
)

// Store combines all parts of the port. Callers declare the interfaces that they need.
type Store interface {
	Signups
	Organisations
	Invoices
	Users
	Verifications
	PasswordResets
	EmailConfirmations
	EmailPreferences
	UnreachableEmails
	EmailRequests
	Operations
	PaymentAttempts
	NewCards
	Endings
	OperatorActions
	Outbox
	Events
	// Ready reports whether the database can be reached and is migrated.
	Ready(ctx context.Context) error
}

// Signup contains the records of a sign-up, which are stored in one transaction.
type Signup struct {
	Organisation account.Organisation
	User         account.User
	Verification account.Verification
	Email        mail.Message
	// ExpiryCutoff is the time at or before which unverified registrations must have been created to be
	// expired.
	ExpiryCutoff time.Time
}

// Signups stores and deletes registrations.
type Signups interface {
	// CreateSignup stores the sign-up. If the name or the email address is taken, ignoring case and outer spaces,
	// it is Duplicate with the fields "org" or "email" or both. Expired registrations with the name or the
	// email address are deleted first.
	CreateSignup(ctx context.Context, s Signup) error
	// DeleteRegistration deletes an unverified user, the user's tokens and outgoing emails, and the
	// organisation with its operations. It returns the organisation. An unknown user is NotFound. A verified
	// user is Conflict, and so is an organisation with a subscription or a developer license.
	DeleteRegistration(ctx context.Context, userID string) (account.Organisation, error)
	// SweepRegistrations calls DeleteRegistration for unverified users created at or before the cutoff,
	// oldest first, and returns the deleted organisations, at most limit. It skips Conflicts.
	SweepRegistrations(ctx context.Context, cutoff time.Time, limit int) ([]account.Organisation, error)
}

// Organisations reads and changes organisations.
type Organisations interface {
	Organisation(ctx context.Context, id string) (account.Organisation, error)
	// OrganisationByCustomer returns the organisation of a payment provider's customer.
	OrganisationByCustomer(ctx context.Context, customerID string) (account.Organisation, error)
	// UpdateOrganisation reads the organisation, calls fn to change it, and stores and returns the result,
	// without other changes in between. An error of fn rolls back and is returned unchanged. fn must only
	// change its argument, because it may be called again. The customer id or a subscription of another
	// organisation is Conflict, and so is a second live subscription. A taken name is Duplicate. ID and
	// CreatedAt can't be changed. Client secrets are not stored.
	UpdateOrganisation(ctx context.Context, id string, fn func(*account.Organisation) error) (account.Organisation, error)
	// OrganisationsOnHold returns the organisations whose Billing.Hold is not NoHold, in the order of their ids.
	OrganisationsOnHold(ctx context.Context) ([]account.Organisation, error)
	// ClaimCheck returns the id of the organisation with the earliest Billing.CheckAt at or before now, and
	// sets its CheckAt to until, so that no other call returns it until then. It is NotFound if none is due.
	ClaimCheck(ctx context.Context, now, until time.Time) (organisationID string, err error)
}

// Invoices stores copies of the provider's invoices.
type Invoices interface {
	// Invoices returns the stored invoices of an organisation, newest first. Instead of its lines, an
	// invoice has one with its description and total. CreditUsed, Refunded, Credited and Returned are the zero Amount,
	// without a currency, if the invoice was stored without them. Returned is also zero if nothing was returned.
	Invoices(ctx context.Context, organisationID string) ([]billing.Invoice, error)
	// Notices returns the notices of an organisation that were queued, in any order.
	Notices(ctx context.Context, organisationID string) ([]billing.Notice, error)
	// RecordReport updates the organisation as UpdateOrganisation does and stores the report in the same
	// transaction. It stores nothing when fn returns an error.
	RecordReport(ctx context.Context, id string, r Report, fn func(*account.Organisation) error) (account.Organisation, error)
}

// Report contains the data that RecordReport stores besides the organisation.
type Report struct {
	Invoices []billing.Invoice // replace those with the same ids
	Notices  []QueuedNotice    // their emails are put into the outbox, except those of notices that were queued before
	At       time.Time         // when the emails are due
}

// QueuedNotice is a notice with its emails.
type QueuedNotice struct {
	Notice billing.Notice
	Emails []mail.Message
}

// Users reads and changes users.
type Users interface {
	User(ctx context.Context, id string) (account.User, error)
	// UserWithOrganisation returns the user, with EmailUnreachable, and the user's organisation, as they were at the
	// same time.
	UserWithOrganisation(ctx context.Context, id string) (account.User, account.Organisation, error)
	// UserByEmail returns the user with the email address, ignoring case and outer spaces.
	UserByEmail(ctx context.Context, email string) (account.User, error)
	// UpdateUser is UpdateOrganisation for users. ID, OrganisationID, Email and CreatedAt can't be changed.
	// An update that changes nothing still waits for concurrent updates of the user.
	UpdateUser(ctx context.Context, id string, fn func(*account.User) error) (account.User, error)
	// RecordSignIn is UpdateUser for a sign-in at the given time. The email that fn returns, if it is not nil, is put
	// into the outbox in the same transaction.
	RecordSignIn(ctx context.Context, id string, at time.Time, fn func(*account.User) (*mail.Message, error)) error
}

// Verifications stores the hashes of the tokens in verification emails.
type Verifications interface {
	// Verification returns a token, also if it has expired but was not swept yet.
	Verification(ctx context.Context, tokenHash string) (account.Verification, error)
	// AddVerification stores another token of a user together with the email that contains it. An unknown
	// user is NotFound, a stored hash Conflict.
	AddVerification(ctx context.Context, v account.Verification, email mail.Message, at time.Time) error
	// SweepVerifications deletes tokens that expired before the given time.
	SweepVerifications(ctx context.Context, before time.Time) error
}

// PasswordResets stores the hashes of the tokens in password reset emails.
type PasswordResets interface {
	// PasswordReset returns a token, also if it has expired but was not swept yet.
	PasswordReset(ctx context.Context, tokenHash string) (account.PasswordReset, error)
	// AddPasswordReset stores another token of a user together with the email that contains it. An unknown
	// user is NotFound, a stored hash Conflict.
	AddPasswordReset(ctx context.Context, r account.PasswordReset, email mail.Message, at time.Time) error
	// UsePasswordReset updates the token's user as UpdateUser does, deletes all of the user's password
	// resets and sessions, and stores the email, in one transaction. An unknown or used token is NotFound.
	// If tokens of a user are used concurrently, one call succeeds. A session that is stored before the
	// user is updated is deleted too.
	UsePasswordReset(ctx context.Context, tokenHash string, email mail.Message, at time.Time,
		fn func(*account.User) error) (account.User, error)
	// SweepPasswordResets deletes tokens that expired before the given time.
	SweepPasswordResets(ctx context.Context, before time.Time) error
}

// EmailConfirmations stores the hashes of the tokens in emails that confirm billing emails.
type EmailConfirmations interface {
	// EmailConfirmation returns a token, also if it has expired but was not swept yet.
	EmailConfirmation(ctx context.Context, tokenHash string) (account.EmailConfirmation, error)
	// AddEmailConfirmation stores a token of an organisation together with the email that contains it. An unknown
	// organisation is NotFound, a stored hash Conflict.
	AddEmailConfirmation(ctx context.Context, c account.EmailConfirmation, email mail.Message, at time.Time) error
	// SweepEmailConfirmations deletes tokens that expired before the given time.
	SweepEmailConfirmations(ctx context.Context, before time.Time) error
}

// EmailPreferences stores which notices an address of an organisation does not receive.
type EmailPreferences interface {
	// DeclinedNotices returns the declined notices in the order of their names.
	DeclinedNotices(ctx context.Context, organisationID, email string) ([]billing.NoticeKind, error)
	// DeclineNotice stores that the address does not receive the notice. A repeat has no effect. An unknown
	// organisation is NotFound.
	DeclineNotice(ctx context.Context, organisationID, email string, kind billing.NoticeKind) error
	// AcceptNotice reverts DeclineNotice.
	AcceptNotice(ctx context.Context, organisationID, email string, kind billing.NoticeKind) error
}

// UnreachableEmails stores which addresses their mail servers have refused permanently. Addresses are in the form of
// account.EmailKey.
type UnreachableEmails interface {
	// MarkUnreachable marks the address. A repeat has no effect.
	MarkUnreachable(ctx context.Context, email string, at time.Time) error
	// MarkReachable removes the mark, if there is one.
	MarkReachable(ctx context.Context, email string) error
	// SweepUnreachable removes the marks that were made before the given time.
	SweepUnreachable(ctx context.Context, before time.Time) error
	// Unreachable returns those of the addresses that are marked, in their order.
	Unreachable(ctx context.Context, emails ...string) ([]string, error)
}

// EmailKind is the kind of email that is requested.
type EmailKind string

// The emails that can be requested for an address.
const (
	VerificationEmail  EmailKind = "verification"
	PasswordResetEmail EmailKind = "password_reset"
)

// EmailRequest is a request for an email to an address that may be unknown. It is stored without looking the
// address up, so that the response time does not reveal whether the address has a user.
type EmailRequest struct {
	ID          string // assigned by the store
	Kind        EmailKind
	Email       string
	RequestedAt time.Time
}

// EmailRequests is a queue of requests for emails.
type EmailRequests interface {
	// AddEmailRequest stores a request and ignores its ID.
	AddEmailRequest(ctx context.Context, r EmailRequest) error
	// ClaimEmailRequest returns the oldest request that is due at now, and makes it due again at until. A
	// new request is due at RequestedAt. It is NotFound if none is due.
	ClaimEmailRequest(ctx context.Context, now, until time.Time) (EmailRequest, error)
	// FinishEmailRequest deletes a request if it exists.
	FinishEmailRequest(ctx context.Context, id string) error
}

// ErrRevisionChanged is wrapped by the Conflict of BeginOperation if the operation was decided for an older
// revision of the organisation's account. The caller must plan it again.
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
	// BeginOperation stores a pending operation and returns it. If the organisation has a pending operation
	// of the same kind, it stores nothing and returns that one with its Age; the caller compares the Key.
	// Beginning a pending operation again therefore returns it. Another key that was used before is
	// Conflict. An account whose revision is not op.Revision is Conflict and wraps ErrRevisionChanged. An
	// unknown organisation is NotFound.
	BeginOperation(ctx context.Context, op billing.Operation) (billing.Operation, error)
	// PendingOperation returns the pending operation of a kind, or NotFound.
	PendingOperation(ctx context.Context, organisationID string, kind billing.OperationKind) (billing.Operation, error)
	// SettleOperation ends a pending operation and deletes its actions. The result is the id of the object
	// that the operation created, or "". It returns false and changes nothing if the operation was
	// settled before. An unknown key is NotFound.
	SettleOperation(ctx context.Context, key, result string, at time.Time) (settled bool, err error)
	// OperationSucceeded reports whether a settled operation has all the values of the argument.
	OperationSucceeded(ctx context.Context, of OperationQuery) (bool, error)
	// PendingOperations returns pending operations that are at least olderThan old, oldest first. It includes
	// operations that began at least olderThan in the future, because the clock was set back.
	PendingOperations(ctx context.Context, olderThan time.Duration, limit int) ([]billing.Operation, error)
}

// PaymentAttempts stores the attempts to charge an invoice with a card, whose number is limited for all
// servers together.
type PaymentAttempts interface {
	// BeginPaymentAttempt calls check with the organisation's earlier attempts at the same invoice with the
	// same card, oldest first, and stores the attempt if check returns nil, without other attempts in
	// between. An error of check is returned unchanged. check may be called again. If the attempt's key is
	// stored already, it returns nil without calling check. An unknown organisation is NotFound.
	BeginPaymentAttempt(ctx context.Context, a billing.PaymentAttempt, check func(earlier []billing.PaymentAttempt) error) error
	// RecordHardDecline marks an attempt as hard declined. It ignores an unknown key.
	RecordHardDecline(ctx context.Context, key string) error
	// SweepPaymentAttempts deletes attempts made before the given time.
	SweepPaymentAttempts(ctx context.Context, before time.Time) error
}

// NewCards stores records of payment methods that payment requests save; see billing.NewCard.
type NewCards interface {
	// SaveNewCard stores a record, unless there is one of the same payment method. An unknown organisation
	// is NotFound.
	SaveNewCard(ctx context.Context, c billing.NewCard) error
	// NewCards returns the records of an organisation, oldest first.
	NewCards(ctx context.Context, organisationID string) ([]billing.NewCard, error)
	// DeleteNewCard deletes a record if it exists.
	DeleteNewCard(ctx context.Context, organisationID, cardID string) error
	// ClaimNewCardCheck returns the organisation with the earliest CheckAt at or before now, and sets the CheckAt
	// of all its records to until. It is NotFound if none is due.
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

// OperatorActions is the audit log. Its entries are never changed.
type OperatorActions interface {
	// RecordAction adds an entry. An unknown organisation is NotFound.
	RecordAction(ctx context.Context, a account.OperatorAction) error
	// Actions returns the entries of an organisation, newest first.
	Actions(ctx context.Context, organisationID string) ([]account.OperatorAction, error)
}

// Email is an outgoing email in the outbox.
type Email struct {
	ID       string
	Message  mail.Message
	Attempts int // including the current one
	// Notice is the zero value for an email that is not about an organisation's billing.
	Notice         billing.Notice
	OrganisationID string // of the notice
}

// Outbox stores outgoing emails, which are committed together with the change that they are about.
type Outbox interface {
	// ClaimEmails returns emails that are due at now, and makes them due again at until. Emails about accounts
	// precede all notices, and within both the oldest are first. A new email is due at the
	// time of its change, which for a sign-up is the organisation's CreatedAt.
	ClaimEmails(ctx context.Context, now, until time.Time, limit int) ([]Email, error)
	// FinishEmail deletes an email that was sent or is given up. Here and in PostponeEmail, an unknown id is
	// ignored, because two deliveries may overlap.
	FinishEmail(ctx context.Context, id string) error
	// PostponeEmail makes an email due at the given time.
	PostponeEmail(ctx context.Context, id string, due time.Time) error
}

// Events stores which of the provider's webhook events were handled.
type Events interface {
	// EventHandled reports whether RecordEvent was called for the event.
	EventHandled(ctx context.Context, id string) (bool, error)
	// RecordEvent records that the event was handled. It may be called more than once.
	RecordEvent(ctx context.Context, id, kind string, at time.Time) error
	// SweepEvents deletes at most limit events that were handled before the given time, and returns their
	// number.
	SweepEvents(ctx context.Context, before time.Time, limit int) (int, error)
}

// BacklogLimit is the number at which the counting of a queue stops.
const BacklogLimit = 1000

// Backlog contains the lengths of the queues in the database, for monitoring.
type Backlog struct {
	Emails     Queue // in the outbox, including claimed ones
	Operations Queue // pending
}

// Queue is the length of a queue.
type Queue struct {
	Count  int       // BacklogLimit means that many or more
	Oldest time.Time // zero if the queue is empty
}
