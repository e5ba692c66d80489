package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
)

// openHouse is a house that anything is said to. Its passwords cost no time, it counts tries only
// when it is asked to, and its public address is an https one.
type openHouse struct {
	*house
	handler http.Handler
	routes  []string
	guests  []guest // the columns of the access matrix, up to the other organisation
	org     string  // the licensed guest's organisation
}

// guest is what a browser sends of its own accord.
type guest struct {
	cookies []*http.Cookie
	token   string
}

func newOpenHouse(t testing.TB) openHouse {
	t.Helper()
	h := foundations(t, nil)
	h.passwords = plainPasswords{}
	h.serve(t, httpapi.Site{Payments: fakePage, PublicURL: "https://diy.example"})
	o := openHouse{house: h, handler: h.server.Config.Handler, routes: routesOf(t, h)}
	cast, org := castOf(t, h)
	o.org = org
	for _, b := range cast[:5] {
		b.token()
		r := b.request(http.MethodPost, "/", nil)
		o.guests = append(o.guests, guest{cookies: b.http.Jar.Cookies(r.URL), token: r.Header.Get("X-XSRF-TOKEN")})
	}
	return o
}

// bring adds to the request what a page of ours sends in the guest's name.
func (g guest) bring(r *http.Request) {
	for _, cookie := range g.cookies {
		r.AddCookie(cookie)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	r.Header.Set("X-XSRF-TOKEN", g.token)
}

// ask returns the answer, whose form and headers must be right whatever was asked.
func (o openHouse) ask(t *testing.T, r *http.Request) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	o.handler.ServeHTTP(w, r)
	answer := w.Result()
	require.Less(t, answer.StatusCode, http.StatusInternalServerError, "%s", w.Body)
	for name, want := range everyAnswer {
		assert.Equal(t, []string{want}, answer.Header.Values(name), name)
	}
	assert.NotEmpty(t, answer.Header.Get("Cache-Control"))
	switch {
	case answer.StatusCode >= http.StatusBadRequest:
		assertFailure(t, answer, w.Body.Bytes())
	case answer.StatusCode >= http.StatusMultipleChoices && answer.StatusCode != http.StatusNotModified:
		assert.True(t, strings.HasPrefix(answer.Header.Get("Location"), "/vc-admin/"), "it leads elsewhere: %v", answer.Header)
	}
	if answer.Header.Get("Content-Encoding") == "" {
		o.api.checkResponse(t, r, answer, w.Body.Bytes())
	}
	return answer
}

func assertFailure(t *testing.T, answer *http.Response, body []byte) {
	t.Helper()
	var failure struct{ Name, Message string }
	assert.Equal(t, "application/json", answer.Header.Get("Content-Type"))
	assert.NoError(t, json.Unmarshal(body, &failure), "%s", body)
	assert.Regexp(t, "^ERR[A-Z]+$", failure.Name)
	assert.NotEmpty(t, failure.Message)
}

// customerOf is the guest's customer at the payment provider.
func (o openHouse) customerOf(t testing.TB, caller int) string {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/vc-admin/user-diy/new-customer", strings.NewReader("{}"))
	o.guests[caller].bring(r)
	w := httptest.NewRecorder()
	o.handler.ServeHTTP(w, r)
	var customer struct{ ID string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &customer), "%s", w.Body)
	require.NotEmpty(t, customer.ID)
	return customer.ID
}
