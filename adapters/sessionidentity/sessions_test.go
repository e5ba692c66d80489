package sessionidentity

import (
	"context"
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/identity/identitytest"
)

const rawPageURL = "https://vision.example/vc-admin/diy/plans"

var (
	pageURL, _ = url.Parse(rawPageURL)
	ann        = identity.Identity{UserID: "user_ann", OrganisationID: "org_clinic"}
)

// response is a recorded response.
type response struct{ *httptest.ResponseRecorder }

// cookies returns the cookies that the response sets, in order.
func (r response) cookies() []*http.Cookie {
	var cookies []*http.Cookie
	for _, line := range r.Header()["Set-Cookie"] {
		c, err := http.ParseSetCookie(line)
		if err != nil {
			panic(err)
		}
		cookies = append(cookies, c)
	}
	return cookies
}

// browsers simulates browsers, by name.
type browsers struct {
	mu   sync.Mutex
	jars map[string]*cookiejar.Jar
}

func newBrowsers() *browsers { return &browsers{jars: map[string]*cookiejar.Jar{}} }

func (b *browsers) jar(name string) *cookiejar.Jar {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.jars[name] == nil {
		b.jars[name], _ = cookiejar.New(nil)
	}
	return b.jars[name]
}

// copyCookies copies all cookies from the source browser to the target browser. It restores the attributes that a __Host-
// cookie needs, because cookies from a jar lack them.
func (b *browsers) copyCookies(source, target string) {
	cookies := b.jar(source).Cookies(pageURL)
	for _, c := range cookies {
		c.Path, c.Secure = "/", true
	}
	b.jar(target).SetCookies(pageURL, cookies)
}

// send sends a request of the browser to the handler and stores the cookies of the response.
func (b *browsers) send(browser string, h http.Handler) response {
	res := serve(h, b.jar(browser).Cookies(pageURL)...)
	b.jar(browser).SetCookies(pageURL, res.cookies())
	return res
}

// cookie returns the value of the browser's cookie, or "".
func (b *browsers) cookie(browser, name string) string {
	for _, c := range b.jar(browser).Cookies(pageURL) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// serve sends a request with the cookies to the handler.
func serve(h http.Handler, cookies ...*http.Cookie) response {
	r := httptest.NewRequest(http.MethodGet, rawPageURL, nil)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	res := response{httptest.NewRecorder()}
	h.ServeHTTP(res, r)
	return res
}

// newHandler returns a handler that calls fn with the context that Middleware passes on.
func newHandler(s *Sessions, fn func(ctx context.Context)) http.Handler {
	return s.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { fn(r.Context()) }))
}

func newHarness(store identity.SessionStore, b *browsers) identitytest.Sessions {
	s := NewSessions(store, Options{Secure: true})
	return identitytest.Sessions{
		Sessions: s,
		Request:  func(browser string, fn func(ctx context.Context)) { b.send(browser, newHandler(s, fn)) },
		Copy:     b.copyCookies,
		Restart:  func() identitytest.Sessions { return newHarness(store, b) },
	}
}

func TestSessions_Conformance(t *testing.T) {
	identitytest.RunSessions(t, func(*testing.T) identitytest.Sessions {
		return newHarness(identitytest.NewMemoryStore(), newBrowsers())
	})
}

func TestMemoryStore_Conformance(t *testing.T) {
	identitytest.RunSessionStore(t, func(*testing.T) identitytest.SessionStore {
		return identitytest.SessionStore{
			SessionStore: identitytest.NewMemoryStore(),
			Owner: func(_ *testing.T, name string) identity.Identity {
				return identity.Identity{UserID: "user_" + name, OrganisationID: "org_" + name}
			},
		}
	})
}

var errStore = errors.New("store: disk I/O error")

// faultyStore is a session store in memory. It can fail, counts its reads and writes, and records the hashes of tokens.
type faultyStore struct {
	*identitytest.MemoryStore

	failFind, failAdd, failTouch, failDelete bool
	reads, writes                            int
	tokenHashes                              []string
}

func newFaultyStore() *faultyStore { return &faultyStore{MemoryStore: identitytest.NewMemoryStore()} }

func (f *faultyStore) Session(ctx context.Context, tokenHash string) (identity.SessionRecord, error) {
	f.reads++
	if f.failFind {
		return identity.SessionRecord{}, errStore
	}
	return f.MemoryStore.Session(ctx, tokenHash)
}

func (f *faultyStore) AddSession(ctx context.Context, r identity.SessionRecord) error {
	f.writes++
	if f.failAdd {
		return errStore
	}
	f.tokenHashes = append(f.tokenHashes, r.TokenHash)
	return f.MemoryStore.AddSession(ctx, r)
}

