package sqlstorage

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// newStoresWithClock returns two stores on one database, and the time that both use as the database's time.
func newStoresWithClock(t *testing.T, db database) (first, second *Store, now *atomic.Pointer[time.Time]) {
	t.Helper()
	url := db.newMigratedURL(t)
	first, second = openAndMigrate(t, url), openStore(t, url)
	now = &atomic.Pointer[time.Time]{}
	now.Store(&noon)
	for _, s := range []*Store{first, second} {
		s.UseClock(func() time.Time { return *now.Load() })
	}
	return first, second, now
}

func TestRunLeased_RunsOnOneServerAtATime(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		first, second, _ := newStoresWithClock(t, db)
		noop := func(context.Context) error { return nil }

		ran, err := first.RunLeased(t.Context(), "work", time.Minute, func(context.Context) error {
			ran, err := second.RunLeased(t.Context(), "work", time.Minute, noop)
			require.NoError(t, err)
			assert.False(t, ran)
			ran, err = second.RunLeased(t.Context(), "other work", time.Minute, noop)
			require.NoError(t, err)
			assert.True(t, ran)
			return errors.New("failed")
		})
		assert.True(t, ran)
		assert.ErrorContains(t, err, "failed")

		ran, err = second.RunLeased(t.Context(), "work", time.Minute, noop)
		require.NoError(t, err)
		assert.True(t, ran, "the lease is released")
	})
}

func TestRunLeased_FormerHolderCannotWriteAfterExpiry(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		first, second, now := newStoresWithClock(t, db)
		write := func(ctx context.Context, s *Store, value string) error {
			return s.Database().Write(ctx, func(tx plugin.Tx) error {
				_, err := tx.Exec(ctx, "INSERT INTO secrets (name, value) VALUES (?, ?)", value, []byte(value))
				return err
			})
		}

		_, err := first.RunLeased(t.Context(), "work", time.Minute, func(ctx context.Context) error {
			require.NoError(t, write(ctx, first, "before"))
			afterTTL := noon.Add(time.Minute)
			now.Store(&afterTTL)
			require.NoError(t, write(ctx, first, "expired, without another holder"))
			ran, err := second.RunLeased(t.Context(), "work", time.Minute, func(ctx context.Context) error {
				return write(ctx, second, "other")
			})
			require.NoError(t, err)
			assert.True(t, ran)
			return write(ctx, first, "late")
		})

		assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		assert.NotContains(t, selectStrings(t, first, "SELECT name FROM secrets"), "late")
		assert.NoError(t, write(t.Context(), first, "without a lease"))
	})
}

func TestRunLeased_IgnoresALeaseOfAWrongClock(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		first, second, now := newStoresWithClock(t, db)
		runSecond := func(at time.Time) bool {
			now.Store(&at)
			ran, err := second.RunLeased(t.Context(), "work", time.Minute, func(context.Context) error { return nil })
			require.NoError(t, err)
			return ran
		}
		_, err := first.RunLeased(t.Context(), "work", time.Minute, func(context.Context) error {
			assert.False(t, runSecond(noon.Add(-time.Minute)), "a clock may differ slightly")
			assert.True(t, runSecond(noon.Add(-time.Minute-time.Microsecond)), "the clock was wrong when the lease was taken")
			return nil
		})
		require.NoError(t, err)
	})
}
