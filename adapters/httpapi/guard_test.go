package httpapi_test

import (
	"net/http"
	"testing"
)

func TestUnsafeMethodsNeedWhatOnlyOurPagesSend(t *testing.T) {
	h := newHouse(t)
	cases := map[string]struct {
		change func(*http.Request)
		status int
		name   string
	}{
		"no token":        {func(r *http.Request) { r.Header.Del("X-XSRF-TOKEN") }, http.StatusForbidden, "ERRXSRF"},
		"wrong token":     {func(r *http.Request) { r.Header.Set("X-XSRF-TOKEN", "guess") }, http.StatusForbidden, "ERRXSRF"},
		"no cookie":       {func(r *http.Request) { r.Header.Set("X-XSRF-TOKEN", "") }, http.StatusForbidden, "ERRXSRF"},
		"no marker":       {func(r *http.Request) { r.Header.Del("X-Requested-With") }, http.StatusForbidden, "ERRXSRF"},
		"another origin":  {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden, "ERRXSRF"},
		"cross-site":      {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden, "ERRXSRF"},
		"a form":          {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, http.StatusUnsupportedMediaType, "ERRMEDIATYPE"},
		"no content type": {func(r *http.Request) { r.Header.Del("Content-Type") }, http.StatusUnsupportedMediaType, "ERRMEDIATYPE"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := h.browser(t)
			r := b.request(http.MethodPost, "/auth/login", map[string]any{"username": "a@b.example", "password": "x"})
			c.change(r)
			b.send(r).refused(c.status, c.name)
		})
	}
}

func TestATokenFromBeforeSigningInIsWorthlessAfterwards(t *testing.T) {
	h := newHouse(t)
	b := h.browser(t)
	before := b.token()
	b.get(b.register("Sunrise Clinic", "ada@sunrise.example"))
	b.signIn("ada@sunrise.example")

	r := b.request(http.MethodPost, "/vc-admin/user-diy/new-customer", nil)
	r.Header.Set("X-XSRF-TOKEN", before)

	b.send(r).refused(http.StatusForbidden, "ERRXSRF")
}

func TestAnotherSiteCanNotSignPeopleOut(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	r := b.request(http.MethodGet, "/vc-admin/auth/logout", nil)
	r.Header.Set("Sec-Fetch-Site", "cross-site")

	b.send(r).refused(http.StatusForbidden, "ERRFORBIDDEN")

	if b.detail().Detail == nil {
		t.Fatal("still signed in")
	}
}
