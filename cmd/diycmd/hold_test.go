package diycmd

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

// newestInvoiceNumber returns the number of the user's newest invoice.
func (b browser) newestInvoiceNumber(server string) string {
	b.t.Helper()
	var list struct {
		Data []struct{ Number string }
	}
	_, response := b.send(http.MethodPost, server+"/vc-admin/org/invoices/list", "{}")
	require.NoError(b.t, json.Unmarshal([]byte(response), &list))
	require.NotEmpty(b.t, list.Data, response)
	return list.Data[0].Number
}

// onlyInvoice returns the invoice of the only subscription at Stripe.
func (p *stripeProxy) onlyInvoice(t *testing.T) (inv fakepayment.InvoiceRecord) {
	t.Helper()
	require.NoError(t, p.provider.Read(t.Context(), func(s fakepayment.Snapshot) error {
		invoices := s.CustomerInvoices(s.Customers()[0].ID)
		require.Len(t, invoices, 1)
		inv = invoices[0]
		return nil
	}))
	return inv
}

const onHoldMessage = "A payment of your organisation is disputed."

func TestHold_OperatorLiftsHoldWhileTheServerRuns(t *testing.T) {
	p := newStripeProxy(t, catalogue.Default())
	env := p.devSettings(t)
	server := startServerWith(t, env).url
	ada := signUp(t, server)
	org := ada.organisationID(server)
	status, body := ada.send(http.MethodPost, server+"/vc-admin/user-diy/subscribe", subscribeBody(p.newCard(t)))
	require.Equal(t, http.StatusOK, status, body)
	assert.Contains(t, runCommand(t, env, 0, "hold", "list"), "no organisation is on hold\n")
	assert.Contains(t, runCommand(t, env, 0, "hold", "show", "--org", org), "Analytical Engines ("+org+") is not on hold\n")
	require.NoError(t, p.provider.OpenDisputeWithoutHold(t.Context(), p.onlyInvoice(t).ID))

	change := `{"priceId": "professional_monthly", "interval": "monthly", "currency": "AUD"}`
	status, body = ada.send(http.MethodPost, server+"/vc-admin/org/subscription/update", change)
	assert.Contains(t, errorMessage(t, http.StatusConflict, status, body), onHoldMessage)
	assert.Regexp(t, `\n`+org+` +disputed +cus_\w+ +Analytical Engines\n`, runCommand(t, env, 0, "hold", "list"))
	output := runCommand(t, env, 0, "hold", "show", "--org", org)
	assert.Contains(t, output, org+") is on hold because a payment was disputed\n")
	assert.Regexp(t, `dispute, open +AUD 39.00 +AUD 0.00 +AUD 0.00 +20`, output)
	assert.Contains(t, runCommand(t, env, 1, "hold", "lift", "--org", org, "--reason", "because", "--ticket", "T-1", "--by", "olga"),
		"Choose a reason")

	output = runCommand(t, env, 0, "hold", "lift", "--org", org, "--reason", "dispute_settled", "--ticket", "T-1",
		"--note", "the bank decided for us", "--by", "olga")

	assert.Contains(t, output, ") is not on hold\n")
	assert.Regexp(t, `UTC +olga +hold lifted +dispute_settled +T-1 +the bank decided for us\n`, output)
	assert.Contains(t, runCommand(t, env, 1, "hold", "lift", "--org", org, "--reason", "other", "--ticket", "T-2"), "The organisation is not on hold.")
	status, body = ada.send(http.MethodPost, server+"/vc-admin/org/subscription/update", change)
	assert.Equal(t, http.StatusOK, status, body)
}

// disputeEnv contains a subscriber on a server, and the number of the paid invoice.
type disputeEnv struct {
	browser
	t      *testing.T
	server string
	org    string
	number string
}

func newDisputeEnv(t *testing.T, p inProcessServer) disputeEnv {
	t.Helper()
	server := "http://" + p.addr
	ada := signUp(t, server)
	e := disputeEnv{browser: ada, t: t, server: server, org: ada.organisationID(server)}
	_, response := ada.send(http.MethodPost, server+"/dev/payments/payment_methods",
		`{"card": {"number": "4242424242424242", "exp_month": 12, "exp_year": 2040, "cvc": "123"}}`)
	var card struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(response), &card), response)
	status, body := ada.send(http.MethodPost, server+"/vc-admin/user-diy/subscribe", subscribeBody(card.ID))
	require.Equal(t, http.StatusOK, status, body)
	e.number = ada.newestInvoiceNumber(server)
	return e
}

// postDispute changes the dispute of the invoice with the number.
func (e disputeEnv) postDispute(number, action string) (status int, body string) {
	return e.send(http.MethodPost, e.server+"/dev/disputes", `{"invoice": "`+number+`", "action": "`+action+`"}`)
}

// changeDispute changes the dispute of the paid invoice and returns the hold of the customer.
func (e disputeEnv) changeDispute(action string) (hold string) {
	e.t.Helper()
	status, body := e.postDispute(e.number, action)
	require.Equal(e.t, http.StatusOK, status, body)
	var response disputeResponse
	require.NoError(e.t, json.Unmarshal([]byte(body), &response))
	return response.Hold
}

