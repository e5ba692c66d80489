package httpapi_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/httpapi"
)

// fuzzServer is a server with an https URL and without rate limits.
type fuzzServer struct {
	*testServer
	handler http.Handler
	routes  []string
	callers []caller // those of the first five columns of the access matrix
	orgID   string   // the licensed caller's organisation
}

// caller holds the cookies and the XSRF token of a browser.
type caller struct {
	cookies []*http.Cookie
	token   string
}

func newFuzzServer(t testing.TB) fuzzServer {
	t.Helper()
	server := newUnstartedServer(t, nil)
	server.start(t, httpapi.Site{Payments: fakeProviderWeb, PublicURL: "https://diy.example"})
	s := fuzzServer{testServer: server, handler: server.server.Config.Handler, routes: allRoutes(t, server)}
	browsers, orgID := newCallerBrowsers(t, server)
	s.orgID = orgID
	for _, b := range browsers[:5] {
		b.xsrfToken()
		r := b.newRequest(http.MethodPost, "/", nil)
		s.callers = append(s.callers, caller{cookies: b.http.Jar.Cookies(r.URL), token: r.Header.Get("X-XSRF-TOKEN")})
	}
	return s
}

// authenticate adds the cookies and headers that the web app sends.
func (c caller) authenticate(r *http.Request) {
	for _, cookie := range c.cookies {
		r.AddCookie(cookie)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	r.Header.Set("X-XSRF-TOKEN", c.token)
}

// send sends the request. The response must not be an internal error, must have the security headers and match
// openapi.yaml.
func (s fuzzServer) send(t *testing.T, r *http.Request) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	res := w.Result()
	require.Less(t, res.StatusCode, http.StatusInternalServerError, "%s", w.Body)
	for name, want := range securityHeaders {
		assert.Equal(t, []string{want}, res.Header.Values(name), name)
	}
	assert.NotEmpty(t, res.Header.Get("Cache-Control"))
	switch {
	case res.StatusCode >= http.StatusBadRequest:
		assertErrorBody(t, res, w.Body.Bytes())
	case res.StatusCode >= http.StatusMultipleChoices && res.StatusCode != http.StatusNotModified:
		assert.True(t, strings.HasPrefix(res.Header.Get("Location"), "/vc-admin/"), "redirect to another site: %v", res.Header)
	}
	if res.Header.Get("Content-Encoding") == "" {
		s.api.checkResponse(t, r, res, w.Body.Bytes())
	}
	return res
}

func assertErrorBody(t *testing.T, res *http.Response, body []byte) {
	t.Helper()
	var e struct{ Name, Message string }
	assert.Equal(t, "application/json", res.Header.Get("Content-Type"))
	assert.NoError(t, json.Unmarshal(body, &e), "%s", body)
	assert.Regexp(t, "^ERR[A-Z]+$", e.Name)
	assert.NotEmpty(t, e.Message)
}

// createCustomer creates the customer of the caller with the index and returns its ID.
func (s fuzzServer) createCustomer(t testing.TB, callerIndex int) string {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/vc-admin/user-diy/new-customer", strings.NewReader("{}"))
	s.callers[callerIndex].authenticate(r)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	var customer struct{ ID string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &customer), "%s", w.Body)
	require.NotEmpty(t, customer.ID)
	return customer.ID
}

// Indexes of fuzzServer.callers.
const (
	visitorCaller  = 0
	licensedCaller = 2
)

// FuzzCalls sends arbitrary parameters, queries and bodies to all routes.
func FuzzCalls(f *testing.F) {
	s := newFuzzServer(f)
	for i, route := range s.routes {
		f.Add(byte(i), byte(licensedCaller), s.orgID, "debug=true", requestBodies(f, s.api.doc, route)[0])
		for _, query := range []string{
			"", "debug", "debug=false", "redirectTo=//evil.example", "redirectTo=javascript:alert(1)", "token=%00", "token=%zz;&&=",
			"\r\nX: y",
		} {
			f.Add(byte(i), byte(visitorCaller), "../../etc/passwd", query, []byte("{}"))
		}
		f.Add(byte(i), byte(licensedCaller), "%2e%2e\\\x00\xff", "", []byte("{\"username\": \"\xff\"}"))
	}
	f.Fuzz(func(t *testing.T, routeSeed, callerSeed byte, parameter, query string, body []byte) {
		s.sendToRoute(t, s.routes[int(routeSeed)%len(s.routes)], int(callerSeed)%len(s.callers), parameter, query, body)
	})
}

