package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
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
	signOut := func(fetchSite string) answer {
		r := b.request(http.MethodGet, "/vc-admin/auth/logout", nil)
		r.Header.Set("Sec-Fetch-Site", fetchSite)
		return b.send(r)
	}
	for _, fetchSite := range []string{"cross-site", "same-site", "unknown"} {
		signOut(fetchSite).refused(http.StatusForbidden, "ERRFORBIDDEN")
		assert.NotNil(t, b.detail().Detail, "still signed in after %s", fetchSite)
	}
	for _, fetchSite := range []string{"same-origin", "none"} {
		assert.Equal(t, http.StatusSeeOther, signOut(fetchSite).Status, fetchSite)
		assert.Nil(t, b.detail().Detail, "signed out by %s", fetchSite)
		b.signIn("ada@sunrise.example")
	}
}
