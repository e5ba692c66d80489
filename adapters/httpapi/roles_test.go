package httpapi_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
)

// roleMatrix lists the status of every route that needs a sign-in for an owner, a billing member, a reading member, a user
// without a role, and an owner who has not signed in recently. The organisations have no customer. 403 is ERRFORBIDDEN and
// F is ERRREAUTHENTICATE. Other errors mean that the caller has access.
const roleMatrix = `
	GET  /vc-admin/org/activity                        200 200 403 403 200
	GET  /vc-admin/org/billing                         200 200 200 403 200
	GET  /vc-admin/org/billing/details                 200 200 200 403 200
	POST /vc-admin/org/billing/edit                    200 200 403 403 200
	POST /vc-admin/org/billing/email/resend            409 409 403 403 409
	POST /vc-admin/org/customer                        200 200 200 403 200
	GET  /vc-admin/org/customer/cards                  200 200 200 403 200
	POST /vc-admin/org/customer/cards/add              404 404 403 403 404
	POST /vc-admin/org/customer/cards/del              404 404 403 403 404
	POST /vc-admin/org/customer/cards/page             409 409 403 403 409
	POST /vc-admin/org/customer/edit                   404 404 403 403 404
	GET  /vc-admin/org/detail/{orgId}                  200 200 200 403 200
	POST /vc-admin/org/invoices/list                   200 200 200 403 200
	GET  /vc-admin/org/invoices/{id}/credit-notes/{number}/pdf 404 404 404 403 404
	GET  /vc-admin/org/invoices/{id}/pdf               404 404 404 403 404
	POST /vc-admin/org/invoices/{id}/transfer          409 409 403 403 409
	GET  /vc-admin/org/members                         200 200 200 403 200
	POST /vc-admin/org/members/del                     404 403 403 403 F
	POST /vc-admin/org/members/edit                    400 403 403 403 F
	POST /vc-admin/org/members/invite                  400 403 403 403 F
	POST /vc-admin/org/members/leave                   409 200 200 403 F
	POST /vc-admin/org/members/resend                  404 403 403 403 F
	POST /vc-admin/org/members/revoke                  404 403 403 403 F
	GET  /vc-admin/org/privacy                         200 403 403 403 200
	POST /vc-admin/org/privacy/erasure/request         400 403 403 403 F
	POST /vc-admin/org/privacy/erasure/withdraw        404 403 403 403 404
	POST /vc-admin/org/privacy/export                  200 403 403 403 F
	POST /vc-admin/org/subscription/cancel             409 409 403 403 409
	POST /vc-admin/org/subscription/list               200 200 200 403 200
	POST /vc-admin/org/subscription/pay                409 409 403 403 409
	POST /vc-admin/org/subscription/pending/cancel     409 409 403 403 409
	POST /vc-admin/org/subscription/quote              400 400 403 403 400
	POST /vc-admin/org/subscription/resume             409 409 403 403 409
	POST /vc-admin/org/subscription/scheduled/cancel   409 409 403 403 409
	POST /vc-admin/org/subscription/update             400 400 403 403 400
	POST /vc-admin/user-diy/new-customer               200 200 403 403 200
	POST /vc-admin/user-diy/subscribe                  400 400 403 403 400
	GET  /vc-admin/user/account                        200 200 200 403 200
	GET  /vc-admin/user/detail                         200 200 200 403 200
	POST /vc-admin/user/edit                           400 400 400 403 400
	POST /vc-admin/auth/email/confirm                  404 404 404 403 404
	POST /vc-admin/user/email                          400 400 400 403 F
	POST /vc-admin/user/email/cancel                   202 202 202 403 F
	POST /vc-admin/user/organisation                   404 404 404 403 404
	POST /vc-admin/user/passkeys/add                   404 404 404 403 F
	POST /vc-admin/user/passkeys/del                   404 404 404 403 F
	POST /vc-admin/user/passkeys/edit                  400 400 400 403 F
	POST /vc-admin/user/passkeys/options               200 200 200 403 F
	POST /vc-admin/user/password                       400 400 400 403 F
	POST /vc-admin/user/sessions/end                   200 200 200 403 F
	POST /vc-admin/user/two-step/confirm               404 404 404 403 F
	POST /vc-admin/user/two-step/off                   409 409 409 403 F
	POST /vc-admin/user/two-step/start                 200 200 200 403 F
`

