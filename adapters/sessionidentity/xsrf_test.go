package sessionidentity

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

var xsrfKey = bytes.Repeat([]byte("k"), XSRFKeySize)

// xsrfSite contains a site's sessions and XSRF tokens, and the browsers of its users.
type xsrfSite struct {
	*browsers
	sessions *Sessions
	xsrf     *XSRF
}

func newXSRFSite(t *testing.T) *xsrfSite {
	t.Helper()
	s := NewSessions(newFaultyStore(), Options{Secure: true})
	x, err := NewXSRF(s, xsrfKey)
	require.NoError(t, err)
	return &xsrfSite{browsers: newBrowsers(), sessions: s, xsrf: x}
}

// loadPage loads a page on the laptop, which ensures the token.
func (s *xsrfSite) loadPage() response {
	return s.send("laptop", s.sessions.Middleware(http.HandlerFunc(s.xsrf.EnsureToken)))
}

func (s *xsrfSite) signIn(t *testing.T, browser string) response {
	return s.send(browser, s.sessions.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.xsrf.EnsureToken(w, r)
		assert.NoError(t, s.sessions.Start(r.Context(), ann))
		s.xsrf.EnsureToken(w, r)
	})))
}

func (s *xsrfSite) signOut(t *testing.T, browser string) response {
	return s.send(browser, s.sessions.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		assert.NoError(t, s.sessions.End(r.Context()))
	})))
}

func (s *xsrfSite) token(browser string) string { return s.cookie(browser, XSRFCookie) }

// checkToken sends a request of the browser with the token in the header and returns the result of Check.
func (s *xsrfSite) checkToken(browser, header string) (err error) {
	s.send(browser, s.sessions.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		r.Header.Set(XSRFHeader, header)
		err = s.xsrf.Check(r)
	})))
	return err
}

func TestXSRFCookie_IsReadableByScripts(t *testing.T) {
	s := newXSRFSite(t)
	cookies := s.loadPage().cookies()
	require.Len(t, cookies, 1)
	c := cookies[0]
	assert.Equal(t, "XSRF-TOKEN", c.Name)
	assert.False(t, c.HttpOnly, "the page's script reads it")
	assert.True(t, c.Secure)
	assert.Equal(t, http.SameSiteLaxMode, c.SameSite)
	assert.Equal(t, "/", c.Path)
	assert.Regexp(t, `^[A-Za-z0-9._-]+$`, c.Value)

	assert.Empty(t, s.loadPage().cookies(), "a valid token is kept")
}

