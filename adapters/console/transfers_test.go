package console_test

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/console"
	"github.com/vc-admin/diy/adapters/invoicepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/storage"
)

func TestTransfers_FinanceApprovesAnOrderAndRecordsItsPayment(t *testing.T) {
	env := apptest.New(t)
	require.NoError(t, env.Store.MigratePlugin(t.Context(), "invoice", invoicepayment.Adapter{}))
	provider, err := invoicepayment.Open(plugin.Settings{Values: map[string]string{"APPROVAL": "required"}},
		plugin.Dependencies{Database: env.Store.Database(), Clock: env.Clock, Catalogue: catalogue.Default()})
	require.NoError(t, err)
	useCases := env.NewApp(env.Store, provider)
	user := env.SignUpOnServer(useCases, "ann")
	_, err = useCases.Subscribe.Do(t.Context(), user.Identity, app.SubscribeRequest{Price: apptest.StandardMonthly, NoTrial: true})
	require.NoError(t, err)
	c := newConsole(t, env, func(o *console.Options) { o.UseCases = useCases })
	organisation := "/console/organisations/" + user.OrganisationID
	page := func() string { return html.UnescapeString(get(c, "/console/transfers", "only-finance").Body.String()) }
	confirm := func(path string, fields url.Values) int {
		w := get(c, path, "only-finance")
		match := tokenPattern.FindStringSubmatch(w.Body.String())
		require.NotNil(t, match, w.Body.String())
		form := url.Values{"token": {match[1]}, "reason": {"customer_request"}, "ticket": {"T-1"}}
		maps.Copy(form, fields)
		return send(c, request(http.MethodPost, path, "only-finance", form)).Code
	}

	require.Contains(t, page(), organisation+"/approve-orders")
	assert.Equal(t, http.StatusSeeOther, confirm(organisation+"/approve-orders", nil))
	assert.Contains(t, page(), "INV-000001")
	organisationPage := html.UnescapeString(get(c, organisation, "only-finance").Body.String())
	assert.Contains(t, organisationPage, "INV-000001")
	assert.NotContains(t, organisationPage, "can’t be read", "the provider saves no payment methods")
	assert.NotContains(t, page(), organisation+"/approve-orders")

	pay := organisation + "/record-payment?invoice=INV-000001"
	assert.Equal(t, http.StatusBadRequest, confirm(pay, url.Values{"amount": {"ten"}, "reference": {"ANZ 1"}}))
	assert.Equal(t, http.StatusSeeOther, confirm(pay, url.Values{"amount": {"10"}, "reference": {"ANZ 1"}}))
	assert.Equal(t, http.StatusConflict, confirm(pay, url.Values{"amount": {"10"}, "reference": {"ANZ 1"}}), "recorded before")
	assert.Contains(t, page(), "$29 AUD owed")
	assert.Equal(t, http.StatusSeeOther, confirm(organisation+"/reverse-transfer?reference=ANZ+1", nil))
	assert.Contains(t, page(), "$39 AUD owed")
	w := get(c, organisation+"/record-refund?invoice=INV-000001", "only-finance")
	assert.Equal(t, http.StatusConflict, w.Code)
	assert.Contains(t, w.Body.String(), "There is nothing to return")
	assert.Equal(t, http.StatusSeeOther, confirm(organisation+"/void-invoice?invoice=INV-000001", nil))
	assert.Contains(t, page(), "No invoice is unpaid.")
	assert.Contains(t, get(c, "/console/transfers?number=INV-000001", "only-finance").Body.String(), "void")
	assert.Contains(t, get(c, "/console/transfers?number=9", "only-finance").Body.String(), "There is no invoice 9.")
	views, err := env.Store.AuditEntries(t.Context(),
		storage.AuditQuery{OrganisationID: user.OrganisationID, Kind: audit.OperatorViewed, Limit: 100})
	require.NoError(t, err)
	assert.NotEmpty(t, views, "a form shows figures of the organisation")
}

func TestTransfers_AreNoPageOfAProviderThatCharges(t *testing.T) {
	c := newConsole(t, apptest.New(t), nil)
	w := get(c, "/console/transfers", "only-finance")
	assert.Equal(t, http.StatusNotFound, w.Code)
	assert.Contains(t, w.Body.String(), "does not collect by invoice")
	assert.NotContains(t, w.Body.String(), `href="/console/transfers"`)
}
