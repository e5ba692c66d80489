// Package identity is the port for sessions, password hashes, one-time codes and passkeys. Adapters pass the conformance
// suites in package identitytest. Users themselves are stored with ports/storage.
package identity

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
)

// Identity identifies a signed-in user.
type Identity struct {
	UserID         string
	OrganisationID string
	// Role is the user's current role in the organisation. The zero Role allows nothing.
	Role account.Role
	// AuthenticatedAt is when the user last proved who they are, with all factors that they have.
	AuthenticatedAt time.Time
	// SessionID identifies the session. It is not secret; see Session.
	SessionID string
}

// Actor returns the user as the actor of entries of the audit log.
func (i Identity) Actor() audit.Actor { return audit.User(i.UserID) }

// Require returns a Forbidden fault unless the user's role has the permission.
func (i Identity) Require(p account.Permission) error { return i.Role.Require(p) }

// RequireFresh returns a Forbidden fault for the zero Role, and a Reauthenticate fault unless the user has authenticated
// within account.FreshFor before now. Use cases call it before changes that would let an attacker keep an open browser's
// access.
func (i Identity) RequireFresh(now time.Time) error {
	if err := i.Require(account.Read); err != nil {
		return err
	}
	return account.RequireFresh(i.AuthenticatedAt, now)
}

// ErrSignedOut returns the Unauthenticated fault for a session that has ended since the request began.
func ErrSignedOut() error { return fault.New(fault.Unauthenticated, "Please sign in.") }

// Method is a way in which a user has authenticated.
type Method string

// The methods of authentication.
const (
	PasswordMethod     Method = "password"
	PasskeyMethod      Method = "passkey"
	OneTimeCodeMethod  Method = "totp"
	RecoveryCodeMethod Method = "recovery_code"
)

// Session describes a session to its user.
type Session struct {
	ID              string // random; not the token, so it gives no access
	OrganisationID  string
	Methods         []Method
	AuthenticatedAt time.Time
	CreatedAt       time.Time
	LastUsedAt      time.Time // within a few minutes
	Device          string    // such as "Chrome on Windows"; "" if it is unknown
	IsCurrent       bool      // whether it is the session of the request
}

// Sessions signs users in and out. Each method acts on the session of the HTTP request that ctx belongs to;
// the adapter's middleware creates such contexts. Errors are faults: Unavailable if the session store fails.
type Sessions interface {
	// Start signs the user in and stores user.AuthenticatedAt and the methods. It ignores user.Role and user.SessionID. It
	// invalidates the session token that the browser had before. It returns NotFound, and the user is signed out, if the
	// user is not a member of the organisation.
	Start(ctx context.Context, user Identity, methods ...Method) error
	// Current returns the signed-in user; the bool is false if there is none.
	Current(ctx context.Context) (Identity, bool)
	// Switch changes the organisation of the session to another one of the user, and keeps everything else, including the
	// token: other tabs of the browser share the session. It returns NotFound without a session, and if the user is not a
	// member of the organisation.
	Switch(ctx context.Context, organisationID string) error
	// End signs the user out and deletes the session on the server, which also invalidates copies of its
	// token.
	End(ctx context.Context) error
	// List returns all sessions of the signed-in user, in all organisations, the one that was used last first. It returns
	// none without a signed-in user.
	List(ctx context.Context) ([]Session, error)
	// EndByID ends a session of the signed-in user. It returns NotFound for an unknown session and for one of another
	// user. If it is the session of the request, EndByID does the same as End.
	EndByID(ctx context.Context, id string) error
	// EndOthers ends all sessions of the signed-in user except the one of the request.
	EndOthers(ctx context.Context) error
}

// Passwords hashes and verifies passwords. Texts with the same Unicode normalisation form NFKC are the same
// password. Passwords are never truncated.
type Passwords interface {
	// IsCommon reports whether the password is one of the most common ones that follow the policy, ignoring case.
	IsCommon(password string) bool
	// Hash returns the hash to store. The number of concurrent hashes is limited to bound memory.
	// The error is Unavailable when too many calls are waiting or ctx has ended.
	Hash(ctx context.Context, password string) (string, error)
	// Verify reports whether the password matches the hash. With an empty hash it does the same amount of
	// work and returns false, so that response times don't reveal which email addresses are known.
	Verify(ctx context.Context, password, hash string) (bool, error)
}
