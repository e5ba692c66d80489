package storage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
)

// Signup contains the records of a sign-up, which are stored in one transaction.
type Signup struct {
	Organisation account.Organisation
	User         account.User
	Verification account.Verification
	Email        mail.Message
	// ExpiryCutoff is the latest creation time of unverified registrations that have expired.
	ExpiryCutoff time.Time
}

// Signups stores and deletes registrations.
type Signups interface {
	// CreateSignup stores the sign-up. If the name or the email address is taken, ignoring case and outer spaces,
	// the error is Duplicate with the fields "org" or "email" or both. Expired registrations with the name or the
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
	// UpdateOrganisation reads the organisation, calls change, and stores and returns the result, without
	// other updates in between. If change returns an error, nothing is stored and the error is returned
	// unchanged. change must only change its argument, because it may be called again. The customer id or a
	// subscription of another organisation is Conflict, and so is a second live subscription. A taken name is
	// Duplicate. Changes of ID and CreatedAt are ignored. Client secrets are not stored.
	UpdateOrganisation(ctx context.Context, id string, change func(*account.Organisation) error) (account.Organisation, error)
	// OrganisationsOnHold returns the organisations with a Billing.Hold other than NoHold, in the order of their ids.
	OrganisationsOnHold(ctx context.Context) ([]account.Organisation, error)
	// ClaimCheck returns the id of the organisation with the earliest Billing.CheckAt at or before now, and
	// sets its CheckAt to until, so that no other call returns it until then. If none is due, the error is NotFound.
	ClaimCheck(ctx context.Context, now, until time.Time) (organisationID string, err error)
}

// Users reads and changes users.
type Users interface {
	User(ctx context.Context, id string) (account.User, error)
	// UserWithOrganisation returns a consistent snapshot of the user, with EmailUnreachable, and the user's
	// organisation.
	UserWithOrganisation(ctx context.Context, id string) (account.User, account.Organisation, error)
	// UserByEmail returns the user with the email address, ignoring case and outer spaces.
	UserByEmail(ctx context.Context, email string) (account.User, error)
	// UpdateUser updates a user as UpdateOrganisation does an organisation. Changes of ID, OrganisationID, Email
	// and CreatedAt are ignored. An update that changes nothing still waits for concurrent updates of the user.
	UpdateUser(ctx context.Context, id string, change func(*account.User) error) (account.User, error)
	// RecordSignIn updates the user as UpdateUser does and, unless the email that change returns is nil, puts it into
	// the outbox in the same transaction. The email is due at the given time.
	RecordSignIn(ctx context.Context, id string, at time.Time, change func(*account.User) (*mail.Message, error)) error
}

// Verifications stores the hashes of the tokens in verification emails.
type Verifications interface {
	// Verification returns a token, even if it has expired, until it is swept.
	Verification(ctx context.Context, tokenHash string) (account.Verification, error)
	// AddVerification stores another token of a user together with the email that contains it. An unknown
	// user is NotFound, a stored hash Conflict.
	AddVerification(ctx context.Context, v account.Verification, email mail.Message, at time.Time) error
	// SweepVerifications deletes tokens that expired before the given time.
	SweepVerifications(ctx context.Context, before time.Time) error
}

// PasswordResets stores the hashes of the tokens in password reset emails.
type PasswordResets interface {
	// PasswordReset returns a token, even if it has expired, until it is swept.
	PasswordReset(ctx context.Context, tokenHash string) (account.PasswordReset, error)
	// AddPasswordReset stores another token of a user together with the email that contains it. An unknown
	// user is NotFound, a stored hash Conflict.
	AddPasswordReset(ctx context.Context, r account.PasswordReset, email mail.Message, at time.Time) error
	// UsePasswordReset updates the token's user as UpdateUser does, deletes all of the user's password
	// resets and sessions, and puts the email into the outbox, in one transaction. An unknown or used token is
	// NotFound. If several tokens of a user are used concurrently, one call succeeds. Sessions that are stored
	// before the user is updated are deleted, too.
	UsePasswordReset(ctx context.Context, tokenHash string, email mail.Message, at time.Time,
		change func(*account.User) error) (account.User, error)
	// SweepPasswordResets deletes tokens that expired before the given time.
	SweepPasswordResets(ctx context.Context, before time.Time) error
}

// OperatorActions stores the audit log. Its entries never change.
type OperatorActions interface {
	// RecordAction adds an entry. An unknown organisation is NotFound.
	RecordAction(ctx context.Context, a account.OperatorAction) error
	// Actions returns the entries of an organisation, newest first.
	Actions(ctx context.Context, organisationID string) ([]account.OperatorAction, error)
}
