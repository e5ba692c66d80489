package console_test

import (
	"html"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

func TestBillingActions_ActOnceAndAreThenRefusedWithTheReason(t *testing.T) {
	for action, tt := range map[string]struct {
		withTrial   bool
		name, value string // of the field
		times       int
		kind        audit.Kind
		why         string
	}{
		"refund":       {false, "amount", "39.00", 1, audit.OperatorRefunded, "went back to the customer"},
		"extend-trial": {true, "days", "30", 2, audit.OperatorExtendedTrial, "extended by 60 days already"},
		"free-month":   {true, "", "", 3, audit.OperatorGrantedMonth, "3 free months were granted"},
		"end-plan":     {true, "", "", 1, audit.OperatorEndedPlan, "The plan is ending already"},
	} {
		t.Run(action, func(t *testing.T) {
			env := apptest.New(t)
			c, user := newConsole(t, env, nil), env.SignUp("ann")
			if tt.withTrial {
				user.Subscribe(apptest.Visa, apptest.StandardMonthly)
			} else {
				user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
			}
			path := "/console/organisations/" + user.OrganisationID + "/" + action
			for range tt.times {
				page := get(c, path, "olga").Body.String()
				token := tokenPattern.FindStringSubmatch(page)
				require.NotNil(t, token, page)
				form := url.Values{"token": {token[1]}, "reason": {"goodwill"}, "ticket": {"T-1"}, tt.name: {tt.value}}
				for range 2 { // a second click
					w := send(c, request(http.MethodPost, path, "olga", form))
					assert.Equal(t, http.StatusSeeOther, w.Code, w.Body.String())
				}
			}

			entries, err := env.Store.AuditEntries(t.Context(),
				storage.AuditQuery{OrganisationID: user.OrganisationID, Kind: tt.kind, Limit: 10})
			require.NoError(t, err)
			assert.Len(t, entries, tt.times)
			w := get(c, path, "olga")
			assert.Equal(t, http.StatusConflict, w.Code)
			assert.Contains(t, html.UnescapeString(w.Body.String()), tt.why)
		})
	}
}

func TestBillingActions_RefuseTheSecondOfTwoOperatorsWithTheSameFigures(t *testing.T) {
	env := apptest.New(t)
	c, user := newConsole(t, env, nil), env.SignUp("ann")
	user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	path := "/console/organisations/" + user.OrganisationID + "/refund"
	forms := map[string]url.Values{}
	for _, operator := range []string{"olga", "only-finance"} {
		token := tokenPattern.FindStringSubmatch(get(c, path, operator).Body.String())
		forms[operator] = url.Values{"token": {token[1]}, "reason": {"goodwill"}, "ticket": {"T-1"}, "amount": {"10"}}
	}
	assert.Equal(t, http.StatusSeeOther, send(c, request(http.MethodPost, path, "olga", forms["olga"])).Code)
	w := send(c, request(http.MethodPost, path, "only-finance", forms["only-finance"]))
	assert.Equal(t, http.StatusConflict, w.Code)
	assert.Contains(t, w.Body.String(), "The figures have changed")
	assert.Contains(t, w.Body.String(), "AUD 29.00")
}
