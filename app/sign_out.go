package app

import (
	"context"

	"github.com/vc-admin/diy/ports/identity"
)

// SignOut ends the session of the visit.
type SignOut struct{ sessions identity.Sessions }

// Do ends the session on the server; signing out twice is fine.
func (u *SignOut) Do(ctx context.Context) error { return u.sessions.End(ctx) }
