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

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
)

// callerNames are the columns of the access matrix. The last two columns are the licensed member's browser without an
// XSRF token, and the same browser on a page of another site.
var callerNames = []string{
	"visitor", "member", "licensed", "developer", "other organisation", "without XSRF token", "other origin",
}

// accessMatrix lists the status of every route for every caller. All bodies are empty objects. 400 means that the caller
// has access and the request is invalid. 401 and 403 mean that the caller has no access. {orgId} is the licensed member's
// organisation.
const accessMatrix = `
	GET    /                                    200 200 200 200 200 200 200
	GET    /healthz                             200 200 200 200 200 200 200
	GET    /readyz                              200 200 200 200 200 200 200
	GET    /vc-admin/dash                       200 200 200 200 200 200 200
	GET    /vc-admin/dash/                      200 200 200 200 200 200 200
	GET    /vc-admin/diy                        302 302 302 302 302 302 302
	GET    /vc-admin/diy/*                      200 200 200 200 200 200 200
	GET    /vc-admin/diy/config.json            200 200 200 200 200 200 200
	GET    /vc-admin/diy/common-passwords.json  200 200 200 200 200 200 200
	GET    /vc-admin/diy/openapi.yaml           200 200 200 200 200 200 200
	GET    /vc-admin/auth/confirm               200 200 200 200 200 200 200
	GET    /vc-admin/auth/forgot                200 200 200 200 200 200 200
	GET    /vc-admin/auth/reset                 200 200 200 200 200 200 200
	GET    /vc-admin/auth/billing-email         200 200 200 200 200 200 200
	GET    /vc-admin/auth/email                 200 200 200 200 200 200 200
	GET    /vc-admin/auth/undo                  200 200 200 200 200 200 200
	GET    /vc-admin/auth/invitation            200 200 200 200 200 200 200
	GET    /vc-admin/auth/emails                200 200 200 200 200 200 200
	GET    /vc-admin/auth/logout                303 303 303 303 303 303 403
	GET    /vc-admin/auth/verify                303 303 303 303 303 303 303
	GET    /vc-admin/user/detail                200 200 200 200 200 200 200
	GET    /vc-admin/org/detail/{orgId}         401 404 200 404 404 200 200
	GET    /vc-admin/org/customer/cards         401 200 200 200 200 200 200
	POST   /auth/login                          401 401 401 401 401 403 403
	POST   /vc-admin/auth/passkey/options       200 200 200 200 200 403 403
	POST   /vc-admin/auth/passkey               401 401 401 401 401 403 403
	GET    /vc-admin/user/account               401 200 200 200 200 200 200
	POST   /vc-admin/user/edit                  401 400 400 400 400 403 403
	POST   /vc-admin/user/password              401 400 400 400 400 403 403
	POST   /vc-admin/user/email                 401 400 400 400 400 403 403
	POST   /vc-admin/user/email/cancel          401 202 202 202 202 403 403
	POST   /vc-admin/user/sessions/end          401 400 400 400 400 403 403
	POST   /vc-admin/user/two-step/start        401 200 200 200 200 403 403
	POST   /vc-admin/user/two-step/confirm      401 404 404 404 404 403 403
	POST   /vc-admin/user/two-step/off          401 409 409 409 409 403 403
	POST   /vc-admin/user/passkeys/options      401 200 200 200 200 403 403
	POST   /vc-admin/user/passkeys/add          401 404 404 404 404 403 403
	POST   /vc-admin/user/passkeys/edit         401 400 400 400 400 403 403
	POST   /vc-admin/user/passkeys/del          401 404 404 404 404 403 403
	POST   /vc-admin/user/organisation          401 404 404 404 404 403 403
	GET    /vc-admin/org/activity               401 200 200 200 200 200 200
	GET    /vc-admin/org/members                401 200 200 200 200 200 200
	GET    /vc-admin/org/privacy                401 200 200 200 200 200 200
	POST   /vc-admin/org/privacy/erasure/request 401 400 400 400 400 403 403
	POST   /vc-admin/org/privacy/erasure/withdraw 401 404 404 404 404 403 403
	POST   /vc-admin/org/privacy/export         401 200 200 200 200 403 403
	POST   /vc-admin/org/members/invite         401 400 400 400 400 403 403
	POST   /vc-admin/org/members/resend         401 404 404 404 404 403 403
	POST   /vc-admin/org/members/revoke         401 404 404 404 404 403 403
	POST   /vc-admin/org/members/edit           401 400 400 400 400 403 403
	POST   /vc-admin/org/members/del            401 404 404 404 404 403 403
	POST   /vc-admin/org/members/leave          401 409 409 409 409 403 403
	POST   /vc-admin/auth/invitation/show       404 404 404 404 404 403 403
	POST   /vc-admin/auth/invitation/accept     404 404 404 404 404 403 403
	POST   /vc-admin/auth/verify/resend         202 202 202 202 202 403 403
	POST   /vc-admin/auth/verify/show           404 404 404 404 404 403 403
	POST   /vc-admin/auth/verify/confirm        404 404 404 404 404 403 403
	POST   /vc-admin/auth/verify/reject         404 404 404 404 404 403 403
	POST   /vc-admin/auth/password/forgot       202 202 202 202 202 403 403
	POST   /vc-admin/auth/password/reset        400 400 400 400 400 403 403
	POST   /vc-admin/auth/billing-email/show    404 404 404 404 404 403 403
	POST   /vc-admin/auth/billing-email/confirm 404 404 404 404 404 403 403
	POST   /vc-admin/auth/email/show            404 404 404 404 404 403 403
	POST   /vc-admin/auth/email/confirm         401 404 404 404 404 403 403
	POST   /vc-admin/auth/undo/show             404 404 404 404 404 403 403
	POST   /vc-admin/auth/undo/confirm          404 404 404 404 404 403 403
	POST   /vc-admin/auth/emails                400 400 400 400 400 400 400
	POST   /vc-admin/auth/emails/show           404 404 404 404 404 403 403
	POST   /vc-admin/auth/emails/edit           404 404 404 404 404 403 403
	POST   /vc-admin/signup                     400 400 400 400 400 403 403
	POST   /vc-admin/user-diy/new-user          400 400 400 400 400 403 403
	POST   /vc-admin/user-diy/new-customer      401 200 200 200 200 403 403
	POST   /vc-admin/user-diy/subscribe         401 400 400 400 400 403 403
	POST   /vc-admin/org/customer               401 200 200 200 200 403 403
	POST   /vc-admin/org/customer/edit          401 400 400 400 400 403 403
	POST   /vc-admin/org/customer/cards/add     401 400 400 400 400 403 403
	POST   /vc-admin/org/customer/cards/page    401 409 409 409 409 403 403
	POST   /vc-admin/org/customer/cards/del     401 400 400 400 400 403 403
	GET    /vc-admin/org/billing/details        401 200 200 200 200 200 200
	POST   /vc-admin/org/billing/edit           401 200 200 200 200 403 403
	POST   /vc-admin/org/billing/email/resend   401 409 409 409 409 403 403
	POST   /vc-admin/org/invoices/list          401 200 200 200 200 403 403
	GET    /vc-admin/org/invoices/{id}/pdf      401 404 404 404 404 404 404
	GET    /vc-admin/org/invoices/{id}/credit-notes/{number}/pdf 401 404 404 404 404 404 404
	POST   /vc-admin/org/invoices/{id}/transfer 401 409 409 409 409 403 403
	POST   /vc-admin/org/subscription/list      401 200 200 200 200 403 403
	POST   /vc-admin/org/subscription/update    401 400 400 400 400 403 403
	POST   /vc-admin/org/subscription/pay       401 400 400 400 400 403 403
	POST   /vc-admin/org/subscription/pending/cancel  401 409 200 409 200 403 403
	POST   /vc-admin/org/subscription/scheduled/cancel  401 409 200 409 200 403 403
	POST   /vc-admin/org/subscription/quote     401 400 400 400 400 403 403
	POST   /vc-admin/org/subscription/cancel    401 409 200 403 200 403 403
	POST   /vc-admin/org/subscription/resume    401 409 200 403 200 403 403
	GET    /vc-admin/org/billing                401 200 200 200 200 200 200
	POST   /vc-admin/webhooks/stripe            403 403 403 403 403 403 403
`

