// Package storage is the port to the database. An adapter implements Store and passes the suite
// in storagetest.
//
// Obligations every method shares: errors are faults (NotFound, Duplicate, Conflict;
// Unavailable when the database can't be reached or is locked too long); a nil error means the
// change survives a power cut; instants are UTC and kept to the microsecond; ctx ends a call, and
// a call that ended early changed nothing.
package storage

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/mail"
)

// Store is the database in full. Callers ask for the part they need.
type Store interface {
	Signups
	Organisations
	Users
	Verifications
	PasswordResets
	EmailRequests
	Operations
	PaymentAttempts
	CardNotes
	Outbox
	Events
	// Ready reports whether the database can be reached and is migrated.
	Ready(ctx context.Context) error
}

// Signup is all that a sign-up writes, at once or not at all.
type Signup struct {
	Organisation account.Organisation
	User         account.User
	Verification account.Verification
	Email        mail.Message
	// ExpiryCutoff is the instant by which registrations that were never verified have expired: those
	// created at or before it give way to this one.
	ExpiryCutoff time.Time
}

// Signups writes and deletes sign-ups.
type Signups interface {
	// CreateSignup stores the sign-up. A name or an e-mail that is taken, compared without case
	// and outer spaces, is Duplicate, with Fields naming "org" or "email" or both. Expired
	// registrations take nothing: those in the way are deleted.
	CreateSignup(ctx context.Context, s Signup) error
	// DeleteRegistration deletes a user who was never verified, with the organisation, its operations,
	// the user's tokens and the emails that wait for the user, and returns the organisation. An unknown
	// user is NotFound. A verified user is Conflict, and so is an organisation that has a subscription
	// or a developer license.
	DeleteRegistration(ctx context.Context, userID string) (account.Organisation, error)
	// SweepRegistrations deletes as DeleteRegistration does what was created at or before the cutoff
	// and never verified, oldest first, and returns the organisations, at most as many as the limit.
	// What DeleteRegistration refuses stays.
	SweepRegistrations(ctx context.Context, cutoff time.Time, limit int) ([]account.Organisation, error)
}

// Organisations reads and changes organisations.
type Organisations interface {
	Organisation(ctx context.Context, id string) (account.Organisation, error)
	// OrganisationByCustomer finds the organisation of a payment provider's customer.
	OrganisationByCustomer(ctx context.Context, customerID string) (account.Organisation, error)
	// UpdateOrganisation reads the organisation, lets fn change it and stores the outcome, with
	// nobody else in between, and returns what was stored. fn's error undoes everything and is
	// returned as it is. fn must do nothing but change its argument: it may run again. A
	// customer id that another organisation has is Conflict; so is a second live subscription,
	// and a subscription of another organisation. A name that is taken is Duplicate. Id and
	// CreatedAt do not change; client secrets are never kept.
	UpdateOrganisation(ctx context.Context, id string, fn func(*account.Organisation) error) (account.Organisation, error)
	// ClaimCheck hands out the id of the organisation whose Billing.CheckAt is the earliest that has
	// come by now, and puts it off until the given instant, so that nobody else is handed it
	// meanwhile. NotFound when none is due.
	ClaimCheck(ctx context.Context, now, until time.Time) (organisationID string, err error)
}

// Users reads and changes users.
type Users interface {
	User(ctx context.Context, id string) (account.User, error)
	// UserByEmail finds a user by e-mail, whatever its case and outer spaces.
	UserByEmail(ctx context.Context, email string) (account.User, error)
	// UpdateUser is UpdateOrganisation for users. Id, organisation, e-mail
	// and CreatedAt do not change. An update that changes nothing still waits for others of the user.
	UpdateUser(ctx context.Context, id string, fn func(*account.User) error) (account.User, error)
}

// Verifications keeps the tokens that e-mails carry, as hashes.
type Verifications interface {
	// Verification finds a token by its hash, expired ones included until they are swept.
	Verification(ctx context.Context, tokenHash string) (account.Verification, error)
	// AddVerification stores one more token of a user together with the email that carries it.
	// An unknown user is NotFound, a hash that is known already Conflict.
	AddVerification(ctx context.Context, v account.Verification, email mail.Message, at time.Time) error
	// SweepVerifications deletes the tokens that expired before the instant.
	SweepVerifications(ctx context.Context, before time.Time) error
}

// PasswordResets keeps the tokens of password reset emails, as hashes.
type PasswordResets interface {
	// PasswordReset finds a token by its hash, expired ones included until they are swept.
	PasswordReset(ctx context.Context, tokenHash string) (account.PasswordReset, error)
	// AddPasswordReset stores one more token of a user together with the email that carries it. An
	// unknown user is NotFound, a hash that is known already Conflict.
	AddPasswordReset(ctx context.Context, r account.PasswordReset, email mail.Message, at time.Time) error
	// UsePasswordReset changes the token's user as UpdateUser does, deletes all of the user's tokens,
	// ends the user's sessions and stores the email, all at once or not at all. A token that is
	// unknown, as after its use, is NotFound: of several uses at once one succeeds. A session that is
	// stored before the user is changed ends as well.
	UsePasswordReset(ctx context.Context, tokenHash string, email mail.Message, at time.Time,
		fn func(*account.User) error) (account.User, error)
	// SweepPasswordResets deletes the tokens that expired before the instant.
	SweepPasswordResets(ctx context.Context, before time.Time) error
}

// EmailKind says which email an EmailRequest asks for.
type EmailKind string

// The emails that can be requested for an address.
const (
	VerificationEmail  EmailKind = "verification"
	PasswordResetEmail EmailKind = "password_reset"
)

