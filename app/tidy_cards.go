package app

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// newCardRecheck is the interval of the checks of a new card after the first one.
	newCardRecheck = time.Hour
	// tidyBatch limits the organisations of one round of TidyCards.
	tidyBatch = 50
)

// TidyCards cleans up saved cards after payments that ended without a request to the server, such as an
// authentication that failed in the browser. Several servers may run it at the same time.
type TidyCards struct {
	store storage.NewCards
	cards savedCards
	clock clock.Clock
}

// Do cleans up the organisations that are due and returns their number. Organisations that fail are due
// again in an hour; Do returns their errors joined.
func (u *TidyCards) Do(ctx context.Context) (int, error) {
	done := 0
	var failures []error
	for range tidyBatch {
		now := u.clock.Now()
		id, err := u.store.ClaimNewCardCheck(ctx, now, now.Add(newCardRecheck))
		if fault.Is(err, fault.NotFound) {
			break
		}
		if err != nil {
			return done, errors.Join(append(failures, err)...)
		}
		if err := u.cards.cleanUp(ctx, id); err != nil {
			failures = append(failures, err)
			continue
		}
		done++
	}
	return done, errors.Join(failures...)
}
