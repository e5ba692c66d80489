package sessionidentity

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/alexedwards/scs/v2/memstore"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

var ann = identity.Identity{UserID: "user_ann", OrganisationID: "org_clinic"}

// answering makes a visit by a browser that brings the cookies, without keeping what it gets.
func answering(s *Sessions, do func(ctx context.Context), cookies ...*http.Cookie) answer {
	r := httptest.NewRequest(http.MethodGet, site, nil)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	a := answer{httptest.NewRecorder()}
	s.Middleware(within(do)).ServeHTTP(a, r)
	return a
}

func signIn(t *testing.T, s *Sessions, cookies ...*http.Cookie) *http.Cookie {
	t.Helper()
	got := answering(s, func(ctx context.Context) { assert.NoError(t, s.Start(ctx, ann)) }, cookies...)
	require.Len(t, got.cookies(), 1)
	return got.cookies()[0]
}

func TestSessionCookie(t *testing.T) {
	tests := map[string]struct {
		secure bool
		name   string
	}{
		"https": {true, "__Host-diy"},
		"http":  {false, "diy"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := signIn(t, NewSessions(memstore.NewWithCleanupInterval(0), Options{Secure: tt.secure}))
			assert.Equal(t, tt.name, c.Name)
			assert.Equal(t, tt.secure, c.Secure)
			assert.True(t, c.HttpOnly)
			assert.Equal(t, http.SameSiteLaxMode, c.SameSite)
			assert.Equal(t, "/", c.Path)
			assert.Empty(t, c.Domain)
			assert.Zero(t, c.MaxAge)
			assert.True(t, c.Expires.IsZero(), "it goes with the browser window")
			assert.GreaterOrEqual(t, len(c.Value), 43)
		})
	}
}

func TestVisitorsGetNoCookieAndNoRecord(t *testing.T) {
	store := newFragile()
	s := NewSessions(store, Options{})
	got := answering(s, func(ctx context.Context) { s.Current(ctx) })
	assert.Empty(t, got.cookies())
	assert.Equal(t, "Cookie", got.Header().Get("Vary"))
	assert.Empty(t, store.commits)
}

func TestSignOutTakesTheCookieBack(t *testing.T) {
	s := NewSessions(newFragile(), Options{Secure: true})
	got := answering(s, func(ctx context.Context) { assert.NoError(t, s.End(ctx)) }, signIn(t, s))
	require.Len(t, got.cookies(), 1)
	c := got.cookies()[0]
	assert.Equal(t, "__Host-diy", c.Name)
	assert.Empty(t, c.Value)
	assert.Negative(t, c.MaxAge)
	assert.True(t, c.Secure)
}

func TestOneAnswerSetsOneSessionCookie(t *testing.T) {
	s := NewSessions(newFragile(), Options{Secure: true})
	got := answering(s, func(ctx context.Context) {
		assert.NoError(t, s.Start(ctx, ann))
		assert.NoError(t, s.End(ctx))
		assert.NoError(t, s.Start(ctx, ann))
	})
	require.Len(t, got.cookies(), 1)
	answering(s, func(ctx context.Context) {
		_, ok := s.Current(ctx)
		assert.True(t, ok, "the last word counts")
	}, got.cookies()...)
}

func TestAMadeUpTokenIsNeverAdopted(t *testing.T) {
	s := NewSessions(newFragile(), Options{})
	madeUp := &http.Cookie{Name: "diy", Value: strings.Repeat("A", 43)}
	assert.NotEqual(t, madeUp.Value, signIn(t, s, madeUp).Value)
	answering(s, func(ctx context.Context) {
		_, ok := s.Current(ctx)
		assert.False(t, ok)
	}, madeUp)
}

func TestTheStoreNeverSeesTheToken(t *testing.T) {
	store := newFragile()
	c := signIn(t, NewSessions(store, Options{}))
	require.NotEmpty(t, store.commits)
	for _, key := range store.commits {
		assert.NotContains(t, key, c.Value)
	}
	all, err := store.All()
	require.NoError(t, err)
	for _, data := range all {
		assert.NotContains(t, string(data), c.Value)
	}
}

func TestOutsideOfVisits(t *testing.T) {
	s := NewSessions(newFragile(), Options{})
	_, ok := s.Current(t.Context())
	assert.False(t, ok)
	assert.True(t, fault.Is(s.Start(t.Context(), ann), fault.Internal))
	assert.True(t, fault.Is(s.End(t.Context()), fault.Internal))
}
