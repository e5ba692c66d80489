package console_test

import (
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/console"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/storage"
)

const secret = "0123456789abcdef0123456789abcdef"

// newConsole returns a console on the application of a test, behind a proxy with an operator for each role.
func newConsole(t *testing.T, env *apptest.Env, change func(*console.Options)) *console.Console {
	t.Helper()
	roles := console.RoleTable{operators.Support: {"group:staff", "sue"}}
	for _, role := range operators.Roles() {
		roles[role] = append(roles[role], "only-"+string(role), "olga")
	}
	options := console.Options{
		UseCases: env.App, Host: "console.test", Catalogue: catalogue.Default(), Clock: env.Clock, Log: slog.New(slog.DiscardHandler),
		Key: []byte("the key of all servers"), Views: env.Store.RateLimits(), Brand: "Vision", Version: "1.0.0",
		Identify: console.Proxy{UserHeader: "X-User", GroupsHeader: "X-Groups", Secret: secret, Roles: roles}.Identify,
	}
	if change != nil {
		change(&options)
	}
	return console.New(options)
}

// request returns a request of the operator through the proxy.
func request(method, path, operator string, form url.Values) *http.Request {
	r := httptest.NewRequest(method, "https://console.test"+path, strings.NewReader(form.Encode()))
	r.Header.Set("X-User", operator)
	r.Header.Set(console.SecretHeader, secret)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r
}

func send(c *console.Console, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w
}

func get(c *console.Console, path, operator string) *httptest.ResponseRecorder {
	return send(c, request(http.MethodGet, path, operator, nil))
}

// entriesOf returns the entries of a kind in the audit log of an organisation, oldest first.
func entriesOf(t *testing.T, env *apptest.Env, organisationID string, kind audit.Kind) []audit.Entry {
	t.Helper()
	entries, err := env.Store.AuditEntries(t.Context(), storage.AuditQuery{OrganisationID: organisationID, Kind: kind, Limit: 1000})
	require.NoError(t, err)
	return entries
}

func TestConsole_RefusesRequestsThatProveNoOperator(t *testing.T) {
	c := newConsole(t, apptest.New(t), nil)
	require.Equal(t, http.StatusOK, get(c, "/console/search", "sue").Code)
	for name, change := range map[string]func(*http.Request){
		"no secret":           func(r *http.Request) { r.Header.Del(console.SecretHeader) },
		"wrong secret":        func(r *http.Request) { r.Header.Set(console.SecretHeader, strings.Repeat("x", 32)) },
		"secret twice":        func(r *http.Request) { r.Header.Add(console.SecretHeader, secret) },
		"no name":             func(r *http.Request) { r.Header.Del("X-User") },
		"empty name":          func(r *http.Request) { r.Header.Set("X-User", " ") },
		"name twice":          func(r *http.Request) { r.Header.Add("X-User", "sue") },
		"unprintable name":    func(r *http.Request) { r.Header["X-User"] = []string{"su\u00e9"} },
		"name with line feed": func(r *http.Request) { r.Header["X-User"] = []string{"sue\nroot"} },
		"long name":           func(r *http.Request) { r.Header.Set("X-User", strings.Repeat("s", 255)) },
		"groups twice":        func(r *http.Request) { r.Header["X-Groups"] = []string{"staff", "staff"} },
		"no role":             func(r *http.Request) { r.Header.Set("X-User", "mallory") },
		"name like a group":   func(r *http.Request) { r.Header.Set("X-User", "group:staff") },
		"another host":        func(r *http.Request) { r.Host = "evil.test" },
		"another website": func(r *http.Request) {
			r.Method = http.MethodPost
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		},
	} {
		r := request(http.MethodGet, "/console/search", "sue", nil)
		change(r)
		w := send(c, r)
		assert.Equal(t, http.StatusForbidden, w.Code, name)
		assert.NotContains(t, w.Body.String(), "Search organisations", name)
	}
	byGroup := request(http.MethodGet, "/console/search", "mallory", nil)
	byGroup.Header.Set("X-Groups", "all, staff")
	assert.Equal(t, http.StatusOK, send(c, byGroup).Code)
}

// TestRoutes_FollowTheTableOfRoles requests every route with every role.
func TestRoutes_FollowTheTableOfRoles(t *testing.T) {
	env := apptest.New(t)
	c := newConsole(t, env, func(o *console.Options) { o.Views = nil })
	org := env.SignUp("ann").Organisation().ID
	known := operators.Permissions()
	for pattern, permission := range console.Routes(c) {
		require.Contains(t, known, permission, "%s has no permission of the table", pattern)
		method, path, _ := strings.Cut(pattern, " ")
		path = strings.NewReplacer("{id}", org, "{$}", "").Replace(path)
		for _, role := range operators.Roles() {
			w := send(c, request(method, path, "only-"+string(role), url.Values{}))
			isAllowed := slices.Contains(permission.Roles(), role)
			isRefused := w.Code == http.StatusForbidden && strings.Contains(w.Body.String(), "You have no role")
			assert.Equal(t, isAllowed, !isRefused, "%s as %s: %d", pattern, role, w.Code)
			assert.Less(t, w.Code, http.StatusInternalServerError, "%s as %s", pattern, role)
		}
	}
}

func TestResponses_HaveStrictHeaders(t *testing.T) {
	c := newConsole(t, apptest.New(t), nil)
	for path := range maps.Keys(map[string]int{"/console": 0, "/console/search": 0, "/console/unknown": 0, "/console/console.css": 0}) {
		header := get(c, path, "olga").Header()
		assert.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'; style-src 'self'", path)
		assert.NotContains(t, header.Get("Content-Security-Policy"), "script", path)
		assert.Equal(t, "no-store", header.Get("Cache-Control"), path)
		assert.Equal(t, "no-referrer", header.Get("Referrer-Policy"), path)
		assert.NotEmpty(t, header.Get("X-Request-Id"), path)
	}
}

func TestParseRoles_RefusesUnknownRolesAndEmptyLists(t *testing.T) {
	table, err := console.ParseRoles("support=group:staff, sue@example.com; finance=ann;")
	require.NoError(t, err)
	assert.Equal(t, console.RoleTable{
		operators.Support: {"group:staff", "sue@example.com"}, operators.Finance: {"ann"},
	}, table)
	for _, text := range []string{"", ";", "root=ann", "support", "support=", "support=ann,,bob", "support=group:"} {
		_, err := console.ParseRoles(text)
		assert.Error(t, err, text)
	}
}
