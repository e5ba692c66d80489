package storage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/mail"
)

// EmailConfirmations stores the hashes of the tokens with which recipients confirm billing emails.
type EmailConfirmations interface {
	// EmailConfirmation returns a token, even if it has expired, until SweepEmailConfirmations deletes it.
	EmailConfirmation(ctx context.Context, tokenHash string) (account.EmailConfirmation, error)
	// AddEmailConfirmation stores a token of an organisation together with the email that contains the token. It
	// returns NotFound for an unknown organisation, and Conflict if the hash is already stored.
	AddEmailConfirmation(ctx context.Context, c account.EmailConfirmation, email mail.Message, emailDue time.Time) error
	// SweepEmailConfirmations deletes tokens that expired before the given time. Those that expire after latest were issued
	// while a clock was wrong, and expire at latest.
	SweepEmailConfirmations(ctx context.Context, before, latest time.Time) error
}

// EmailPreferences stores the notices that an address of an organisation does not receive. The preferences of a member's
// address follow a change of the address, and are deleted when the member is removed, unless the organisation still sends
// emails about billing to the address.
type EmailPreferences interface {
	// DeclinedNotices returns the declined notices in the order of their names.
	DeclinedNotices(ctx context.Context, organisationID, email string) ([]billing.NoticeKind, error)
	// DeclineNotice stores that the address does not receive the notice. A repeat has no effect. DeclineNotice returns
	// NotFound for an unknown organisation.
	DeclineNotice(ctx context.Context, organisationID, email string, kind billing.NoticeKind) error
	// AcceptNotice reverts DeclineNotice.
	AcceptNotice(ctx context.Context, organisationID, email string, kind billing.NoticeKind) error
}

// UnreachableEmails stores the addresses to which emails of an organisation can't be delivered. Each organisation has its own
// marks, so that an organisation can't block the emails of another one by entering its address. Addresses are in the form
// of account.EmailKey.
type UnreachableEmails interface {
	// MarkUnreachable marks the address for the organisation. A repeat has no effect.
	MarkUnreachable(ctx context.Context, organisationID, email string, at time.Time) error
	// MarkReachable removes the marks of the address for all organisations.
	MarkReachable(ctx context.Context, email string) error
	// SweepUnreachable removes the marks that were made before the given time.
	SweepUnreachable(ctx context.Context, before time.Time) error
	// Unreachable returns the addresses that are marked for the organisation, in the order of the arguments.
	Unreachable(ctx context.Context, organisationID string, emails ...string) ([]string, error)
}

// EmailKind is the kind of email that is requested.
type EmailKind string

// The kinds of emails that can be requested.
const (
	VerificationEmail  EmailKind = "verification"
	PasswordResetEmail EmailKind = "password_reset"
)

// EmailRequest is a request for an email to an address that may be unknown. The application stores it without reading the
// verified user of the address, so that the response time does not reveal whether there is one.
type EmailRequest struct {
	ID          string // assigned by the store
	Kind        EmailKind
	Email       string
	UserID      string // the user with the address who registered in the browser of the request; "" for none
	RequestedAt time.Time
}

// EmailRequests is a queue of requests for emails.
type EmailRequests interface {
	// AddEmailRequest stores a request and ignores its ID.
	AddEmailRequest(ctx context.Context, r EmailRequest) error
	// ClaimEmailRequest returns the oldest request that is due at now, and claims it as ClaimEmails does. A new request is
	// due at RequestedAt. If no request is due, the error is NotFound.
	ClaimEmailRequest(ctx context.Context, now time.Time, lease time.Duration) (EmailRequest, error)
	// PostponeEmailRequest ends the claim and makes a request due at the given time.
	PostponeEmailRequest(ctx context.Context, id string, dueAt time.Time) error
	// FinishEmailRequest deletes a request if it exists.
	FinishEmailRequest(ctx context.Context, id string) error
}

