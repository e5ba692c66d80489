// Package identity is the port that answers who is asking, and keeps passwords.
package identity

import "context"

// Identity is a signed-in person.
type Identity struct {
	UserID         string
	OrganisationID string
}

// Sessions remembers who is signed in, on the visit that ctx belongs to.
type Sessions interface {
	// Start signs the person in on this visit. Whatever token the visit had before is worthless
	// afterwards.
	Start(ctx context.Context, who Identity) error
	// Current is who is signed in; false when nobody is.
	Current(ctx context.Context) (Identity, bool)
	// End signs out: the session is gone on the server, whoever still holds its token.
	End(ctx context.Context) error
}

// Passwords keeps passwords so that nobody can read them back. However a keyboard spells the same
// text in Unicode, it is the same password; nothing of it is cut off.
type Passwords interface {
	// Common reports whether the password, in whatever case, is one of those that people choose
	// most often and that are therefore tried first.
	Common(password string) bool
	// Hash returns what to store. It waits its turn, so that a flood of requests can't take all
	// memory, and gives up with ctx or when too many wait already (Unavailable).
	Hash(ctx context.Context, password string) (string, error)
	// Verify reports whether the password belongs to the hash. With an empty hash it takes as
	// long as with a real one and answers false: an unknown e-mail must not be told by the time.
	Verify(ctx context.Context, password, hash string) (bool, error)
}
