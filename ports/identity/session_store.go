package identity

import (
	"context"
	"time"
)

// SessionRecord is a stored session. Its times are in UTC with microseconds.
type SessionRecord struct {
	TokenHash string // of the token that only the browser has
	Identity
	Methods    []Method
	CreatedAt  time.Time
	LastUsedAt time.Time
	ExpiresAt  time.Time // on the database's clock
	Device     string
}

// SessionStore stores sessions, for implementations of Sessions. Expiry is compared with the clock of the store, which
// all servers share. Implementations pass identitytest.RunSessionStore.
type SessionStore interface {
	// AddSession stores a session and ignores its Role. It returns NotFound if the user does not exist or is not a member
	// of the organisation.
	AddSession(ctx context.Context, r SessionRecord) error
	// Session returns a session with the user's current role. It returns NotFound for an unknown token and for an expired
	// session. It deletes the expired session, which stays ended if the clock is set back. A session ends when its user or
	// the membership is deleted.
	Session(ctx context.Context, tokenHash string) (SessionRecord, error)
	// TouchSession changes LastUsedAt and ExpiresAt of a session. It ignores an unknown token, so that a slow request can't
	// restore a session that has ended.
	TouchSession(ctx context.Context, tokenHash string, lastUsedAt, expiresAt time.Time) error
	// SwitchSession changes the organisation of a session. It returns NotFound for an unknown token, and if the user is not a
	// member of the organisation.
	SwitchSession(ctx context.Context, tokenHash, organisationID string) error
	// DeleteSession deletes a session if it exists.
	DeleteSession(ctx context.Context, tokenHash string) error
	// SessionsOfUser returns the sessions of a user that have not expired, the one that was used last first.
	SessionsOfUser(ctx context.Context, userID string) ([]SessionRecord, error)
	// DeleteSessionOfUser deletes the session with the id. It returns NotFound if there is none or it is another user's.
	DeleteSessionOfUser(ctx context.Context, userID, id string) error
	// DeleteOtherSessions deletes all sessions of a user except the one with the id.
	DeleteOtherSessions(ctx context.Context, userID, id string) error
}
