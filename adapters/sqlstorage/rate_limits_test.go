package sqlstorage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/ratelimit"
	"github.com/vc-admin/diy/ports/ratelimit/ratelimittest"
)

func TestRateLimits_Conformance(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		newMigratedURL := migratedURLFunc(t, db)
		ratelimittest.Run(t, func(t *testing.T) (first, second ratelimit.Counters) {
			url := newMigratedURL(t)
			return openAndMigrate(t, url).RateLimits(), openAndMigrate(t, url).RateLimits()
		})
	})
}

func TestRateLimits_SweepDeletesLimitsWithAllTriesAvailable(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		hourly := ratelimit.Limit{Burst: 1, Period: time.Hour}
		_, err := s.RateLimits().Take(t.Context(), noon, ratelimit.Try{Key: "old", Limit: hourly})
		require.NoError(t, err)
		_, err = s.RateLimits().Take(t.Context(), noon.Add(time.Minute), ratelimit.Try{Key: "new", Limit: hourly})
		require.NoError(t, err)

		require.NoError(t, s.RateLimits().Sweep(t.Context(), noon.Add(time.Hour)))

		var remainingKey string
		require.NoError(t, s.writePool.QueryRowContext(t.Context(), "SELECT key FROM rate_limits").Scan(&remainingKey))
		require.Equal(t, "new", remainingKey)
	})
}
