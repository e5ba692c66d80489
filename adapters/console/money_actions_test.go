package console_test

import (
	"cmp"
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/console"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
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

			entries := entriesOf(t, env, user.OrganisationID, tt.kind)
			assert.Len(t, entries, tt.times)
			w := get(c, path, "olga")
			assert.Equal(t, http.StatusConflict, w.Code)
			assert.Contains(t, html.UnescapeString(w.Body.String()), tt.why)
			assert.Contains(t, w.Body.String(), `<a href="/console/organisations/`+user.OrganisationID+`">Back to the organisation</a>`)
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

// failingProvider returns err for refunds while it is not nil, before or after it has made them.
type failingProvider struct {
	apptest.Provider
	err     error
	isAfter bool
}

func (p *failingProvider) Refund(ctx context.Context, req payment.RefundRequest) (billing.Invoice, error) {
	if p.err != nil && !p.isAfter {
		return billing.Invoice{}, p.err
	}
	inv, err := p.Provider.Refund(ctx, req)
	return inv, cmp.Or(p.err, err)
}

func TestRefund_RepeatOfTheFormReturnsTheRefusalOrCompletesTheRequest(t *testing.T) {
	for name, tt := range map[string]struct {
		err           error
		isAfter       bool
		first, repeat int
		refunded      string
	}{
		"refused":     {fault.New(fault.Conflict, "The charge is disputed."), false, http.StatusConflict, http.StatusConflict, "AUD 0.00"},
		"not sent":    {fault.New(fault.Unavailable, "No answer."), false, http.StatusServiceUnavailable, http.StatusSeeOther, "AUD 10.00"},
		"lost answer": {fault.New(fault.Unavailable, "No answer."), true, http.StatusServiceUnavailable, http.StatusSeeOther, "AUD 10.00"},
	} {
		t.Run(name, func(t *testing.T) {
			env := apptest.New(t)
			user := env.SignUp("ann")
			user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
			provider := &failingProvider{Provider: env.Provider}
			c := newConsole(t, env, func(o *console.Options) { o.UseCases = env.NewApp(env.Store, provider) })
			path := "/console/organisations/" + user.OrganisationID + "/refund"
			token := tokenPattern.FindStringSubmatch(get(c, path, "olga").Body.String())[1]
			form := url.Values{"token": {token}, "reason": {"goodwill"}, "ticket": {"T-1"}, "amount": {"10"}}

			provider.err, provider.isAfter = tt.err, tt.isAfter
			assert.Equal(t, tt.first, send(c, request(http.MethodPost, path, "olga", form)).Code)
			provider.err = nil
			for range 2 {
				w := send(c, request(http.MethodPost, path, "olga", form))
				assert.Equal(t, tt.repeat, w.Code, w.Body.String())
				if tt.repeat == http.StatusConflict {
					assert.Contains(t, w.Body.String(), "This action was refused before. Open the form again.")
				}
			}
			assert.Contains(t, get(c, path, "olga").Body.String(), "<dt>Refunded before</dt><dd>"+tt.refunded)
		})
	}
}

func TestPages_ShowTheAgeOfAPendingRequestInWholeSeconds(t *testing.T) {
	env := apptest.New(t)
	user := env.SignUp("ann")
	user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	provider := &failingProvider{Provider: env.Provider, err: fault.New(fault.Unavailable, "No answer.")}
	c := newConsole(t, env, func(o *console.Options) { o.UseCases = env.NewApp(env.Store, provider) })
	organisation := "/console/organisations/" + user.OrganisationID
	token := tokenPattern.FindStringSubmatch(get(c, organisation+"/refund", "olga").Body.String())[1]
	form := url.Values{"token": {token}, "reason": {"goodwill"}, "ticket": {"T-1"}, "amount": {"10"}}
	send(c, request(http.MethodPost, organisation+"/refund", "olga", form))
	env.Advance(6*time.Minute + 300*time.Millisecond)
	for path, age := range map[string]string{
		"/console/attention": `<span class="end figure">6m0s</span>`, "/console/work": `<span class="end figure">6m0s</span>`,
		organisation: "In progress for 6m0s:",
	} {
		assert.Contains(t, get(c, path, "olga").Body.String(), age, path)
	}
}

// actionList returns the list of actions on the page of the organisation.
func actionList(t *testing.T, c *console.Console, organisationID, operator string) string {
	t.Helper()
	_, list, isFound := strings.Cut(get(c, "/console/organisations/"+organisationID, operator).Body.String(), `<ul class="actions">`)
	require.True(t, isFound)
	list, _, _ = strings.Cut(list, "</ul>")
	return html.UnescapeString(list)
}

func TestOrganisation_LinksPossibleActionsAndExplainsTheOthers(t *testing.T) {
	env := apptest.New(t)
	c, trial, paid, none := newConsole(t, env, nil), env.SignUp("ann"), env.SignUp("bob"), env.SignUp("cleo")
	trial.Subscribe(apptest.Visa, apptest.StandardMonthly)
	paid.SubscribeWithoutTrial(apptest.Mastercard, apptest.StandardMonthly)
	all := []string{"extend-trial", "end-plan", "refund", "free-month", "lift-hold", "grant-license", "end-license", "read-again", "end-sessions"}
	for name, tt := range map[string]struct {
		user     *apptest.User
		operator string
		possible []string
		why      []string
	}{
		"a trial": {trial, "olga", []string{"extend-trial", "end-plan", "free-month", "read-again", "end-sessions"}, []string{
			"Nothing was paid", "The organisation is not on hold", "A plan is live. End it first", "There is no developer license",
		}},
		"a paid plan": {
			paid, "olga", []string{"refund", "end-plan", "free-month", "read-again", "end-sessions"}, []string{"There is no running trial"},
		},
		"no plan": {none, "olga", []string{"grant-license", "read-again", "end-sessions"}, []string{
			"There is no running trial", "There is no live plan", "There are no invoices",
		}},
		"without the role": {paid, "sue", []string{"end-plan", "read-again", "end-sessions"}, []string{"You do not have this role"}},
	} {
		t.Run(name, func(t *testing.T) {
			list := actionList(t, c, tt.user.OrganisationID, tt.operator)
			for _, action := range all {
				link := `href="/console/organisations/` + tt.user.OrganisationID + "/" + action + `"`
				assert.Equal(t, slices.Contains(tt.possible, action), strings.Contains(list, link), "%s\n%s", action, list)
			}
			for _, why := range tt.why {
				assert.Contains(t, list, why)
			}
		})
	}
}

func TestOrganisation_LinksTrialsWithTheSameCard(t *testing.T) {
	env := apptest.New(t)
	c, ann, bob := newConsole(t, env, nil), env.SignUp("ann"), env.SignUp("bob")
	const notice = "Another organisation had a trial with the same card"
	ann.Subscribe(apptest.Visa, apptest.StandardMonthly)
	assert.NotContains(t, get(c, "/console/organisations/"+ann.OrganisationID, "sue").Body.String(), notice)
	bob.Subscribe(apptest.Visa, apptest.StandardMonthly)
	env.DeliverEvents()
	page := get(c, "/console/organisations/"+ann.OrganisationID, "sue").Body.String()
	assert.Contains(t, page, notice)
	assert.Contains(t, page, `href="/console/organisations/`+bob.OrganisationID+`"`)
}

// invoiceNumbers returns the numbers of the user's invoices, newest first.
func invoiceNumbers(t *testing.T, env *apptest.Env, user *apptest.User) (numbers []string) {
	t.Helper()
	page, err := env.App.ListInvoices.Do(t.Context(), user.Identity, operators.MaxInvoices, "")
	require.NoError(t, err)
	for _, inv := range page.Invoices {
		numbers = append(numbers, inv.Number)
	}
	return numbers
}

func TestRefund_IsOfTheChosenInvoice(t *testing.T) {
	env := apptest.New(t)
	c, user := newConsole(t, env, nil), env.SignUp("ann")
	user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	env.Advance(32 * 24 * time.Hour)
	env.DeliverEvents()
	numbers := invoiceNumbers(t, env, user)
	require.Len(t, numbers, 2)
	organisation := "/console/organisations/" + user.OrganisationID
	newest := get(c, organisation+"/refund", "olga").Body.String()
	assert.Contains(t, newest, "<dt>Invoice</dt><dd>"+numbers[0])
	link := regexp.MustCompile(`<a href="([^"]+)">` + numbers[1]).FindStringSubmatch(newest)
	require.NotNil(t, link, newest)
	path := html.UnescapeString(link[1])
	assert.Contains(t, html.UnescapeString(get(c, organisation, "olga").Body.String()), `<a class="full" href="`+path+`">Refund</a>`)
	assert.NotContains(t, get(c, organisation, "sue").Body.String(), ">Refund</a>")

	page := get(c, path, "olga").Body.String()
	require.Contains(t, page, "<dt>Invoice</dt><dd>"+numbers[1])
	form := url.Values{
		"token": {tokenPattern.FindStringSubmatch(page)[1]}, "reason": {"goodwill"}, "ticket": {"T-1"}, "amount": {"10"},
	}
	w := send(c, request(http.MethodPost, organisation+"/refund", "olga", form))
	assert.Equal(t, http.StatusConflict, w.Code, "the form of another invoice")
	for range 2 {
		w = send(c, request(http.MethodPost, path, "olga", form))
		assert.Equal(t, http.StatusSeeOther, w.Code, w.Body.String())
	}
	repeated := get(c, path, "olga").Body.String()
	for _, text := range []string{
		"<dt>Goes back to</dt><dd>Visa •••• 4242</dd>", "<dt>Refunded before</dt><dd>AUD 10.00",
		"<dt>Returned by the bank before</dt><dd>AUD 0.00", "<dt>Turned into credit before</dt><dd>AUD 0.00",
		`<nav class="chips" aria-label="Invoice to refund">`,
	} {
		assert.Contains(t, repeated, text)
	}
	entries := entriesOf(t, env, user.OrganisationID, audit.OperatorRefunded)
	require.Len(t, entries, 1)
	assert.Equal(t, numbers[1], entries[0].Data["number"])

	other := env.SignUp("bob")
	other.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	_, query, _ := strings.Cut(path, "?")
	w = get(c, "/console/organisations/"+other.OrganisationID+"/refund?"+query, "olga")
	assert.Equal(t, http.StatusNotFound, w.Code, "an invoice of another organisation")
}

func TestOrganisation_LinksAllRefundsOfTheForm(t *testing.T) {
	env := apptest.New(t)
	c, user := newConsole(t, env, nil), env.SignUp("ann")
	user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	env.Advance(13 * 31 * 24 * time.Hour)
	env.DeliverEvents()
	numbers := invoiceNumbers(t, env, user)
	require.Len(t, numbers, 14)
	organisation := "/console/organisations/" + user.OrganisationID
	assert.Equal(t, 14, strings.Count(get(c, organisation, "olga").Body.String(), ">Refund</a>"))
	assert.Contains(t, get(c, organisation+"/refund", "olga").Body.String(), ">"+numbers[13])
}

func TestDevLicense_IsGrantedAndEnded(t *testing.T) {
	env := apptest.New(t)
	c, user := newConsole(t, env, nil), env.SignUp("ann")
	organisation := "/console/organisations/" + user.OrganisationID
	for _, tt := range []struct {
		action, plan string
		status       int
		license      string
	}{
		{"grant-license", "unknown", http.StatusBadRequest, ""},
		{"grant-license", "professional", http.StatusSeeOther, "professional"},
		{"end-license", "", http.StatusSeeOther, ""},
	} {
		page := get(c, organisation+"/"+tt.action, "only-finance").Body.String()
		token := tokenPattern.FindStringSubmatch(page)
		require.NotNil(t, token, page)
		form := url.Values{"token": {token[1]}, "reason": {"goodwill"}, "ticket": {"T-1"}, "plan": {tt.plan}}
		for range 2 { // a second click
			w := send(c, request(http.MethodPost, organisation+"/"+tt.action, "only-finance", form))
			assert.Equal(t, tt.status, w.Code, w.Body.String())
		}
		license := ""
		if l := user.Organisation().Billing.DevLicense; l != nil {
			license = l.Price.Product
		}
		assert.Equal(t, tt.license, license)
	}
	w := get(c, organisation+"/end-license", "only-finance")
	assert.Equal(t, http.StatusConflict, w.Code)
	assert.Contains(t, w.Body.String(), "There is no developer license")
	assert.Contains(t, get(c, organisation, "olga").Body.String(), "Developer license granted")
}

func TestBillingActions_KeepWhatWasEnteredAfterAMistake(t *testing.T) {
	env := apptest.New(t)
	c, user := newConsole(t, env, nil), env.SignUp("ann")
	user.Subscribe(apptest.Visa, apptest.StandardMonthly)
	path := "/console/organisations/" + user.OrganisationID + "/extend-trial"
	token := tokenPattern.FindStringSubmatch(get(c, path, "sue").Body.String())[1]
	form := url.Values{"token": {token}, "days": {"31"}, "reason": {"goodwill"}, "ticket": {"T-1"}, "note": {"on the phone"}}
	w := send(c, request(http.MethodPost, path, "sue", form))
	assert.Equal(t, http.StatusBadRequest, w.Code)
	for _, text := range []string{
		"Enter 1 to 30 days", `name="days" value="31"`, `value="goodwill" selected`, `value="T-1"`, `value="on the phone"`,
	} {
		assert.Contains(t, w.Body.String(), text)
	}
}

func TestReadAgain_StoresWhatALostEventReported(t *testing.T) {
	env := apptest.New(t)
	c, user := newConsole(t, env, nil), env.SignUp("ann")
	user.Subscribe(apptest.Visa, apptest.StandardMonthly)
	env.Advance(8 * 24 * time.Hour) // the events of the first payment are not delivered
	isActive := func() bool {
		org := user.Organisation()
		return org.Billing.LiveSubscription().Status == billing.Active
	}
	require.False(t, isActive())
	path := "/console/organisations/" + user.OrganisationID + "/read-again"
	token := tokenPattern.FindStringSubmatch(get(c, path, "only-support").Body.String())[1]
	form := url.Values{"token": {token}, "reason": {"service_problem"}, "ticket": {"T-1"}}
	for range 2 { // a second click
		w := send(c, request(http.MethodPost, path, "only-support", form))
		assert.Equal(t, http.StatusSeeOther, w.Code, w.Body.String())
	}
	assert.True(t, isActive())
	entries := entriesOf(t, env, user.OrganisationID, audit.OperatorReadAgain)
	require.Len(t, entries, 1)
	assert.Equal(t, audit.Data{"reason": "service_problem", "ticket": "T-1"}, entries[0].Data)
	assert.Equal(t, audit.Operator("only-support"), entries[0].Actor)
}
