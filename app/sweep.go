package app

import (
	"context"

	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// Sweep throws away what nobody can use any more.
type Sweep struct {
	store storage.Verifications
	clock clock.Clock
}

// Do deletes the verification tokens that have expired.
func (u *Sweep) Do(ctx context.Context) error {
	return u.store.SweepVerifications(ctx, u.clock.Now())
}
