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
	Operations
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
	Letter       mail.Message
}

// Signups writes sign-ups.
type Signups interface {
	// CreateSignup stores the sign-up. A name or an e-mail that is taken, compared without case
	// and outer spaces, is Duplicate, with Fields naming "org" or "email" or both.
	CreateSignup(ctx context.Context, s Signup) error
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
	// and CreatedAt do not change.
	UpdateUser(ctx context.Context, id string, fn func(*account.User) error) (account.User, error)
}

// Verifications keeps the tokens that e-mails carry, as hashes.
type Verifications interface {
	// Verification finds a token by its hash, expired ones included until they are swept.
	Verification(ctx context.Context, tokenHash string) (account.Verification, error)
	// AddVerification stores one more token of a user together with the letter that carries it.
	// An unknown user is NotFound, a hash that is known already Conflict.
	AddVerification(ctx context.Context, v account.Verification, letter mail.Message, at time.Time) error
	// SweepVerifications deletes the tokens that expired before the instant.
	SweepVerifications(ctx context.Context, before time.Time) error
}

// Operations keeps what we ask of the payment provider; see billing.Operation.
type Operations interface {
	// BeginOperation stores a pending operation. When its organisation's lane has a pending one
	// already, that one is returned instead and nothing is stored: the caller tells by the Key.
	// Beginning a pending operation again therefore returns it; any other key that was used
	// before is Conflict. An unknown organisation is NotFound.
	BeginOperation(ctx context.Context, op billing.Operation) (billing.Operation, error)
	// SettleOperation ends a pending operation with the id of what it made, "" for nothing.
	// Settling twice keeps the first outcome; an unknown key is NotFound.
	SettleOperation(ctx context.Context, key, result string, at time.Time) error
	// LastOperation is the newest settled operation of a lane that made something, by its
	// settling; NotFound when there is none.
	LastOperation(ctx context.Context, organisationID string, lane billing.Lane) (billing.Operation, error)
	// PendingOperations lists operations that began before the instant and are still pending,
	// oldest first.
	PendingOperations(ctx context.Context, before time.Time, limit int) ([]billing.Operation, error)
}

// Letter is an outgoing e-mail that waits in the outbox.
type Letter struct {
	ID       string
	Message  mail.Message
	Attempts int // deliveries tried so far, this one included
}

// Outbox holds the letters that were committed with the change they tell of.
type Outbox interface {
	// ClaimLetters hands out letters that are due at now, oldest first, and hides them from
	// every other claim until the given instant. A letter is due from the instant of the change
	// it came with, which for a sign-up is when its organisation was created.
	ClaimLetters(ctx context.Context, now, until time.Time, limit int) ([]Letter, error)
	// FinishLetter removes a letter that was sent or will never be. One that is gone already is
	// harmless, here and in PostponeLetter: two deliveries may overlap.
	FinishLetter(ctx context.Context, id string) error
	// PostponeLetter makes a letter due again at the instant.
	PostponeLetter(ctx context.Context, id string, due time.Time) error
}

// Events remembers which of the provider's events have had their effect.
type Events interface {
	// EventHandled reports whether the event was recorded.
	EventHandled(ctx context.Context, id string) (bool, error)
	// RecordEvent notes that the event has had its effect; noting it twice is harmless.
	RecordEvent(ctx context.Context, id, kind string, at time.Time) error
}
