package console_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/console"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

func TestOrganisation_ShowsTheAccountAndRecordsTheView(t *testing.T) {
	env := apptest.New(t)
	user := env.SignUp("harbour")
	user.Subscribe(apptest.Visa, apptest.StandardMonthly)
	org := user.Organisation()
	c := newConsole(t, env, nil)

	page := get(c, "/console/organisations/"+org.ID, "sue")

	require.Equal(t, http.StatusOK, page.Code)
	for _, text := range []string{org.Name, org.ID, org.ContactEmail, "trial until", "•••• 4242", "Plan started", "owner"} {
		assert.Contains(t, page.Body.String(), text)
	}
	views := entriesOf(t, env, org.ID, audit.OperatorViewed)
	require.Len(t, views, 1)
	assert.Equal(t, audit.Operator("sue"), views[0].Actor)
	assert.Equal(t, page.Header().Get("X-Request-Id"), views[0].RequestID)

	env.Advance(8 * 24 * time.Hour)
	paid := get(c, "/console/organisations/"+org.ID+"?show=money", "sue").Body.String()
	assert.Contains(t, paid, "Payment received")
	assert.Contains(t, paid, `<span class="amount">$39 AUD</span>`)
	assert.NotContains(t, paid, "Signed up")
	assert.Equal(t, http.StatusNotFound, get(c, "/console/organisations/unknown", "sue").Code)
}

func TestTimeline_FindsTheEntriesOfAGroupBelowManyOthers(t *testing.T) {
	env := apptest.New(t)
	user := env.SignUp("harbour")
	user.Subscribe(apptest.Visa, apptest.StandardMonthly)
	require.NoError(t, env.Store.AddAuditEntries(t.Context(), slices.Repeat(
		[]audit.Entry{{OrganisationID: user.OrganisationID, Actor: audit.Operator("sue"), Kind: audit.OperatorViewed}}, 2100)...))
	body := get(newConsole(t, env, nil), "/console/organisations/"+user.OrganisationID+"?show=money", "sue").Body.String()
	assert.Contains(t, body, "Plan started")
	assert.NotContains(t, body, "Viewed")
	assert.NotContains(t, body, "Older entries")
}

func TestTimeline_HasATextForEachKind(t *testing.T) {
	for _, kind := range audit.Kinds() {
		assert.NotEmpty(t, console.KindText(kind), kind)
	}
}

func TestOrganisation_PagesThroughTheTimeline(t *testing.T) {
	env := apptest.New(t)
	org := env.SignUp("harbour").Organisation()
	c := newConsole(t, env, nil)
	for range 60 {
		require.Equal(t, http.StatusOK, get(c, "/console/organisations/"+org.ID, "sue").Code)
	}
	path := "/console/organisations/" + org.ID
	pages := 0
	for ; path != ""; pages++ {
		require.Less(t, pages, 10)
		path, _, _ = strings.Cut(path, "#")
		body := get(c, path, "sue").Body.String()
		before, _, hasOlder := strings.Cut(body, `">Older entries`)
		path = ""
		if hasOlder {
			path = strings.ReplaceAll(before[strings.LastIndex(before, `"`)+1:], "&amp;", "&")
		}
		if path == "" {
			assert.Contains(t, body, "Signed up")
		}
	}
	assert.Greater(t, pages, 1)
}

func TestOrganisation_EscapesHostileNames(t *testing.T) {
	env := apptest.New(t)
	org := env.SignUp("harbour").Organisation()
	const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
	_, err := env.Store.UpdateOrganisation(t.Context(), org.ID, func(o *account.Organisation) error {
		o.Name, o.Details = hostile, &account.BillingDetails{LegalName: hostile, Address: account.Address{City: hostile}}
		return nil
	})
	require.NoError(t, err)
	c := newConsole(t, env, nil)
	for _, path := range []string{"/console/organisations/" + org.ID, "/console/search?q=" + org.ContactEmail} {
		body := get(c, path, "sue").Body.String()
		assert.Contains(t, body, "&lt;script&gt;", path)
		assert.NotContains(t, body, "<script", path)
		assert.NotContains(t, body, "<img", path)
	}
}