// pathParameter matches the variable part of a route, such as {orgId} or *.
var pathParameter = regexp.MustCompile(`\{\w+\}|\*`)

// sendToRoute sends a request to the route as the caller with the index. The parameter replaces the variable part of
// the path.
func (s fuzzServer) sendToRoute(t *testing.T, route string, callerIndex int, parameter, query string, body []byte) {
	t.Helper()
	method, path, _ := strings.Cut(route, " ")
	if strings.HasSuffix(path, "/logout") || path == "/auth/login" || path == "/vc-admin/auth/passkey" {
		callerIndex = visitorCaller // keeps the sessions of the other callers
	}
	path = pathParameter.ReplaceAllLiteralString(path, url.PathEscape(parameter))
	r := httptest.NewRequestWithContext(t.Context(), method, path, bytes.NewReader(body))
	r.URL.RawQuery = query
	s.callers[callerIndex].authenticate(r)
	res := s.send(t, r)
	if callerIndex != visitorCaller {
		assert.NotEqual(t, http.StatusUnauthorized, res.StatusCode, "the session must not end")
	}
}

// The test replaces each part of each request in openapi.yaml by each unexpected value.
func TestCalls_DoNotFailWithInternalErrorForUnexpectedValues(t *testing.T) {
	s := newFuzzServer(t)
	for _, route := range s.routes {
		for _, body := range requestBodies(t, s.api.doc, route) {
			s.sendToRoute(t, route, licensedCaller, s.orgID, "", body)
		}
	}
}

// rawRequests are unusual and hostile HTTP requests.
var rawRequests = []string{
	"GET /vc-admin/diy?redirectTo=//evil.example&debug=%0d%0aX:y HTTP/1.1\r\nHost: evil.example\r\n\r\n",
	"GET /vc-admin/diy?//evil.example HTTP/1.1\r\nHost: diy.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: javascript\r\n\r\n",
	"GET //evil.example/%2e%2e HTTP/1.1\r\nHost: diy.example\r\n\r\n",
	"GET http://evil.example/vc-admin/diy HTTP/1.1\r\nHost: diy.example\r\n\r\n",
	"GET /vc-admin/diy/..%2f..%2fetc/passwd HTTP/1.1\r\nHost: diy.example\r\n\r\n",
	"GET /vc-admin/diy/%5c%5cevil.example/.. HTTP/1.1\r\nHost: diy.example\r\n\r\n",
	"GET /vc-admin/diy/assets/app-1.js HTTP/1.1\r\nHost: x\r\nRange: bytes=9999-\r\nAccept-Encoding: br;q=0,,gzip;q=x\r\n\r\n",
	"GET /vc-admin/diy/assets/app-1.js HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\nAccept-Encoding: gzip\r\n\r\n",
	"GET /vc-admin/diy/config.json HTTP/1.1\r\nHost: x\r\nRange: bytes=5-1,-0,0-0\r\n\r\n",
	"GET /vc-admin/diy/config.json HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nIf-Modified-Since: never\r\n\r\n",
	"GET /vc-admin/diy/openapi.yaml HTTP/1.1\r\nHost: x\r\nRange: bytes=0-0,1-1\r\nIf-Range: \"\"\r\n\r\n",
	"HEAD /vc-admin/dash HTTP/1.1\r\nHost: x\r\nCookie: diy=; diy=x; XSRF-TOKEN=.; diy-browser=~~~~~~a.b.c\r\n\r\n",
	"GET /vc-admin/auth/verify?token=%00%ff HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ,, 1.2.3.4:99999, [::1%25x]\r\n\r\n",
	"GET /vc-admin/org/detail/%00?a;b HTTP/1.1\r\nHost: x\r\n\r\n",
	"OPTIONS * HTTP/1.1\r\nHost: x\r\nAccess-Control-Request-Method: POST\r\nOrigin: null\r\n\r\n",
	"OPTIONS /auth/login HTTP/1.1\r\nHost: x\r\nAccess-Control-Request-Method: POST\r\nOrigin: https://evil.example\r\n\r\n",
	"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
	"TRACE / HTTP/1.1\r\nHost: x\r\nCookie: a=b\r\n\r\n",
	"BREW /auth/login HTTP/1.1\r\nHost: x\r\nX-HTTP-Method-Override: POST\r\n\r\n",
	"POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n\r\nusername",
	"POST /auth/login HTTP/1.1\r\nHost: x\r\nOrigin: null\r\nContent-Type: ;;\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
	"POST /vc-admin/webhooks/stripe HTTP/1.1\r\nHost: x\r\nStripe-Signature: t=1,v1=\xff\r\nContent-Length: 2\r\n\r\n{}",
	"POST /vc-admin/diy/plans?_method=DELETE HTTP/1.1\r\nHost: x\r\nX-Method-Override: DELETE\r\n\r\n",
}

