package sessionidentity

import (
	"context"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"sync"

	"github.com/alexedwards/scs/v2"

	"github.com/vc-admin/diy/ports/identity/identitytest"
)

const site = "https://vision.example/vc-admin/diy/plans"

var home, _ = url.Parse(site)

// answer is what a visit got.
type answer struct{ *httptest.ResponseRecorder }

// cookies are those that the answer sets, in its order.
func (a answer) cookies() []*http.Cookie {
	var all []*http.Cookie
	for _, line := range a.Header()["Set-Cookie"] {
		c, err := http.ParseSetCookie(line)
		if err != nil {
			panic(err)
		}
		all = append(all, c)
	}
	return all
}

// browsers are the cookie jars of some browsers, by name.
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

func (b *browsers) copy(from, to string) { b.jar(to).SetCookies(home, b.full(from)) }

// full gives the jar's cookies back what a __Host- cookie needs to be taken.
func (b *browsers) full(name string) []*http.Cookie {
	cookies := b.jar(name).Cookies(home)
	for _, c := range cookies {
		c.Path, c.Secure = "/", true
	}
	return cookies
}

// visit sends one request of the browser through the handler and keeps the cookies of the answer.
func (b *browsers) visit(name string, h http.Handler) answer {
	r := httptest.NewRequest(http.MethodGet, site, nil)
	for _, c := range b.jar(name).Cookies(home) {
		r.AddCookie(c)
	}
	a := answer{httptest.NewRecorder()}
	h.ServeHTTP(a, r)
	b.jar(name).SetCookies(home, a.cookies())
	return a
}

// cookie is the value of the browser's cookie, "" when it has none.
func (b *browsers) cookie(browser, name string) string {
	for _, c := range b.jar(browser).Cookies(home) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// within makes a page of a piece of work.
func within(do func(ctx context.Context)) http.Handler {
	return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { do(r.Context()) })
}

// harness is the suite's view of an adapter on the store.
func harness(store scs.Store, b *browsers) identitytest.Sessions {
	s := NewSessions(store, Options{Secure: true})
	return identitytest.Sessions{
		Sessions: s,
		Visit: func(browser string, do func(ctx context.Context)) {
			b.visit(browser, s.Middleware(within(do)))
		},
		Copy:    b.copy,
		Restart: func() identitytest.Sessions { return harness(store, b) },
	}
}