func (f *faultyStore) TouchSession(ctx context.Context, tokenHash string, lastUsedAt, expiresAt time.Time) error {
	f.writes++
	if f.failTouch {
		return errStore
	}
	return f.MemoryStore.TouchSession(ctx, tokenHash, lastUsedAt, expiresAt)
}

func (f *faultyStore) DeleteSession(ctx context.Context, tokenHash string) error {
	if f.failDelete {
		return errStore
	}
	return f.MemoryStore.DeleteSession(ctx, tokenHash)
}

// signIn signs Ann in with a request that has the cookies, and returns the session cookie.
func signIn(t *testing.T, s *Sessions, cookies ...*http.Cookie) *http.Cookie {
	t.Helper()
	res := serve(newHandler(s, func(ctx context.Context) { assert.NoError(t, s.Start(ctx, ann)) }), cookies...)
	require.Len(t, res.cookies(), 1)
	return res.cookies()[0]
}

func isSignedIn(s *Sessions, cookies ...*http.Cookie) (signedIn bool) {
	serve(newHandler(s, func(ctx context.Context) { _, signedIn = s.Current(ctx) }), cookies...)
	return signedIn
}

func TestSessionCookie_HasSecureAttributes(t *testing.T) {
	for name, secure := range map[string]bool{"__Host-diy": true, "diy": false} {
		t.Run(name, func(t *testing.T) {
			c := signIn(t, NewSessions(newFaultyStore(), Options{Secure: secure}))
			assert.Equal(t, name, c.Name)
			assert.Equal(t, secure, c.Secure)
			assert.True(t, c.HttpOnly)
			assert.Equal(t, http.SameSiteLaxMode, c.SameSite)
			assert.Equal(t, "/", c.Path)
			assert.Empty(t, c.Domain)
			assert.Zero(t, c.MaxAge)
			assert.True(t, c.Expires.IsZero(), "the cookie ends with the browser session")
			assert.GreaterOrEqual(t, len(c.Value), 43)
		})
	}
}

func TestMiddleware_WithoutCookieNeitherUsesStoreNorSetsCookie(t *testing.T) {
	store := newFaultyStore()
	store.failFind = true // a read would fail the request
	res := serve(newHandler(NewSessions(store, Options{}), func(context.Context) {}))
	assert.Equal(t, http.StatusOK, res.Code)
	assert.Empty(t, res.cookies())
	assert.Equal(t, "Cookie", res.Header().Get("Vary"))
	assert.Zero(t, store.writes)
}

func TestEnd_DeletesTheCookie(t *testing.T) {
	s := NewSessions(newFaultyStore(), Options{Secure: true})
	res := serve(newHandler(s, func(ctx context.Context) { assert.NoError(t, s.End(ctx)) }), signIn(t, s))
	require.Len(t, res.cookies(), 1)
	c := res.cookies()[0]
	assert.Equal(t, "__Host-diy", c.Name)
	assert.Empty(t, c.Value)
	assert.Negative(t, c.MaxAge)
	assert.True(t, c.Secure)
}

func TestStart_AfterEndInTheSameRequestSetsOneCookie(t *testing.T) {
	s := NewSessions(newFaultyStore(), Options{Secure: true})
	res := serve(newHandler(s, func(ctx context.Context) {
		assert.NoError(t, s.Start(ctx, ann))
		assert.NoError(t, s.End(ctx))
		assert.NoError(t, s.Start(ctx, ann))
	}))
	require.Len(t, res.cookies(), 1)
	assert.True(t, isSignedIn(s, res.cookies()...))
}

func TestStart_IgnoresTokenOfTheClient(t *testing.T) {
	s := NewSessions(newFaultyStore(), Options{})
	forgedCookie := &http.Cookie{Name: "diy", Value: strings.Repeat("A", 43)}
	assert.NotEqual(t, forgedCookie.Value, signIn(t, s, forgedCookie).Value)
	assert.False(t, isSignedIn(s, forgedCookie))
}

func TestStart_StoresOnlyTheHashOfTheToken(t *testing.T) {
	store := newFaultyStore()
	cookie := signIn(t, NewSessions(store, Options{}))
	require.NotEmpty(t, store.tokenHashes)
	for _, hash := range store.tokenHashes {
		assert.NotContains(t, hash, cookie.Value)
	}
}

