package console_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/account"
)

func TestPrivacy_ShowsErasuresWithTheirRefusalAndKeptInvoicesByNumber(t *testing.T) {
	env := apptest.New(t)
	user := env.SignUp("ann")
	user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	c := newConsole(t, env, nil)
	assert.Contains(t, get(c, "/console/privacy", "only-privacy").Body.String(), "No erasure is requested.")
	export := get(c, "/console/organisations/"+user.OrganisationID+"/export", "only-privacy")
	assert.Contains(t, export.Header().Get("Content-Disposition"), "attachment")
	assert.Contains(t, export.Body.String(), "organisation.exported")

	other := env.SignUp("bob")
	ctx := operators.WithOperator(t.Context(), operators.CommandLine("olga"))
	_, err := env.App.EraseOrganisation.Do(ctx, other.OrganisationID)
	require.NoError(t, err)
	assert.NotContains(t, get(c, "/console/privacy", "only-privacy").Body.String(), "refused now")
	other.Subscribe(apptest.Visa, apptest.StandardMonthly)
	body := get(c, "/console/privacy", "only-privacy").Body.String()
	assert.Contains(t, body, other.OrganisationID)
	assert.Contains(t, body, "refused now")
	assert.NotContains(t, get(c, "/console/privacy", "only-finance").Body.String(), other.OrganisationID)

	number := env.Invoices(user.Account().CustomerID)[0].Number
	assert.Contains(t, get(c, "/console/privacy?number="+number, "only-finance").Body.String(), "There is no kept invoice")
	user.End()
	env.Advance(40 * 24 * time.Hour)
	env.DeliverEvents()
	_, err = env.App.EraseOrganisation.Do(ctx, user.OrganisationID)
	require.NoError(t, err)
	env.Advance(account.ErasureDelay)
	_, err = env.App.CarryOutErasures.Do(t.Context())
	require.NoError(t, err)
	w := get(c, "/console/privacy?number="+number, "only-finance")
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Contains(t, w.Body.String(), "kept until")
}
