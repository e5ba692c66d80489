package sessionidentity

import (
	"context"
	"time"

	"github.com/alexedwards/scs/v2"
)

// UserStore is a store of sessions that can end all sessions of a user. NewSessions uses it where a
// store implements it.
type UserStore interface {
	scs.CtxStore
	// CommitUserCtx is CommitCtx for a record that belongs to the user.
	CommitUserCtx(ctx context.Context, userID, token string, data []byte, expiry time.Time) error
}

type ownerKey struct{}

// withOwner has records that are written with the context belong to the user.
func withOwner(ctx context.Context, userID string) context.Context {
	return context.WithValue(ctx, ownerKey{}, userID)
}

// ownedStore tells a UserStore whose records the session library writes.
type ownedStore struct{ UserStore }

// CommitCtx writes a record for the owner in the context.
func (s ownedStore) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	userID, _ := ctx.Value(ownerKey{}).(string)
	return s.CommitUserCtx(ctx, userID, token, data, expiry)
}
