// Package identity is the port for sessions, which sign users in, and for password hashes. Adapters pass the
// conformance suites in package identitytest. Users themselves are stored with ports/storage.
package identity

import "context"

// Identity identifies a signed-in user.
type Identity struct {
	UserID         string
	OrganisationID string
}

// Sessions signs users in and out. Each method acts on the session of the HTTP request that ctx belongs to;
// the adapter's middleware creates such contexts. Errors are faults: Unavailable if the session store fails.
type Sessions interface {
	// Start signs the user in. It invalidates the session token that the browser had before.
	Start(ctx context.Context, user Identity) error
	// Current returns the signed-in user; the bool is false if there is none.
	Current(ctx context.Context) (Identity, bool)
	// End signs the user out and deletes the session on the server, which also invalidates copies of its
	// token.
	End(ctx context.Context) error
}

// Passwords hashes and verifies passwords. Texts with the same Unicode normalisation form NFKC are the same
// password. Passwords are never truncated.
type Passwords interface {
	// IsCommon reports whether the password is one of the most common ones, ignoring case.
	IsCommon(password string) bool
	// Hash returns the hash to store. The number of concurrent hashes is limited to bound memory.
	// The error is Unavailable when too many calls are waiting or ctx has ended.
	Hash(ctx context.Context, password string) (string, error)
	// Verify reports whether the password matches the hash. With an empty hash it does the same amount of
	// work and returns false, so that response times don't reveal which email addresses are known.
	Verify(ctx context.Context, password, hash string) (bool, error)
}