// The test also fails if the matrix lacks a route.
func TestRoutes_MatchTheAccessMatrix(t *testing.T) {
	s := newTestServer(t)
	want := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(accessMatrix)) {
		cells := strings.Fields(line)
		want[cells[0]+" "+cells[1]] = strings.Join(cells[2:], " ")
	}
	browsers, orgID := newCallerBrowsers(t, s)

	got := map[string]string{}
	for _, route := range allRoutes(t, s) {
		got[route] = strings.Join(sendAsEveryCaller(browsers, route, orgID), " ")
	}

	assert.Equal(t, want, got, "the callers are %v", callerNames)
}

// allRoutes returns all routes of the API as "METHOD /pattern". The route that ends the session is the last one.
func allRoutes(t testing.TB, s *testServer) (routes []string) {
	t.Helper()
	router, ok := s.server.Config.Handler.(chi.Routes)
	require.True(t, ok)
	require.NoError(t, chi.Walk(router, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if !strings.HasPrefix(route, "/dev/") {
			routes = append(routes, method+" "+route)
		}
		return nil
	}))
	const logoutRoute = "GET /vc-admin/auth/logout"
	return append(slices.DeleteFunc(routes, func(route string) bool { return route == logoutRoute }), logoutRoute)
}

// newCallerBrowsers returns the browsers of the callers and the ID of the licensed member's organisation.
func newCallerBrowsers(t testing.TB, s *testServer) (browsers []*browser, orgID string) {
	t.Helper()
	licensedMember := s.signUp(t, "Sunrise Clinic", "licensed@sunrise.example")
	licensedMember.subscribe(subscribeBody(licensedMember.createCard("4242424242424242")))
	orgID = licensedMember.detail().OrgID
	developer := s.signUp(t, "Workshop", "developer@workshop.example")
	ctx := operators.WithOperator(t.Context(), operators.CommandLine("olga"))
	err := s.useCases.GrantDevLicense.Do(ctx, operators.ActionRequest{
		OrganisationID: developer.detail().OrgID, Key: "act_1", Reason: audit.Partner, Ticket: "T-1",
	}, "professional")
	require.NoError(t, err)
	member := s.signUp(t, "Harbour Clinic", "member@harbour.example")
	otherLicensedMember := s.signUp(t, "Hill Clinic", "other@hill.example")
	otherLicensedMember.subscribe(subscribeBody(otherLicensedMember.createCard("4242424242424242")))
	return []*browser{
		s.newBrowser(t), member, licensedMember, developer, otherLicensedMember, licensedMember, licensedMember,
	}, orgID
}

