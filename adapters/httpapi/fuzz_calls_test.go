package httpapi_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	fuzzVisitor  = 0
	fuzzLicensed = 2
)

// Whoever sends whatever to whichever route, a route of tomorrow included, is answered in the shape
// that the wire's description has, and never with a failure of the server's.
func FuzzCalls(f *testing.F) {
	o := newOpenHouse(f)
	for i, route := range o.routes {
		f.Add(byte(i), byte(fuzzLicensed), o.org, "debug=true", bodiesOf(f, o.api.doc, route)[0])
		for _, query := range []string{"", "debug", "debug=false", "redirectTo=//evil.example", "redirectTo=javascript:alert(1)", "token=%00", "token=%zz;&&=", "\r\nX: y"} {
			f.Add(byte(i), byte(fuzzVisitor), "../../etc/passwd", query, []byte("{}"))
		}
		f.Add(byte(i), byte(fuzzLicensed), "%2e%2e\\\x00\xff", "", []byte("{\"username\": \"\xff\"}"))
	}
	f.Fuzz(func(t *testing.T, route, caller byte, parameter, query string, body []byte) {
		o.call(t, o.routes[int(route)%len(o.routes)], int(caller)%len(o.guests), parameter, query, body)
	})
}

// call asks the route in the caller's name; parameter is what stands in its address.
func (o openHouse) call(t *testing.T, route string, caller int, parameter, query string, body []byte) {
	t.Helper()
	method, path, _ := strings.Cut(route, " ")
	if strings.HasSuffix(path, "/logout") || path == "/auth/login" {
		caller = fuzzVisitor // the others' sessions are needed again
	}
	path = strings.NewReplacer("{orgId}", url.PathEscape(parameter), "*", url.PathEscape(parameter)).Replace(path)
	r := httptest.NewRequestWithContext(t.Context(), method, path, bytes.NewReader(body))
	r.URL.RawQuery = query
	o.guests[caller].bring(r)
	answer := o.ask(t, r)
	if caller != fuzzVisitor {
		assert.NotEqual(t, http.StatusUnauthorized, answer.StatusCode, "the caller was signed out, so nothing was tried")
	}
}

// One odd value after another takes the place of each part of each call, as the wire's description
// has it.
func TestNoOddValueBreaksACall(t *testing.T) {
	o := newOpenHouse(t)
	for _, route := range o.routes {
		for _, body := range bodiesOf(t, o.api.doc, route) {
			o.call(t, route, fuzzLicensed, o.org, "", body)
		}
	}
}

// What is made up begins with what is as described, or little would be proved by it.
func TestMadeUpCallsAreBuiltOnGoodOnes(t *testing.T) {
	h := newHouse(t)
	checked := 0
	for _, route := range routesOf(t, h) {
		if bodies := bodiesOf(t, h.api.doc, route); len(bodies) > len(odd) {
			method, path, _ := strings.Cut(route, " ")
			r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
			guest{token: "x"}.bring(r)
			r.Header.Set("Stripe-Signature", "t=1,v1=00")
			h.api.checkRequest(t, r, bodies[0])
			checked++
		}
	}
	assert.Greater(t, checked, 9)
}