func TestOrganisation_LimitsTheViewsOfAnOperator(t *testing.T) {
	env := apptest.New(t)
	var log bytes.Buffer
	c := newConsole(t, env, func(o *console.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	var first string
	for i := range 101 {
		org := env.SignUp("org" + strconv.Itoa(i)).Organisation().ID
		if i == 0 {
			first = org
		}
		want := http.StatusOK
		if i == 100 {
			want = http.StatusTooManyRequests
			assert.NotContains(t, log.String(), "operator views too many organisations")
		}
		require.Equal(t, want, get(c, "/console/organisations/"+org, "sue").Code, i)
		if i == 100 {
			assert.Empty(t, entriesOf(t, env, org, audit.OperatorViewed))
		}
	}
	assert.Contains(t, log.String(), "operator views too many organisations")
	assert.Equal(t, http.StatusOK, get(c, "/console/organisations/"+first, "sue").Code, "a further view of the same organisation")
	assert.Equal(t, http.StatusOK, get(c, "/console/organisations/"+first, "olga").Code, "another operator")
}

func TestSearch_LeadsToTheOrganisationOfAnID(t *testing.T) {
	env := apptest.New(t)
	user := env.SignUp("harbour")
	user.Subscribe(apptest.Visa, apptest.StandardMonthly)
	org := user.Organisation()
	c := newConsole(t, env, nil)
	for _, id := range []string{org.ID, " " + org.ID + " ", org.Billing.CustomerID} {
		w := get(c, "/console/search?q="+url.QueryEscape(id), "sue")
		assert.Equal(t, http.StatusSeeOther, w.Code, id)
		assert.Equal(t, "/console/organisations/"+org.ID, w.Header().Get("Location"), id)
	}
	assert.Contains(t, get(c, "/console/search?q=unknown@example.com", "sue").Body.String(), "No organisation")
}

func TestAuditLog_ShowsAndExportsTheEntriesOfAFilter(t *testing.T) {
	env := apptest.New(t)
	org := env.SignUp("harbour").Organisation()
	env.SignUp("other")
	c := newConsole(t, env, nil)

	body := get(c, "/console/audit?organisation="+org.ID, "only-auditor").Body.String()
	assert.Contains(t, body, "user.signed_up")
	assert.Equal(t, 1, strings.Count(body, "user.signed_up"))
	assert.Len(t, entriesOf(t, env, org.ID, audit.OperatorViewed), 1)
	assert.Equal(t, http.StatusBadRequest, get(c, "/console/audit?month=x", "only-auditor").Code)

	export := get(c, "/console/audit/export?format=csv&organisation="+org.ID, "only-auditor")
	assert.Contains(t, export.Header().Get("Content-Disposition"), `filename="audit.csv"`)
	assert.Contains(t, export.Body.String(), "user.signed_up")
	assert.Contains(t, export.Body.String(), "operator.exported_audit_log")
	assert.Equal(t, http.StatusBadRequest, get(c, "/console/audit/export?format=exe", "only-auditor").Code)
}

func TestAttention_ListsOverdueOrganisations(t *testing.T) {
	env := apptest.New(t)
	user := env.SignUp("harbour")
	user.Subscribe(apptest.DeclinedChargesCard, apptest.StandardMonthly)
	c := newConsole(t, env, nil)
	assert.Contains(t, get(c, "/console/attention", "sue").Body.String(), "No payment is overdue")
	env.Advance(8 * 24 * time.Hour)
	env.DeliverEvents()

	assert.Contains(t, get(c, "/console/attention", "sue").Body.String(), user.Organisation().Name)
}

// TestLogAndAuditLog_HaveNoPersonalData searches with an email address and views the organisation.
func TestLogAndAuditLog_HaveNoPersonalData(t *testing.T) {
	env := apptest.New(t)
	org := env.SignUp("harbour").Organisation()
	var log bytes.Buffer
	c := newConsole(t, env, func(o *console.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	for _, path := range []string{"/console/search?q=" + org.ContactEmail, "/console/organisations/" + org.ID, "/console/audit?operator=" + org.ContactEmail} {
		require.Equal(t, http.StatusOK, get(c, path, "olga").Code)
	}
	var export strings.Builder
	entries, err := env.Store.AuditEntries(t.Context(), storage.AuditQuery{Limit: 1000})
	require.NoError(t, err)
	for _, e := range entries {
		export.WriteString(e.Subject + " " + e.Actor.ID + " " + e.Cause)
		for _, value := range e.Data {
			export.WriteString(" " + value)
		}
	}
	for _, canary := range []string{org.ContactEmail, org.Name, secret} {
		assert.NotContains(t, log.String(), canary)
		assert.NotContains(t, export.String(), canary)
	}
}

// FuzzConsole sends hostile input to every page.
func FuzzConsole(f *testing.F) {
	for _, seed := range []string{"", "harbour", "<script>", "%00", "ann@example.com", "9223372036854775808", "2026-13", "\xff", strings.Repeat("a", 5000)} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, value, name string) {
		if value == "" || value == "." || value == ".." {
			return // the path would be that of another page
		}
		env := apptest.New(t)
		c := newConsole(t, env, func(o *console.Options) { o.Views = nil })
		for pattern := range console.Routes(c) {
			method, path, _ := strings.Cut(pattern, " ")
			r := request(method, strings.ReplaceAll(path, "{id}", url.PathEscape(value)), "olga", nil)
			query := r.URL.Query()
			for _, key := range []string{"q", "show", "before", "after", "operator", "organisation", "month", "request", "format", "invoice"} {
				query.Set(key, value)
			}
			r.URL.RawQuery = query.Encode()
			r.Header["X-User"] = []string{"olga"}
			r.Header["X-Groups"] = []string{name}
			w := send(c, r)
			if w.Code >= http.StatusInternalServerError {
				t.Errorf("%s: %d", pattern, w.Code)
			}
			if strings.Contains(w.Body.String(), "<script") {
				t.Errorf("%s contains a script", pattern)
			}
		}
	})
}