// sendAsEveryCaller sends a request to the route as every caller and returns the statuses.
func sendAsEveryCaller(browsers []*browser, route, orgID string) (statuses []string) {
	method, pattern, _ := strings.Cut(route, " ")
	path := strings.NewReplacer("{orgId}", orgID, "/*", "/plans").Replace(pattern)
	for i, b := range browsers {
		r := b.newRequest(method, path, nil)
		switch callerNames[i] {
		case "without XSRF token":
			r.Header.Del("X-XSRF-TOKEN")
		case "other origin":
			r.Header.Set("Origin", "https://evil.example")
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}
		statuses = append(statuses, strconv.Itoa(b.send(r).Status))
	}
	return statuses
}

// Browsers also send the session cookie with requests for files.
func TestPublicRoutes_DoNotReadTheSessionOrTheDatabase(t *testing.T) {
	s, b := newServerWithUser(t)
	require.NoError(t, s.store.Close())
	readCount := s.sessions.reads.Load()
	for path, status := range map[string]int{
		"/vc-admin/diy/assets/app-1.js": http.StatusOK, "/vc-admin/diy/openapi.yaml": http.StatusOK,
		"/vc-admin/diy/assets/missing.js": http.StatusNotFound, "/vc-admin/diy": http.StatusFound,
		"/vc-admin/diy/": http.StatusFound, "/": http.StatusOK, "/vc-admin/diy/plans": http.StatusOK,
		"/vc-admin/dash": http.StatusOK,
	} {
		res := b.get(path)
		assert.Equal(t, status, res.Status, path)
		assert.Equal(t, readCount, s.sessions.reads.Load(), path)
		assert.NotContains(t, res.Header.Values("Vary"), "Cookie", path)
	}

	readCount = s.sessions.reads.Load()
	res := b.get("/vc-admin/diy/config.json")
	assert.Equal(t, http.StatusServiceUnavailable, res.Status, "the session can't be read")
	assert.Greater(t, s.sessions.reads.Load(), readCount)
	assert.Contains(t, res.Header.Values("Vary"), "Cookie")
}