// MaxEmailDelay is the longest time for which PostponeEmail and PostponeEmailRequest may delay an attempt. A due time that
// lies further in the future was computed with a wrong clock, and counts as due.
const MaxEmailDelay = time.Hour

// Email is an outgoing email in the outbox.
type Email struct {
	ID        string
	Message   mail.Message // with the ID
	CreatedAt time.Time
	Attempts  int       // including the current one
	ExpiresAt time.Time // when the email must not be sent any more, because its link has expired; zero for never
	RefusedAt time.Time // as passed to PostponeEmail
	// Notice is the zero value for an email that is not about an organisation's billing.
	Notice         billing.Notice
	OrganisationID string // of the notice or the billing email; "" for an email to a user
	UserID         string // "" for an email that is not to a user
	Condition      EmailCondition
}

// EmailCondition must hold when an email is delivered; otherwise the email is not sent. The zero value always holds.
type EmailCondition struct {
	// LinkHash is the hash of the token of an invitation, a change of an email address or a password reset. The email is
	// useless if the token was deleted. "" for none.
	LinkHash string
	// RecipientID is a user who must have RecipientRole in the organisation. "" for none.
	RecipientID   string
	RecipientRole account.Role
}

// EmailOutcome is the outcome of an email.
type EmailOutcome struct {
	SentAt time.Time // when the mail server accepted the email; zero if the email will not be sent
	Reason string    // the code of the reason why it will not be sent, such as "expired"
	Answer string    // the codes with which the mail server refused the email, such as "550 5.1.1"; "" for none
}

// Outbox stores outgoing emails, which are committed together with the change that they are about.
type Outbox interface {
	// ClaimEmails returns emails that are due at now, and claims them: until lease has passed on the clock of the database,
	// or PostponeEmail is called, no other call returns them. The clocks of servers may therefore differ. Emails about
	// accounts precede all notices. Within each of these two groups, older emails precede newer ones. A new email is due
	// at the time of the change that it is about; for a sign-up, that is the organisation's CreatedAt.
	ClaimEmails(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Email, error)
	// FinishEmail deletes an email, and adds its outcome to the audit log. It moves an email with a Notice to
	// FinishedEmails. If the email of a sign-up was delayed, account.VerificationLifetime begins at outcome.SentAt.
	// FinishEmail and PostponeEmail ignore an unknown id, because two deliveries may overlap.
	FinishEmail(ctx context.Context, id string, outcome EmailOutcome) error
	// HasLink reports whether an invitation, a change of an email address or a password reset with the hash is stored.
	HasLink(ctx context.Context, tokenHash string) (bool, error)
	// PostponeEmail ends the claim that returned e, and makes the email due at dueAt. It stores e.RefusedAt. If the claim
	// has expired and another call has claimed the email, PostponeEmail has no effect.
	PostponeEmail(ctx context.Context, e Email, dueAt time.Time) error
}

// FinishedEmail is an email about billing whose delivery has ended. It has no body, which operators don't see.
type FinishedEmail struct {
	ID         string // as in the outbox
	Recipient  string
	Subject    string
	Notice     billing.Notice
	FinishedAt time.Time
}

// FinishedEmails stores the emails about billing after Outbox.FinishEmail, so that operators can send them again. It does not
// store emails about accounts, whose links act for the recipient.
type FinishedEmails interface {
	// FinishedEmails returns the emails of the organisation that were finished at or after since, newest first.
	FinishedEmails(ctx context.Context, organisationID string, since time.Time, limit int) ([]FinishedEmail, error)
	// ResendEmail puts a copy of a finished email into the outbox, to its recipient and due at now, and adds the entry to the
	// audit log. It returns NotFound if the organisation has no such email, and Conflict if there is an entry with the cause
	// of this one.
	ResendEmail(ctx context.Context, organisationID, id string, now time.Time, entry audit.Entry) error
	// SweepFinishedEmails deletes the emails that were finished before the given time.
	SweepFinishedEmails(ctx context.Context, before time.Time) error
}
