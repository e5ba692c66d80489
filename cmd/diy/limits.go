package main

import (
	"context"
	"strings"

	"github.com/vc-admin/diy/adapters/sessionidentity"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// newKnownBrowsers lets every server on this database know the same browsers.
func newKnownBrowsers(c config, store *sqlstorage.Store) (*sessionidentity.KnownBrowsers, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startPatience)
	defer cancel()
	key, err := store.Secret(ctx, "browsers")
	if err != nil {
		return nil, err
	}
	return sessionidentity.NewKnownBrowsers(key, strings.HasPrefix(c.PublicURL, "https://"))
}

// counters are nil where nothing is limited.
func counters(c config, store *sqlstorage.Store) ratelimit.Counters {
	if c.RateLimits == "off" {
		return nil
	}
	return store.RateLimits()
}

// providerCalls is 0 where nothing is limited.
func providerCalls(c config) int {
	if c.RateLimits == "off" {
		return 0
	}
	return c.ProviderCalls
}

// sweepLimits forgets the tries that have come back.
func sweepLimits(limits ratelimit.Counters, clock clock.Clock) func(context.Context) error {
	return func(ctx context.Context) error { return limits.Sweep(ctx, clock.Now()) }
}