// FuzzRequests sends arbitrary HTTP requests. Redirects and cookies must not name another host.
func FuzzRequests(f *testing.F) {
	s := newFuzzServer(f)
	for _, raw := range rawRequests {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
		if err != nil {
			return // refused by net/http
		}
		r.RemoteAddr = "127.0.0.1:4711" // a trusted proxy
		res := s.send(t, r.WithContext(t.Context()))
		assert.NotContains(t, res.Header, "Access-Control-Allow-Origin")
		for _, cookie := range res.Cookies() {
			assert.Empty(t, cookie.Domain)
		}
	})
}

// eventSeeds are valid and invalid events. %s is the ID of a customer.
var eventSeeds = []string{
	``, `null`, `[]`, `{}`, `{"object": "event"}`, "\xff", `{"object": "event", "id": "\u0000", "type": "x"}`,
	`{"object": "event", "id": "evt_1", "type": "customer.subscription.updated", "created": 1, "data": {"object": {"id": "sub_1", "customer": "%s"}}}`,
	`{"object": "event", "id": "evt_2", "type": "customer.deleted", "data": {"object": {"id": "%s", "deleted": true}}}`,
	`{"object": "event", "id": "evt_3", "type": "invoice.paid", "created": -9e18, "data": {"object": {"id": "in_1", "customer": {"id": "%s"}}}}`,
	`{"object": "event", "id": "evt_4", "type": "payment_method.attached", "data": {"object": {"id": "pm_1", "customer": "cus_unknown"}}}`,
	`{"object": "event", "id": "evt_5", "type": "unknown", "data": null}`,
}

// FuzzWebhook sends arbitrary events. The webhook must refuse those without a valid signature, and must not fail with an
// internal error.
func FuzzWebhook(f *testing.F) {
	s := newFuzzServer(f)
	customerID := s.createCustomer(f, licensedCaller)
	for _, seed := range eventSeeds {
		if strings.Contains(seed, "%s") {
			seed = fmt.Sprintf(seed, customerID)
		}
		f.Add([]byte(seed), "", true)
		f.Add([]byte(seed), "t=1,v1=00", false)
	}
	f.Fuzz(func(t *testing.T, payload []byte, signature string, isSigned bool) {
		allowedStatuses := []int{http.StatusForbidden}
		if isSigned {
			signature = fakepayment.Sign(payload, s.clock.Now(), webhookSecret)
			allowedStatuses = []int{http.StatusOK, http.StatusBadRequest}
		}
		if len(payload) > 512<<10 {
			allowedStatuses = []int{http.StatusRequestEntityTooLarge}
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/vc-admin/webhooks/stripe", bytes.NewReader(payload))
		r.Header["Stripe-Signature"] = []string{signature}
		assert.Contains(t, allowedStatuses, s.send(t, r).StatusCode)
	})
}