// roleBodies are the bodies of requests that would otherwise be refused before the role is checked.
var roleBodies = map[string]any{
	"/vc-admin/org/customer/cards/add": map[string]any{"paymentMethodId": "pm_unknown"},
	"/vc-admin/org/customer/cards/del": map[string]any{"paymentMethodId": "pm_unknown"},
	"/vc-admin/org/customer/edit": map[string]any{
		"invoice_settings": map[string]any{"default_payment_method": "pm_unknown"},
	},
	"/vc-admin/org/subscription/pay": map[string]any{"setup": true},
	"/vc-admin/user/sessions/end":    map[string]any{"others": true},
}

// The test also fails if the matrix lacks a route.
func TestRoutes_MatchTheRoleMatrix(t *testing.T) {
	s := newTestServer(t)
	visitor, staleOwner := s.newBrowser(t), s.signUp(t, "Stale Clinic", "stale@roles.example")
	s.advance(t, account.FreshFor)
	browsers := []*browser{
		s.signUp(t, "Owner Clinic", "owner@roles.example"),
		s.signUpWithRole(t, "Billing Clinic", "billing@roles.example", account.BillingMember),
		s.signUpWithRole(t, "Reading Clinic", "reading@roles.example", account.ReadingMember),
		s.signUpWithRole(t, "Zero Clinic", "zero@roles.example", ""),
		staleOwner,
	}
	var orgIDs []string
	for _, name := range []string{"owner", "billing", "reading", "zero", "stale"} {
		user, err := s.store.UserByEmail(t.Context(), name+"@roles.example")
		require.NoError(t, err)
		orgIDs = append(orgIDs, user.OrganisationID)
	}

	want, got := map[string]string{}, map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(roleMatrix)) {
		cells := strings.Fields(line)
		want[cells[0]+" "+cells[1]] = strings.Join(cells[2:], " ")
	}
	const leave = "POST /vc-admin/org/members/leave" // ends the sessions
	routes := slices.DeleteFunc(allRoutes(t, s), func(route string) bool { return route == leave })
	for _, route := range append(routes, leave) {
		method, pattern, _ := strings.Cut(route, " ")
		if route != "GET /vc-admin/user/detail" &&
			visitor.send(visitor.newRequest(method, pattern, nil)).Name != "ERRUNAUTHENTICATED" {
			continue
		}
		var cells []string
		for i, b := range browsers {
			path := strings.NewReplacer("{orgId}", orgIDs[i]).Replace(pattern)
			cells = append(cells, roleStatus(b.send(b.newRequest(method, path, roleBodies[pattern]))))
		}
		got[route] = strings.Join(cells, " ")
	}

	assert.Equal(t, want, got)
}

// roleStatus returns the response's cell in the role matrix.
func roleStatus(res response) string {
	switch {
	case res.Name == "ERRREAUTHENTICATE":
		return "F"
	case res.Status == http.StatusForbidden:
		assert.Equal(res.t, "ERRFORBIDDEN", res.Name)
	}
	return strconv.Itoa(res.Status)
}

// signUpWithRole signs up an owner, and replaces the role.
func (s *testServer) signUpWithRole(t testing.TB, org, email string, role account.Role) *browser {
	t.Helper()
	b := s.signUp(t, org, email)
	_, err := s.store.Pools()["writes"].ExecContext(t.Context(),
		"UPDATE memberships SET role = ? WHERE user_id = (SELECT id FROM users WHERE email = ?)", string(role), email)
	require.NoError(t, err)
	return b
}
