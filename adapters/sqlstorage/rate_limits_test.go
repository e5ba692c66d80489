package sqlstorage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/ratelimit"
	"github.com/vc-admin/diy/ports/ratelimit/ratelimittest"
)

func TestRateLimits(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		ratelimittest.Run(t, func(t *testing.T) (here, there ratelimit.Counters) {
			url := k.ready(t)
			return migrated(t, url).RateLimits(), migrated(t, url).RateLimits()
		})
	})
}

func TestSweepingDeletesWhatIsWholeAgain(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := migrated(t, k.ready(t))
		hourly := ratelimit.Limit{Most: 1, Per: time.Hour}
		_, err := s.RateLimits().Take(t.Context(), noon, ratelimit.Try{Key: "old", Limit: hourly})
		require.NoError(t, err)
		_, err = s.RateLimits().Take(t.Context(), noon.Add(time.Minute), ratelimit.Try{Key: "young", Limit: hourly})
		require.NoError(t, err)

		require.NoError(t, s.RateLimits().Sweep(t.Context(), noon.Add(time.Hour)))

		var left string
		require.NoError(t, s.DB().QueryRowContext(t.Context(), "SELECT key FROM rate_limits").Scan(&left))
		require.Equal(t, "young", left)
	})
}
