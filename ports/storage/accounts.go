package storage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/mail"
)

// SignUp contains the records of a sign-up, which are stored in one transaction.
type SignUp struct {
	Organisation account.Organisation
	User         account.User
	Verification account.Verification
	Email        mail.Message
	// Replaces contains the ids of users whose unverified registrations this one corrects.
	Replaces []string
}

// SignUps stores and deletes registrations.
type SignUps interface {
	// CreateSignUp stores the sign-up. If a verified registration has the same name or email address, ignoring case and
	// outer spaces, the error is Duplicate with the fields "org" or "email" or both. Unverified registrations don't
	// reserve anything: several of them may have the same name and address. CreateSignUp sets ReplacedAt of the users in
	// s.Replaces, unless they are verified, and deletes their emails in the outbox. It adds account.SignUpEntry to the audit
	// log.
	CreateSignUp(ctx context.Context, s SignUp) error
	// UnverifiedUsers returns users who are neither verified nor replaced and have the email address, or an organisation
	// with the name. It returns at most limit users of each kind, in any order.
	UnverifiedUsers(ctx context.Context, org, email string, limit int) ([]account.User, error)
	// CheckAvailable returns the error that CreateSignUp would return for the name and the email address, or nil.
	CheckAvailable(ctx context.Context, org, email string) error
	// DeleteRegistration deletes an unverified user, the user's tokens and outgoing emails, and the organisation with
	// its operations. It returns the organisation. It returns NotFound for an unknown user, and Conflict for a
	// verified user and for an organisation with a subscription, a developer license or other members. The audit log keeps
	// the entries of the organisation. Without an actor in the context, the actor of the deletion is a visitor.
	DeleteRegistration(ctx context.Context, userID string) (account.Organisation, error)
	// SweepRegistrations calls DeleteRegistration for unverified users created at or before the cutoff, oldest first.
	// It skips registrations for which DeleteRegistration returns Conflict. It deletes at most limit registrations
	// and returns their organisations.
	SweepRegistrations(ctx context.Context, cutoff time.Time, limit int) ([]account.Organisation, error)
}

// Organisations reads and changes organisations.
type Organisations interface {
	Organisation(ctx context.Context, id string) (account.Organisation, error)
	// OrganisationByCustomer returns the organisation of a payment provider's customer.
	OrganisationByCustomer(ctx context.Context, customerID string) (account.Organisation, error)
	// UpdateOrganisation reads the organisation, calls change, stores the result and returns it. No other update
	// happens in between. If change returns an error, UpdateOrganisation stores nothing and returns the error
	// unchanged. change must only change its argument, because it may be called again. UpdateOrganisation returns
	// Conflict for the customer id or a subscription of another organisation and for a second live subscription, and
	// Duplicate for a taken name. It ignores changes of ID and CreatedAt, and does not store client secrets. It adds the
	// entries of account.OrganisationEntries to the audit log; without an actor in the context, the actor is audit.System.
	UpdateOrganisation(ctx context.Context, id string, change func(*account.Organisation) error) (account.Organisation, error)
	// OrganisationsOnHold returns the organisations with a Billing.Hold other than NoHold, in the order of their ids.
	OrganisationsOnHold(ctx context.Context) ([]account.Organisation, error)
	// ClaimBillingCheck claims the organisation with the earliest Billing.CheckAt at or before now: until lease has passed on
	// the clock of the database, or ReleaseBillingCheck is called, no other call returns it. It also sets CheckAt to the
	// end of the lease on the caller's clock. A CheckAt that is more than twice billing.MaxCheckInterval after now was
	// computed with a wrong clock, and counts as due. If no check is due, the error is NotFound.
	ClaimBillingCheck(ctx context.Context, now time.Time, lease time.Duration) (Check, error)
	// ReleaseBillingCheck ends the claim, unless it has expired and another call has claimed the organisation. It then sets
	// Billing.CheckAt to next, unless next or CheckAt is zero.
	ReleaseBillingCheck(ctx context.Context, c Check, next time.Time) error
}

// Check is a claimed check of an organisation.
type Check struct {
	OrganisationID string
	ClaimedUntil   time.Time // on the clock of the database; identifies the claim
}

// Users reads and changes users. A user's OrganisationID is that of the membership that was used last.
type Users interface {
	User(ctx context.Context, id string) (account.User, error)
	// UserWithOrganisation returns a consistent snapshot of the user and an organisation of which the user is a member. It
	// sets the user's OrganisationID, EmailUnreachable and HasOtherOrganisations. It returns NotFound without the membership.
	UserWithOrganisation(ctx context.Context, userID, organisationID string) (account.User, account.Organisation, error)
	// UserByEmail returns the verified user with the email address, ignoring case and outer spaces. If there is none, it
	// returns the user of the newest registration that is not verified and was not replaced.
	UserByEmail(ctx context.Context, email string) (account.User, error)
	// UpdateUser updates a user in the same way as UpdateOrganisation updates an organisation. It ignores changes of
	// ID, OrganisationID, Email and CreatedAt. An update that changes nothing still waits for concurrent updates of
	// the user. UpdateUser adds the entries of account.UserEntries to the audit log; without an actor in the context, the
	// user is the actor. An update that verifies the user reserves the email address and the organisation's name. It returns
	// Duplicate as CreateSignUp does if another verified registration has one of them. Of several concurrent
	// verifications with the same name or address, one succeeds.
	UpdateUser(ctx context.Context, id string, change func(*account.User) error) (account.User, error)
	// RecordSignIn updates the user as UpdateUser does, and adds the entry to the audit log. If change returns an email,
	// RecordSignIn puts the email into the outbox in the same transaction.
	RecordSignIn(
		ctx context.Context, id string, entry audit.Entry, emailDue time.Time, change func(*account.User) (*mail.Message, error),
	) error
}

// Memberships reads the memberships of users. CreateSignUp makes the user an owner.
type Memberships interface {
	// Memberships returns the memberships of a user with the names of the organisations, the one that was used last first.
	Memberships(ctx context.Context, userID string) ([]account.Membership, error)
	// UseMembership sets LastUsedAt. It returns NotFound without the membership.
	UseMembership(ctx context.Context, userID, organisationID string, at time.Time) error
}

// Verifications stores the hashes of the tokens in verification emails.
type Verifications interface {
	// Verification returns a token, even if it has expired, until SweepVerifications deletes it.
	Verification(ctx context.Context, tokenHash string) (account.Verification, error)
	// AddVerification stores another token of a user together with the email that contains the token. It returns
	// NotFound for an unknown user, and Conflict if the hash is already stored.
	AddVerification(ctx context.Context, v account.Verification, email mail.Message, emailDue time.Time) error
	// SweepVerifications deletes tokens that expired before the given time. Those that expire after latest were issued
	// while a clock was wrong, and expire at latest.
	SweepVerifications(ctx context.Context, before, latest time.Time) error
}

// PasswordResets stores the hashes of the tokens in password reset emails.
type PasswordResets interface {
	// PasswordReset returns a token, even if it has expired, until SweepPasswordResets deletes it.
	PasswordReset(ctx context.Context, tokenHash string) (account.PasswordReset, error)
	// AddPasswordReset stores another token of a user together with the email that contains the token. It returns
	// NotFound for an unknown user, and Conflict if the hash is already stored.
	AddPasswordReset(ctx context.Context, r account.PasswordReset, email mail.Message, emailDue time.Time) error
	// SweepPasswordResets deletes tokens that expired before the given time. Those that expire after latest were issued
	// while a clock was wrong, and expire at latest.
	SweepPasswordResets(ctx context.Context, before, latest time.Time) error
}