func TestSessions_FailWithInternalOutsideOfMiddleware(t *testing.T) {
	s := NewSessions(newFaultyStore(), Options{})
	_, ok := s.Current(t.Context())
	assert.False(t, ok)
	sessions, err := s.List(t.Context())
	require.NoError(t, err)
	assert.Empty(t, sessions)
	require.NoError(t, s.EndOthers(t.Context()))
	assert.True(t, fault.Is(s.Start(t.Context(), ann), fault.Internal))
	assert.True(t, fault.Is(s.End(t.Context()), fault.Internal))
}

// The following tests use a synctest bubble.

// sleep advances the bubble's clock.
func sleep(d time.Duration) { <-time.After(d) }

func TestSession_EndsAfterIdleLimit(t *testing.T) {
	s := NewSessions(newFaultyStore(), Options{})
	synctest.Test(t, func(t *testing.T) {
		usedCookie, unusedCookie := signIn(t, s), signIn(t, s)
		for range 3 {
			sleep(IdleLimit - lastUsedPrecision)
			assert.True(t, isSignedIn(s, usedCookie))
		}
		assert.False(t, isSignedIn(s, unusedCookie))
		sleep(IdleLimit + time.Second)
		assert.False(t, isSignedIn(s, usedCookie))
		assert.False(t, isSignedIn(s, usedCookie), "a request does not restore the session")

		newCookie := signIn(t, s, usedCookie)
		sleep(IdleLimit - time.Second)
		assert.True(t, isSignedIn(s, newCookie), "a sign-in restarts the limit")
	})
}

func TestSession_EndsAfterAbsoluteLimit(t *testing.T) {
	s := NewSessions(newFaultyStore(), Options{})
	synctest.Test(t, func(t *testing.T) {
		cookie := signIn(t, s)
		for range int(AbsoluteLimit/time.Hour) - 1 {
			sleep(time.Hour)
			assert.True(t, isSignedIn(s, cookie))
		}
		sleep(time.Hour + time.Second)
		assert.False(t, isSignedIn(s, cookie))
	})
}

func TestSession_OfAClockThatWasFarAheadIsNotAccepted(t *testing.T) {
	s := NewSessions(newFaultyStore(), Options{})
	var slightlyAhead, farAhead *http.Cookie
	synctest.Test(t, func(t *testing.T) {
		sleep(clockTolerance)
		slightlyAhead = signIn(t, s)
		sleep(time.Second)
		farAhead = signIn(t, s)
	})
	synctest.Test(t, func(t *testing.T) { // the bubble's clock starts again
		assert.True(t, isSignedIn(s, slightlyAhead))
		assert.False(t, isSignedIn(s, farAhead))
		assert.True(t, isSignedIn(s, signIn(t, s, farAhead)), "the user can sign in again")
	})
}

func TestSession_StaysEndedAfterTheClockIsSetBack(t *testing.T) {
	for name, storeIsBehind := range map[string]bool{"of server and store": false, "of the server": true} {
		t.Run(name, func(t *testing.T) {
			store := newFaultyStore()
			s := NewSessions(store, Options{})
			var used, unused *http.Cookie
			synctest.Test(t, func(t *testing.T) {
				used, unused = signIn(t, s), signIn(t, s)
				if storeIsBehind {
					for _, hash := range store.tokenHashes {
						require.NoError(t, store.TouchSession(t.Context(), hash, now(), now().Add(AbsoluteLimit)))
					}
				}
				sleep(IdleLimit)
				assert.False(t, isSignedIn(s, used))
			})
			synctest.Test(t, func(t *testing.T) { // the bubble's clock starts again
				assert.False(t, isSignedIn(s, used))
				assert.True(t, isSignedIn(s, unused), "no request found that it had ended")
			})
		})
	}
}

func TestSession_WritesLastUseOnceInFiveMinutes(t *testing.T) {
	store := newFaultyStore()
	s := NewSessions(store, Options{})
	synctest.Test(t, func(t *testing.T) {
		cookie := signIn(t, s)
		writesAtSignIn := store.writes
		for range 10 * 60 {
			sleep(time.Second)
			assert.True(t, isSignedIn(s, cookie))
		}
		assert.Equal(t, writesAtSignIn+2, store.writes)
	})
}

func TestSession_ContinuesIfLastUseCannotBeStored(t *testing.T) {
	store := newFaultyStore()
	s := NewSessions(store, Options{})
	synctest.Test(t, func(t *testing.T) {
		cookie := signIn(t, s)
		sleep(time.Hour)
		store.failTouch = true
		assert.True(t, isSignedIn(s, cookie))
		store.failTouch = false
		assert.True(t, isSignedIn(s, cookie))
		sleep(IdleLimit - time.Second)
		assert.True(t, isSignedIn(s, cookie), "the second request stored its time")
	})
}