// changePlan requests a plan change, which a hold prevents.
func (e disputeEnv) changePlan() (status int, body string) {
	return e.send(http.MethodPost, e.server+"/vc-admin/org/subscription/update",
		`{"priceId": "professional_monthly", "interval": "monthly", "currency": "AUD"}`)
}

func TestHold_FollowsDisputesOfTheFakeProvider(t *testing.T) {
	env := devSettings(t)
	p := startInProcessServer(t, env)
	e := newDisputeEnv(t, p)

	status, body := e.postDispute(e.number, "open")

	assert.Equal(t, http.StatusOK, status, body)
	assert.JSONEq(t, `{"hold": "disputed", "credit": "AUD 0.00", "heldCredit": "AUD 0.00"}`, body)
	status, body = e.changePlan()
	assert.Contains(t, errorMessage(t, http.StatusConflict, status, body), onHoldMessage)
	assert.Equal(t, "disputed", e.changeDispute("lost"))
	assert.Empty(t, e.changeDispute("lift"))
	status, body = e.changePlan()
	assert.Equal(t, http.StatusOK, status, body)
	status, _ = e.postDispute(e.number, "appeal")
	assert.Equal(t, http.StatusBadRequest, status)
	status, _ = e.postDispute("INV-unknown", "open")
	assert.Equal(t, http.StatusNotFound, status)

	assert.Regexp(t, "is in use by another process", runCommand(t, env, 1, "hold", "show", "--org", e.org))
	require.Zero(t, p.stop())
	output := runCommand(t, env, 0, "hold", "show", "--org", e.org)
	assert.Regexp(t, `dispute, lost +AUD 39.00 `, output)
	assert.Regexp(t, `UTC +developer +hold lifted +dispute_settled +none +through /dev/disputes\n`, output)
}

func TestHold_FollowsDisputesOfTheFakeGateway(t *testing.T) {
	env := devSettings(t)
	env["DIY_PAYMENTS"] = "fakegateway"
	e := newDisputeEnv(t, startInProcessServer(t, env))

	assert.Equal(t, "disputed", e.changeDispute("open"))
	status, body := e.changePlan()
	assert.Contains(t, errorMessage(t, http.StatusConflict, status, body), onHoldMessage)
	assert.Empty(t, e.changeDispute("won"), "a won dispute ends the hold")
	_, body = e.send(http.MethodGet, e.server+"/vc-admin/user/detail", "")
	assert.NotContains(t, body, `"hold":"disputed"`, "the copy is refreshed with the response")
	assert.Equal(t, "disputed", e.changeDispute("open"))
	assert.Equal(t, "disputed", e.changeDispute("lost"))
	assert.Empty(t, e.changeDispute("lift"))
	status, body = e.changePlan()
	assert.Equal(t, http.StatusOK, status, body)
	status, _ = e.postDispute(e.number, "appeal")
	assert.Equal(t, http.StatusBadRequest, status)
	for _, number := range []string{"INV-unknown", "FG-unknown", "FG-999999"} {
		status, _ = e.postDispute(number, "open")
		assert.Equal(t, http.StatusNotFound, status, number)
	}
}

func TestDevDisputes_RefusesCrossSiteRequests(t *testing.T) {
	p := startInProcessServer(t, devSettings(t))
	for name, setUp := range map[string]func(*http.Request){
		"a form": func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
		"DNS rebinding": func(r *http.Request) {
			r.Host = "evil.example"
			r.Header.Set("X-Requested-With", "XMLHttpRequest")
		},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+p.addr+"/dev/disputes",
			strings.NewReader(`{"invoice": "A-1", "action": "open"}`))
		require.NoError(t, err)
		setUp(r)

		response, err := httpClient.Do(r)

		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, http.StatusForbidden, response.StatusCode, name)
	}
}

func TestHold_RefusesIncompleteCommands(t *testing.T) {
	for want, args := range map[string][]string{
		"--org is missing":       {"show"},
		"--reason is missing":    {"lift", "--org", "org_1"},
		"--reason is not a flag": {"show", "--org", "org_1", "--reason", "won"},
		`unexpected "forget"`:    {"forget"},
		"no such organisation":   {"show", "--org", "org_1"},
		"no organisation is on":  {"list"},
	} {
		for _, provider := range []string{"fake", "invoice"} {
			env := devSettings(t)
			env["DIY_PAYMENTS"] = provider
			var out strings.Builder
			code := run(t.Context(), env, &out, append([]string{"hold"}, args...)...)
			assert.Contains(t, out.String(), want)
			assert.Equal(t, args[0] == "list", code == 0, want)
		}
	}
}

// With sudo, the user of the operating system is often a service account.
func TestOperatorName_ReturnsTheUserWhoRunsTheCommand(t *testing.T) {
	assert.Equal(t, "olga", newProgram(map[string]string{"SUDO_USER": "olga"}, nil, nil).operatorName())
	assert.NotEmpty(t, newProgram(nil, nil, nil).operatorName())
}
