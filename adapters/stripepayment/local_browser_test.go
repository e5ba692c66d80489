package stripepayment_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// post is what a browser does, with the publishable key.
func (l *localStripe) post(t *testing.T, path string, params url.Values) (int, object) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.URL+path, strings.NewReader(params.Encode()))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+localPublic)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	got, err := l.Client().Do(r)
	require.NoError(t, err)
	defer func() { assert.NoError(t, got.Body.Close()) }()
	var out object
	require.NoError(t, json.NewDecoder(got.Body).Decode(&out))
	return got.StatusCode, out
}

var localNumbers = map[paymenttest.Scenario]string{
	paymenttest.Pays:                "4242424242424242",
	paymenttest.NeedsAuthentication: "4000002500003155",
	paymenttest.DeclinedWhenSaved:   "4000000000000002",
	paymenttest.DeclinedWhenCharged: "4000000000000341",
	paymenttest.InsufficientFunds:   "4000000000009995",
	paymenttest.Lost:                "4000000000009987",
	paymenttest.Expired:             "4000000000000069",
}

func (l *localStripe) makeCard(t *testing.T, s paymenttest.Scenario) (string, error) {
	status, made := l.post(t, "/v1/payment_methods", url.Values{
		"type": {"card"}, "card[number]": {localNumbers[s]}, "card[exp_month]": {"12"}, "card[exp_year]": {"2034"}, "card[cvc]": {"123"},
	})
	if status == http.StatusOK {
		return made["id"].(string), nil
	}
	refused := made["error"].(map[string]any)
	return "", fault.New(fault.Declined, refused["message"].(string))
}

func (l *localStripe) confirm(t *testing.T, secret string, complete bool) billing.IntentStatus {
	t.Helper()
	outcome := "fail"
	if complete {
		outcome = "complete"
	}
	status, after := l.post(t, "/local/authentications/"+secret, url.Values{"outcome": {outcome}})
	require.Equal(t, http.StatusOK, status, after)
	return billing.IntentStatus(after["status"].(string))
}

// deleteCustomer is what somebody does in the dashboard.
func (l *localStripe) deleteCustomer(t *testing.T, id string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, l.URL+"/v1/customers/"+id, http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+testKey)
	got, err := l.Client().Do(r)
	require.NoError(t, err)
	require.NoError(t, got.Body.Close())
	require.Equal(t, http.StatusOK, got.StatusCode)
}

// charged is the amount of the latest invoice, as the machine has it.
func (l *localStripe) charged(t *testing.T, s billing.Subscription) (amount int64) {
	t.Helper()
	require.NotNil(t, s.LatestInvoice)
	require.NoError(t, l.machine.Read(t.Context(), func(b fakepayment.Snapshot) error {
		inv, _ := b.Invoice(s.LatestInvoice.ID)
		amount = inv.Amount
		return nil
	}))
	return amount
}
