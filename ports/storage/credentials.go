package storage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/mail"
)

// Credentials reads and changes the credentials of users.
type Credentials interface {
	// Credentials returns a consistent snapshot of the user's credentials.
	Credentials(ctx context.Context, userID string) (account.Credentials, error)
	// UpdateCredentials calls change with the user's credentials and stores the result as UpdateUser does, but including the
	// email address. It also stores the effects that change returns. No other update of the user happens in between. If
	// change raises SecurityRevision, UpdateCredentials also deletes all password resets, the email change and the sessions
	// of the user that were stored before, except the session to keep. It ignores other changes of PasswordResets. If the
	// email address changes, ContactEmail and MemberEmails of the user's organisations follow; an organisation with a
	// customer and another ContactEmail is due for a check at now. UpdateCredentials adds the entries of account.UserEntries
	// and account.FactorEntries to the audit log; without an actor in the context, the user is the actor. It returns the
	// stored user, NotFound for an unknown user, Conflict if the challenge was used before or another user has the passkey,
	// and Duplicate if a verified user has the new address.
	UpdateCredentials(ctx context.Context, userID string, now time.Time,
		change func(*account.Credentials) (CredentialsEffects, error)) (account.User, error)
	// SweepChallenges deletes the challenges that expired before the given time.
	SweepChallenges(ctx context.Context, before time.Time) error
	// EmailChange returns the pending change of an email address by the hash of its token, even if it has expired.
	EmailChange(ctx context.Context, tokenHash string) (account.EmailChange, error)
	// Undo returns an undo link by the hash of its token, even if it has expired.
	Undo(ctx context.Context, tokenHash string) (account.Undo, error)
	// SweepEmailChanges deletes changes that expired before the given time. Those that expire after latest were requested
	// while a clock was wrong, and expire at latest.
	SweepEmailChanges(ctx context.Context, before, latest time.Time) error
	// SweepUndos deletes undo links as SweepEmailChanges deletes changes.
	SweepUndos(ctx context.Context, before, latest time.Time) error
}

// CredentialsEffects contains what UpdateCredentials stores besides the credentials.
type CredentialsEffects struct {
	Emails      []mail.Message         // for the outbox, due at the time of the update
	Entries     []audit.Entry          // for the audit log, besides those of account.FactorEntries
	Challenge   *account.UsedChallenge // nil for none
	KeepSession string                 // the id of the session that a raised SecurityRevision does not end; "" for none
	Reset       *NewPasswordReset      // nil for none
	// Verification is nil for none.
	Verification *NewVerification
	LinkEmail    *LinkEmail // nil for none
}

// LinkEmail is an email that is not sent after its link has expired or was deleted.
type LinkEmail struct {
	Email     mail.Message
	TokenHash string // as EmailCondition.LinkHash
	ExpiresAt time.Time
	// OrganisationID is the organisation whose audit log reports the outcome of the email. "" means that of the user.
	OrganisationID string
}

// NewPasswordReset is a link for a new password with the email that contains it. A raised SecurityRevision, which deletes
// earlier links, keeps it. The email is not sent after the link has expired or was deleted.
type NewPasswordReset struct {
	account.PasswordReset

	Email          mail.Message
	OrganisationID string // as LinkEmail.OrganisationID
}

// NewVerification is a link that verifies the address of a registration, with the email that contains it. The email is
// not sent after the link has expired.
type NewVerification struct {
	account.Verification

	Email mail.Message
}
