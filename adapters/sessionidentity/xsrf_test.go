package sessionidentity

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

var key = bytes.Repeat([]byte("k"), XSRFKeySize)

// guarded is a site with sessions and XSRF tokens, and the browsers that visit it.
type guarded struct {
	*browsers
	sessions *Sessions
	xsrf     *XSRF
}

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	s := NewSessions(newFragile(), Options{Secure: true})
	x, err := NewXSRF(s, key)
	require.NoError(t, err)
	return &guarded{browsers: newBrowsers(), sessions: s, xsrf: x}
}

// page visits a page on the laptop, which ensures the token as every page does.
func (g *guarded) page() answer {
	return g.visit("laptop", g.sessions.Middleware(http.HandlerFunc(g.xsrf.Ensure)))
}

func (g *guarded) signIn(t *testing.T, browser string) answer {
	return g.visit(browser, g.sessions.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.xsrf.Ensure(w, r)
		assert.NoError(t, g.sessions.Start(r.Context(), ann))
		g.xsrf.Ensure(w, r)
	})))
}

func (g *guarded) signOut(t *testing.T, browser string) answer {
	return g.visit(browser, g.sessions.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		assert.NoError(t, g.sessions.End(r.Context()))
	})))
}

func (g *guarded) token(browser string) string { return g.cookie(browser, XSRFCookie) }

// post sends a request of the browser with the token in the header and tells what Check said.
func (g *guarded) post(browser, header string) (err error) {
	g.visit(browser, g.sessions.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		r.Header.Set(XSRFHeader, header)
		err = g.xsrf.Check(r)
	})))
	return err
}

func TestXSRFCookie(t *testing.T) {
	g := newGuarded(t)
	cookies := g.page().cookies()
	require.Len(t, cookies, 1)
	c := cookies[0]
	assert.Equal(t, "XSRF-TOKEN", c.Name)
	assert.False(t, c.HttpOnly, "script reads it")
	assert.True(t, c.Secure)
	assert.Equal(t, http.SameSiteLaxMode, c.SameSite)
	assert.Equal(t, "/", c.Path)
	assert.Regexp(t, `^[A-Za-z0-9._-]+$`, c.Value)

	assert.Empty(t, g.page().cookies(), "a good one is kept")
}

func TestXSRFWithoutHTTPS(t *testing.T) {
	s := NewSessions(newFragile(), Options{})
	x, err := NewXSRF(s, key)
	require.NoError(t, err)
	w := httptest.NewRecorder()
	x.Ensure(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080/", nil))
	assert.False(t, answer{w}.cookies()[0].Secure)
}

func TestXSRFVisitor(t *testing.T) {
	g := newGuarded(t)
	g.page()
	require.NoError(t, g.post("laptop", g.token("laptop")))
	refused(t, g.post("laptop", ""))
	refused(t, g.post("laptop", g.token("laptop")+"x"))
	refused(t, g.post("stranger", g.token("laptop")), "the header alone, without the cookie")
	refused(t, g.post("laptop", "."))
}

func refused(t *testing.T, err error, why ...any) {
	t.Helper()
	require.ErrorIs(t, err, ErrXSRF, why...)
	assert.True(t, fault.Is(err, fault.Forbidden))
}

func TestXSRFForgedPair(t *testing.T) {
	g := newGuarded(t)
	other, err := NewXSRF(NewSessions(newFragile(), Options{}), bytes.Repeat([]byte("o"), XSRFKeySize))
	require.NoError(t, err)
	for _, forged := range []string{"same", "a.b", other.token("AAAAAAAAAAAAAAAA", "")} {
		g.jar("laptop").SetCookies(home, []*http.Cookie{{Name: XSRFCookie, Value: forged, Path: "/"}})
		refused(t, g.post("laptop", forged), "cookie and header are equal, but not ours")
	}
	g.page()
	require.NoError(t, g.post("laptop", g.token("laptop")), "and a page repairs it")
}

func TestXSRFChangesWithTheSession(t *testing.T) {
	g := newGuarded(t)
	g.page()
	visitors := g.token("laptop")

	assertSetsOnce(t, g.signIn(t, "laptop"))
	signedIn := g.token("laptop")
	require.NoError(t, g.post("laptop", signedIn), "the sign-in's answer brought a good one")
	assert.Empty(t, g.page().cookies())
	g.refusesPair(t, visitors, "from before the sign-in")

	assertSetsOnce(t, g.signOut(t, "laptop"))
	require.NoError(t, g.post("laptop", g.token("laptop")), "the sign-out's answer brought a good one")
	g.refusesPair(t, signedIn, "from before the sign-out")

	g.signIn(t, "laptop")
	g.refusesPair(t, signedIn, "from another session of the same person")
}

// refusesPair plants the token as cookie and header both, for one request.
func (g *guarded) refusesPair(t *testing.T, token, why string) {
	t.Helper()
	good := g.token("laptop")
	plant := func(value string) {
		g.jar("laptop").SetCookies(home, []*http.Cookie{{Name: XSRFCookie, Value: value, Path: "/", Secure: true}})
	}
	plant(token)
	refused(t, g.post("laptop", token), why)
	plant(good)
}

func assertSetsOnce(t *testing.T, got answer) {
	t.Helper()
	times := map[string]int{}
	for _, c := range got.cookies() {
		times[c.Name]++
	}
	assert.Equal(t, map[string]int{"__Host-diy": 1, XSRFCookie: 1}, times)
}

func TestXSRFIsBoundToOneSession(t *testing.T) {
	g := newGuarded(t)
	g.signIn(t, "laptop")
	g.signIn(t, "attacker")
	g.jar("laptop").SetCookies(home, []*http.Cookie{{Name: XSRFCookie, Value: g.token("attacker"), Path: "/", Secure: true}})
	refused(t, g.post("laptop", g.token("attacker")), "a planted token of another session")
}

func TestXSRFOfAnotherServer(t *testing.T) {
	g := newGuarded(t)
	g.page()
	g.signIn(t, "laptop")
	second := NewSessions(g.sessions.manager.Store, Options{Secure: true})
	x, err := NewXSRF(second, key)
	require.NoError(t, err)
	twin := &guarded{browsers: g.browsers, sessions: second, xsrf: x}
	require.NoError(t, twin.post("laptop", g.token("laptop")))
}

func TestXSRFKeyMustBeLong(t *testing.T) {
	_, err := NewXSRF(NewSessions(newFragile(), Options{}), key[1:])
	require.Error(t, err)
}
