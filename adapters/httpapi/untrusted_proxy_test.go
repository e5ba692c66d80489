package httpapi_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/domain/catalogue"
)

func TestForwardedHeadersOfUntrustedAddresses_AreLoggedOnceAnHour(t *testing.T) {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	var log strings.Builder
	handler, err := httpapi.New(httpapi.Options{
		Session: func(next http.Handler) http.Handler { return next }, Clock: clock,
		Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		WebApp:  fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}, "screens.json": {Data: []byte("{}")}},
		Site:    httpapi.Site{Payments: fakePage}, Catalogue: catalogue.Default(), Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	require.NoError(t, err)
	warnings := func(peer, header string) int {
		r := httptest.NewRequest(http.MethodGet, "/healthz", http.NoBody)
		r.RemoteAddr = peer + ":4711"
		r.Header.Set(header, "203.0.113.7")
		handler.ServeHTTP(httptest.NewRecorder(), r)
		return strings.Count(log.String(), "not in DIY_TRUSTED_PROXIES")
	}

	assert.Zero(t, warnings("10.1.2.3", "X-Forwarded-For"), "a trusted proxy")
	assert.Zero(t, warnings("192.0.2.1", "Accept"), "no proxy")
	assert.Equal(t, 1, warnings("192.0.2.1", "X-Forwarded-For"))
	assert.Contains(t, log.String(), "peer=192.0.2.1")
	assert.Equal(t, 1, warnings("192.0.2.2", "Forwarded"), "once an hour")
	_, err = clock.Advance(time.Hour)
	require.NoError(t, err)
	assert.Equal(t, 2, warnings("192.0.2.2", "Forwarded"))
	_, err = clock.Advance(time.Hour)
	require.NoError(t, err)
	assert.Equal(t, 3, warnings("192.0.2.2", "X-Real-IP"))
}