func TestXSRFCookie_IsNotSecureWithoutHTTPS(t *testing.T) {
	s := NewSessions(newFaultyStore(), Options{})
	x, err := NewXSRF(s, xsrfKey)
	require.NoError(t, err)
	w := httptest.NewRecorder()
	x.EnsureToken(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080/", nil))
	assert.False(t, response{w}.cookies()[0].Secure)
}

func TestCheck_WithoutSessionRequiresTokenInHeaderAndCookie(t *testing.T) {
	s := newXSRFSite(t)
	s.loadPage()
	require.NoError(t, s.checkToken("laptop", s.token("laptop")))
	requireForbidden(t, s.checkToken("laptop", ""))
	requireForbidden(t, s.checkToken("laptop", s.token("laptop")+"x"))
	requireForbidden(t, s.checkToken("attacker", s.token("laptop")), "the header without the cookie")
	requireForbidden(t, s.checkToken("laptop", "."))
}

func requireForbidden(t *testing.T, err error, reason ...any) {
	t.Helper()
	require.ErrorIs(t, err, ErrXSRF, reason...)
	assert.True(t, fault.Is(err, fault.Forbidden))
}

func TestCheck_RejectsForgedTokens(t *testing.T) {
	s := newXSRFSite(t)
	otherXSRF, err := NewXSRF(NewSessions(newFaultyStore(), Options{}), bytes.Repeat([]byte("o"), XSRFKeySize))
	require.NoError(t, err)
	for _, forgedToken := range []string{"same", "a.b", otherXSRF.token("AAAAAAAAAAAAAAAA", "")} {
		s.jar("laptop").SetCookies(pageURL, []*http.Cookie{{Name: XSRFCookie, Value: forgedToken, Path: "/"}})
		requireForbidden(t, s.checkToken("laptop", forgedToken), "cookie and header are equal, but not signed with the key")
	}
	s.loadPage()
	require.NoError(t, s.checkToken("laptop", s.token("laptop")), "loading a page sets a new token")
}

func TestXSRF_SignInAndSignOutReplaceTheToken(t *testing.T) {
	s := newXSRFSite(t)
	s.loadPage()
	visitorToken := s.token("laptop")

	assertSetsEachCookieOnce(t, s.signIn(t, "laptop"))
	sessionToken := s.token("laptop")
	require.NoError(t, s.checkToken("laptop", sessionToken), "the response to the sign-in sets a valid token")
	assert.Empty(t, s.loadPage().cookies())
	s.requireTokenRejected(t, visitorToken, "the token is from before the sign-in")

	assertSetsEachCookieOnce(t, s.signOut(t, "laptop"))
	require.NoError(t, s.checkToken("laptop", s.token("laptop")), "the response to the sign-out sets a valid token")
	s.requireTokenRejected(t, sessionToken, "the token is from before the sign-out")

	s.signIn(t, "laptop")
	s.requireTokenRejected(t, sessionToken, "the token is from another session of the same user")
}

func TestEnsureToken_SetsOneTokenForConcurrentRequestsOfAnEndedSession(t *testing.T) {
	s := newXSRFSite(t)
	s.signIn(t, "laptop")
	sessionToken := s.token("laptop")
	newToken := func(cookie string) string { // the token that a request without a session gets
		res := serve(s.sessions.Middleware(http.HandlerFunc(s.xsrf.EnsureToken)), &http.Cookie{Name: XSRFCookie, Value: cookie})
		cookies := res.cookies()
		require.Len(t, cookies, 1)
		return cookies[0].Value
	}

	token := newToken(sessionToken)

	assert.Equal(t, token, newToken(sessionToken))
	assert.NotEqual(t, sessionToken, token)
	s.jar("tablet").SetCookies(pageURL, []*http.Cookie{{Name: XSRFCookie, Value: token, Path: "/", Secure: true}})
	require.NoError(t, s.checkToken("tablet", token))
	for _, forged := range []string{"", "short.token", strings.Repeat("A", nonceSize+1) + ".x", strings.Repeat("<", nonceSize) + ".x"} {
		first, second := newToken(forged), newToken(forged)
		assert.NotEqual(t, first, second, "%q has no nonce", forged)
	}
}

// requireTokenRejected sends the token as cookie and header, and requires ErrXSRF.
func (s *xsrfSite) requireTokenRejected(t *testing.T, token, reason string) {
	t.Helper()
	currentToken := s.token("laptop")
	setCookie := func(value string) {
		s.jar("laptop").SetCookies(pageURL, []*http.Cookie{{Name: XSRFCookie, Value: value, Path: "/", Secure: true}})
	}
	setCookie(token)
	requireForbidden(t, s.checkToken("laptop", token), reason)
	setCookie(currentToken)
}

// assertSetsEachCookieOnce asserts that the response sets the session cookie and the XSRF cookie once.
func assertSetsEachCookieOnce(t *testing.T, res response) {
	t.Helper()
	counts := map[string]int{}
	for _, c := range res.cookies() {
		counts[c.Name]++
	}
	assert.Equal(t, map[string]int{"__Host-diy": 1, XSRFCookie: 1}, counts)
}

func TestCheck_RejectsTokensOfOtherSessions(t *testing.T) {
	s := newXSRFSite(t)
	s.signIn(t, "laptop")
	s.signIn(t, "attacker")
	s.jar("laptop").SetCookies(pageURL, []*http.Cookie{{Name: XSRFCookie, Value: s.token("attacker"), Path: "/", Secure: true}})
	requireForbidden(t, s.checkToken("laptop", s.token("attacker")), "the attacker's token, planted in the cookie of the laptop")
}

func TestCheck_AcceptsTokensOfOtherServers(t *testing.T) {
	s := newXSRFSite(t)
	s.loadPage()
	s.signIn(t, "laptop")
	sessions := NewSessions(s.sessions.store, Options{Secure: true})
	x, err := NewXSRF(sessions, xsrfKey)
	require.NoError(t, err)
	otherServer := &xsrfSite{browsers: s.browsers, sessions: sessions, xsrf: x}
	require.NoError(t, otherServer.checkToken("laptop", s.token("laptop")))
}

func TestNewXSRF_RejectsShortKeys(t *testing.T) {
	_, err := NewXSRF(NewSessions(newFaultyStore(), Options{}), xsrfKey[1:])
	require.Error(t, err)
}