// The webhook has a higher limit, see TestWebhook_AcceptsEventsUpTo512KiB.
func TestRoutes_LimitTheBody(t *testing.T) {
	_, b := newServerWithUser(t)
	body := `{"username": "` + strings.Repeat("x", 64<<10) + `"}`
	for _, path := range []string{
		"/auth/login", "/vc-admin/signup", "/vc-admin/user-diy/new-user", "/vc-admin/auth/verify/resend",
		"/vc-admin/auth/verify/show", "/vc-admin/auth/verify/confirm", "/vc-admin/auth/verify/reject",
		"/vc-admin/auth/password/forgot", "/vc-admin/auth/password/reset",
		"/vc-admin/auth/billing-email/show", "/vc-admin/auth/billing-email/confirm", "/vc-admin/org/billing/email/resend",
		"/vc-admin/auth/emails/show", "/vc-admin/auth/emails/edit", "/vc-admin/user/email",
		"/vc-admin/auth/email/show", "/vc-admin/auth/email/confirm", "/vc-admin/auth/undo/show", "/vc-admin/auth/undo/confirm",
		"/vc-admin/user-diy/subscribe", "/vc-admin/org/customer", "/vc-admin/org/customer/edit",
		"/vc-admin/org/customer/cards/add", "/vc-admin/org/customer/cards/del",
		"/vc-admin/org/subscription/list", "/vc-admin/org/subscription/update",
	} {
		r := b.newRequest(http.MethodPost, path, body)
		r.ContentLength = -1 // chunked
		b.send(r).requireError(http.StatusRequestEntityTooLarge, "ERRTOOLARGE")
	}
}

func TestRoutes_UnknownPathsAndHiddenFilesAreNotFound(t *testing.T) {
	b := newTestServer(t).newBrowser(t)
	b.get("/vc-admin/diy/assets/missing.js").requireError(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/vc-admin/diy/.vite/manifest.json").requireError(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/vc-admin/diy/assets/.keep").requireError(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/somewhere").requireError(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/dev/clock").requireError(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/vc-admin/signup").requireError(http.StatusMethodNotAllowed, "ERRMETHOD")
}

func TestRoutes_RefuseUnsupportedMethodsAndReportAllowedOnes(t *testing.T) {
	b := newTestServer(t).newBrowser(t)
	for path, want := range map[string]string{
		"/auth/login": "POST", "/vc-admin/dash": "GET, HEAD", "/vc-admin/org/detail/org_1": "GET, HEAD",
		"/vc-admin/diy/plans": "GET, HEAD",
	} {
		res := b.send(b.newRequest(http.MethodDelete, path, nil))
		res.requireError(http.StatusMethodNotAllowed, "ERRMETHOD")
		assert.Equal(t, want, res.Header.Get("Allow"), path)
	}
}

func TestReadyz_FailsWithoutDatabaseWhileHealthzSucceeds(t *testing.T) {
	s := newTestServer(t)
	b := s.newBrowser(t)
	assert.Equal(t, http.StatusOK, b.get("/healthz").Status)
	assert.Equal(t, http.StatusOK, b.get("/readyz").Status)

	_, err := s.store.Pools()["writes"].ExecContext(t.Context(), "ALTER TABLE users RENAME TO destroyed")
	require.NoError(t, err)
	b.get("/readyz").requireError(http.StatusServiceUnavailable, "ERRPROVIDER")

	require.NoError(t, s.store.Close())

	assert.Equal(t, http.StatusOK, b.get("/healthz").Status)
	b.get("/readyz").requireError(http.StatusServiceUnavailable, "ERRPROVIDER")
}

func TestForeignObjects_GetSameResponseAsUnknownObjects(t *testing.T) {
	s := newTestServer(t)
	bob := s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	foreignCardID, foreignOrgID := bob.addCard("4242424242424242"), bob.detail().OrgID
	ada := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	ada.post("/vc-admin/user-diy/new-customer", nil)

	requireSameResponse(t, ada.get("/vc-admin/org/detail/org_unknown"), ada.get("/vc-admin/org/detail/"+foreignOrgID))
	for path, newBody := range map[string]func(id string) map[string]any{
		"/vc-admin/org/customer/cards/add": func(id string) map[string]any { return map[string]any{"paymentMethodId": id} },
		"/vc-admin/org/customer/cards/del": func(id string) map[string]any { return map[string]any{"paymentMethodId": id} },
		"/vc-admin/user-diy/subscribe":     subscribeBody,
		"/vc-admin/org/customer/edit": func(id string) map[string]any {
			return map[string]any{"invoice_settings": map[string]any{"default_payment_method": id}}
		},
	} {
		unknownCard := ada.post(path, newBody("pm_unknown"))
		assert.Equal(t, http.StatusNotFound, unknownCard.Status, path)
		requireSameResponse(t, unknownCard, ada.post(path, newBody(foreignCardID)))
	}
	foreignCustomer := subscribeBody("")
	foreignCustomer["customerId"] = bob.customer().ID
	ada.trySubscribe(foreignCustomer).requireError(http.StatusForbidden, "ERRFORBIDDEN")
	s.newBrowser(t).get("/vc-admin/org/customer/cards").requireError(http.StatusUnauthorized, "ERRUNAUTHENTICATED")
}
