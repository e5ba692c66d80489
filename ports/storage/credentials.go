package storage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
)

// Credentials reads and changes what users sign in with.
type Credentials interface {
	// Credentials returns a consistent snapshot of the user's credentials.
	Credentials(ctx context.Context, userID string) (account.Credentials, error)
	// UpdateCredentials calls change with the user's credentials and stores the result, as UpdateUser does, together with
	// what change returns. No other update of the user happens in between. If change raises SecurityRevision,
	// UpdateCredentials also deletes all password resets and sessions of the user that were stored before, except the
	// session to keep. It ignores other changes of PasswordResets. It returns the stored user, NotFound for an unknown
	// user, and Conflict if the challenge was used before or another user has the passkey.
	UpdateCredentials(ctx context.Context, userID string, now time.Time,
		change func(*account.Credentials) (CredentialsEffects, error)) (account.User, error)
	// SweepChallenges deletes the challenges that expired before the given time.
	SweepChallenges(ctx context.Context, before time.Time) error
}

// CredentialsEffects contains what UpdateCredentials stores besides the credentials.
type CredentialsEffects struct {
	Emails      []mail.Message         // for the outbox, due at the time of the update
	Challenge   *account.UsedChallenge // nil for none
	KeepSession string                 // the id of the session that a raised SecurityRevision does not end; "" for none
	Reset       *NewPasswordReset      // nil for none
}

// NewPasswordReset is a link for a new password with the email that contains it. A raised SecurityRevision, which deletes
// earlier links, keeps it. The email expires with the link.
type NewPasswordReset struct {
	account.PasswordReset

	Email mail.Message
}
