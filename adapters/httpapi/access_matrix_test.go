package httpapi_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The callers of the matrix, in the order of its columns. The last two are the licensed member's
// browser, asked without its XSRF token and by a page of another site.
var callers = []string{"visitor", "member", "licensed", "developer", "other organisation", "without XSRF", "other origin"}

// access is what every route answers to every caller. Where something would be changed the request
// is an empty object, so that a caller who gets as far as the use case is told that it is invalid:
// 400 means "may ask", 401 and 403 "may not". {orgId} is the licensed member's organisation.
const access = `
	GET    /                                    200 200 200 200 200 200 200
	GET    /healthz                             200 200 200 200 200 200 200
	GET    /readyz                              200 200 200 200 200 200 200
	GET    /vc-admin/dash                       200 200 200 200 200 200 200
	GET    /vc-admin/dash/                      200 200 200 200 200 200 200
	GET    /vc-admin/diy                        302 302 302 302 302 302 302
	GET    /vc-admin/diy/*                      200 200 200 200 200 200 200
	GET    /vc-admin/diy/config.json            200 200 200 200 200 200 200
	GET    /vc-admin/diy/openapi.yaml           200 200 200 200 200 200 200
	GET    /vc-admin/auth/confirm               200 200 200 200 200 200 200
	GET    /vc-admin/auth/forgot                200 200 200 200 200 200 200
	GET    /vc-admin/auth/reset                 200 200 200 200 200 200 200
	GET    /vc-admin/auth/logout                303 303 303 303 303 303 403
	GET    /vc-admin/auth/verify                303 303 303 303 303 303 303
	GET    /vc-admin/user/detail                200 200 200 200 200 200 200
	GET    /vc-admin/org/detail/{orgId}         401 404 200 404 404 200 200
	GET    /vc-admin/org/customer/cards         401 200 200 200 200 200 200
	POST   /auth/login                          401 401 401 401 401 403 403
	POST   /vc-admin/auth/verify/resend         202 202 202 202 202 403 403
	POST   /vc-admin/auth/verify/show           404 404 404 404 404 403 403
	POST   /vc-admin/auth/verify/confirm        404 404 404 404 404 403 403
	POST   /vc-admin/auth/verify/reject         404 404 404 404 404 403 403
	POST   /vc-admin/auth/password/forgot       202 202 202 202 202 403 403
	POST   /vc-admin/auth/password/reset        400 400 400 400 400 403 403
	POST   /vc-admin/signup                     400 400 400 400 400 403 403
	POST   /vc-admin/user-diy/new-user          400 400 400 400 400 403 403
	POST   /vc-admin/user-diy/new-customer      401 200 200 200 200 403 403
	POST   /vc-admin/user-diy/subscribe         401 400 400 400 400 403 403
	POST   /vc-admin/org/customer               401 200 200 200 200 403 403
	POST   /vc-admin/org/customer/edit          401 400 400 400 400 403 403
	POST   /vc-admin/org/customer/cards/add     401 400 400 400 400 403 403
	POST   /vc-admin/org/customer/cards/del     401 400 400 400 400 403 403
	POST   /vc-admin/org/subscription/list      401 200 200 200 200 403 403
	POST   /vc-admin/org/subscription/update    401 400 400 400 400 403 403
	POST   /vc-admin/org/subscription/pay       401 400 400 400 400 403 403
	POST   /vc-admin/org/subscription/pending/cancel  401 409 200 409 200 403 403
	POST   /vc-admin/webhooks/stripe            403 403 403 403 403 403 403
`

// A route without a row fails here, and so does a row without a route.
func TestEveryRouteAnswersEveryCallerAsTheMatrixSays(t *testing.T) {
	h := newHouse(t)
	want := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(access)) {
		cells := strings.Fields(line)
		want[cells[0]+" "+cells[1]] = strings.Join(cells[2:], " ")
	}
	b, org := castOf(t, h)

	got := map[string]string{}
	for _, route := range routesOf(t, h) {
		got[route] = strings.Join(statusesOf(b, route, org), " ")
	}

	assert.Equal(t, want, got, "the callers are %v", callers)
}

// routesOf are all routes of the product, as "METHOD /pattern"; the one that signs people out is the
// last.
func routesOf(t testing.TB, h *house) (routes []string) {
	t.Helper()
	router, ok := h.server.Config.Handler.(chi.Routes)
	require.True(t, ok)
	require.NoError(t, chi.Walk(router, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if !strings.HasPrefix(route, "/dev/") {
			routes = append(routes, method+" "+route)
		}
		return nil
	}))
	const last = "GET /vc-admin/auth/logout"
	return append(slices.DeleteFunc(routes, func(route string) bool { return route == last }), last)
}

// castOf are the callers' browsers, in the order of the columns, and the id of the licensed
// member's organisation.
func castOf(t testing.TB, h *house) (cast []*browser, org string) {
	t.Helper()
	licensed := h.member(t, "Sunrise Clinic", "licensed@sunrise.example")
	licensed.subscribe(yearly(licensed.card("4242424242424242")))
	org = licensed.detail().Detail.OrgID
	developer := h.member(t, "Workshop", "developer@workshop.example")
	require.NoError(t, h.useCases.GrantDevLicense.Do(t.Context(), developer.detail().Detail.OrgID, "professional"))
	member := h.member(t, "Harbour Clinic", "member@harbour.example")
	other := h.member(t, "Hill Clinic", "other@hill.example")
	other.subscribe(yearly(other.card("4242424242424242")))
	return []*browser{h.browser(t), member, licensed, developer, other, licensed, licensed}, org
}

// statusesOf asks the route in every caller's name.
func statusesOf(cast []*browser, route, org string) (statuses []string) {
	method, pattern, _ := strings.Cut(route, " ")
	path := strings.NewReplacer("{orgId}", org, "/*", "/plans").Replace(pattern)
	for i, b := range cast {
		r := b.request(method, path, nil)
		switch callers[i] {
		case "without XSRF":
			r.Header.Del("X-XSRF-TOKEN")
		case "other origin":
			r.Header.Set("Origin", "https://evil.example")
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}
		statuses = append(statuses, strconv.Itoa(b.send(r).Status))
	}
	return statuses
}