// EmailRequest asks for an email to an address that may belong to a user or not. It is stored before
// anyone looks the address up, so that the caller can't tell known addresses from unknown ones by the
// time that takes.
type EmailRequest struct {
	ID          string // given by the store
	Kind        EmailKind
	Email       string
	RequestedAt time.Time
}

// EmailRequests is a queue of requests for emails.
type EmailRequests interface {
	// AddEmailRequest stores a request; its ID is ignored. It does the same for every address.
	AddEmailRequest(ctx context.Context, r EmailRequest) error
	// ClaimEmailRequest returns the oldest request that is due at now, and hides it from every other
	// claim until the given instant. NotFound when none is due. A request is due from RequestedAt.
	ClaimEmailRequest(ctx context.Context, now, until time.Time) (EmailRequest, error)
	// FinishEmailRequest removes a request. One that is gone already is harmless.
	FinishEmailRequest(ctx context.Context, id string) error
}

// ErrPlanOutdated is in the chain of the Conflict that refuses to begin an operation that was
// planned for an older revision of the organisation's account. It has to be planned again.
var ErrPlanOutdated = errors.New("the operation was planned for an older revision of the account")

// Made names an operation that has made something.
type Made struct {
	OrganisationID string
	Kind           billing.OperationKind
	Fingerprint    string
	Result         string
}

// Operations keeps what we ask of the payment provider; see billing.Operation. Ages are counted by
// the clock of the database.
type Operations interface {
	// BeginOperation stores a pending operation. When its organisation's kind has a pending one
	// already, that one is returned instead, with its Age, and nothing is stored: the caller tells by
	// the Key. Beginning a pending operation again therefore returns it; any other key that was used
	// before is Conflict. An account at another revision than op.Revision is Conflict with
	// ErrPlanOutdated. An unknown organisation is NotFound.
	BeginOperation(ctx context.Context, op billing.Operation) (billing.Operation, error)
	// PendingOperation returns the kind's pending operation; NotFound when there is none.
	PendingOperation(ctx context.Context, organisationID string, kind billing.OperationKind) (billing.Operation, error)
	// SettleOperation ends a pending operation with the id of what it made, "" for nothing, and
	// deletes its steps. It reports whether it did: settling twice keeps the first outcome. An unknown
	// key is NotFound.
	SettleOperation(ctx context.Context, key, result string, at time.Time) (won bool, err error)
	// OperationMade reports whether such an operation was settled with such a result.
	OperationMade(ctx context.Context, of Made) (bool, error)
	// PendingOperations lists pending operations of at least an age, oldest first. One that seems to
	// begin as far in the future counts as well: the clock was set back.
	PendingOperations(ctx context.Context, olderThan time.Duration, limit int) ([]billing.Operation, error)
}

// PaymentAttempts keeps the attempts to charge an invoice with a card, so that the limit on them
// holds for all servers together and after a restart.
type PaymentAttempts interface {
	// BeginPaymentAttempt stores the attempt if check allows it. check gets the earlier attempts of
	// the organisation at the same invoice with the same card, oldest first, with nobody else in
	// between; its error is returned as it is, and nothing is stored. It may run again. An attempt
	// whose key is stored already is allowed without asking check. An unknown organisation is NotFound.
	BeginPaymentAttempt(ctx context.Context, a billing.PaymentAttempt, check func(earlier []billing.PaymentAttempt) error) error
	// RecordHardDecline notes that the attempt ended in a hard decline; an unknown key is harmless.
	RecordHardDecline(ctx context.Context, key string) error
	// SweepPaymentAttempts deletes the attempts from before the instant.
	SweepPaymentAttempts(ctx context.Context, before time.Time) error
}

// CardNotes keeps notes of payment methods that payment requests save; see billing.NewCard.
type CardNotes interface {
	// NoteNewCard stores a note. One about the same payment method is kept as it is. An unknown
	// organisation is NotFound.
	NoteNewCard(ctx context.Context, c billing.NewCard) error
	// NewCards lists the notes of an organisation, oldest first.
	NewCards(ctx context.Context, organisationID string) ([]billing.NewCard, error)
	// ForgetNewCard deletes a note; one that is not there is harmless.
	ForgetNewCard(ctx context.Context, organisationID, cardID string) error
	// ClaimNewCards returns the organisation with the earliest CheckAt that is due by now, and moves
	// the CheckAt of all its notes to the given instant. NotFound when none is due.
	ClaimNewCards(ctx context.Context, now, until time.Time) (organisationID string, err error)
}

// Email is an outgoing e-mail that waits in the outbox.
type Email struct {
	ID       string
	Message  mail.Message
	Attempts int // deliveries tried so far, this one included
}

// Outbox holds the emails that were committed with the change they tell of.
type Outbox interface {
	// ClaimEmails hands out emails that are due at now, oldest first, and hides them from
	// every other claim until the given instant. An email is due from the instant of the change
	// it came with, which for a sign-up is when its organisation was created.
	ClaimEmails(ctx context.Context, now, until time.Time, limit int) ([]Email, error)
	// FinishEmail removes an email that was sent or will never be. One that is gone already is
	// harmless, here and in PostponeEmail: two deliveries may overlap.
	FinishEmail(ctx context.Context, id string) error
	// PostponeEmail makes an email due again at the instant.
	PostponeEmail(ctx context.Context, id string, due time.Time) error
}

// Events remembers which of the provider's events have had their effect.
type Events interface {
	// EventHandled reports whether the event was recorded.
	EventHandled(ctx context.Context, id string) (bool, error)
	// RecordEvent notes that the event has had its effect; noting it twice is harmless.
	RecordEvent(ctx context.Context, id, kind string, at time.Time) error
}
