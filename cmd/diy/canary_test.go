package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The canaries: texts so odd that wherever one is found it came from the request that carried it.
const (
	canaryEmail    = "canary-mail@example.test"
	canaryPassword = "Canary-password-7391"
	canaryWrong    = "Canary-wrong-guess-5517"
	canaryPhone    = "+61 2 7391 5517"
	canaryNumber   = "4000002500003155"
	canaryCVC      = "90817"
)

// flown is what the walk left behind: every text the server wrote, by where it wrote it.
type flown struct {
	answers, log, books, database string
	token, clientSecret           string
}

// Nothing secret stays behind, and what names a person stays where it belongs: in the database,
// in letters, and at the payment provider.
func TestSecretsAreNowhereToBeFound(t *testing.T) {
	f := flyCanaries(t)

	for _, secret := range []string{canaryPassword, canaryWrong, canaryNumber, canaryCVC} {
		for name, text := range map[string]string{"answers": f.answers, "log": f.log, "database": f.database, "books": f.books} {
			assert.NotContains(t, text, secret, name)
		}
	}
	for name, text := range map[string]string{"log": f.log} {
		assert.NotContains(t, text, f.token, name) // the letter that carried it is gone from the outbox
		assert.NotContains(t, text, f.clientSecret, name)
	}
	assert.NotContains(t, f.database, f.clientSecret)
	for _, personal := range []string{canaryEmail, canaryPhone, "Canarybird"} {
		assert.NotContains(t, f.log, personal)
		assert.Contains(t, f.database, personal, "the canary flew there, so it would have been found elsewhere")
	}
}

// flyCanaries registers, verifies, mistypes a password, signs in, pays with a card that asks for
// authentication, and fails in several ways.
func flyCanaries(t *testing.T) (f flown) {
	t.Helper()
	folder := t.TempDir()
	server := startServer(t, "sqlite:"+filepath.Join(folder, "diy.db"))
	v := newVisitor(t)
	say := func(path, body string) string {
		_, answer := v.ask(http.MethodPost, server.url+path, body)
		f.answers += answer
		return answer
	}
	v.get(server.url + "/vc-admin/diy/config.json")
	replace := strings.NewReplacer("Ada", "Canarybird", "ada@example.test", canaryEmail, "Secret-pass-1", canaryPassword, "+61 2 9000 0000", canaryPhone)
	form := replace.Replace(registration)
	say("/vc-admin/signup", form)
	say("/vc-admin/signup", form)
	say("/vc-admin/signup", strings.Replace(form, `"AU"`, `"`+canaryWrong+`"`, 1))
	link, err := url.Parse(v.letterLink(server.url))
	require.NoError(t, err)
	f.token = link.Query().Get("token")
	v.get(server.url + link.String())
	say("/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryWrong+`"}`)
	say("/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryPassword+`", `)
	say("/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryPassword+`"}`)
	say("/vc-admin/user-diy/new-customer", `{}`)
	f.clientSecret = subscribeWithCanary(t, say)
	f.read(t, server, folder)
	return f
}

// subscribeWithCanary pays without a trial, and returns the secret that finishes the payment.
func subscribeWithCanary(t *testing.T, say func(path, body string) string) string {
	t.Helper()
	var card struct{ ID string }
	made := say("/dev/payments/payment_methods",
		`{"card": {"number": "`+canaryNumber+`", "exp_month": 12, "exp_year": 2040, "cvc": "`+canaryCVC[:3]+`"}}`)
	require.NoError(t, json.Unmarshal([]byte(made), &card))
	say("/dev/payments/payment_methods", `{"card": {"number": "`+canaryNumber+`0", "exp_month": 12, "exp_year": 2040, "cvc": "`+canaryCVC+`"}}`)
	var subscription struct {
		LatestInvoice struct {
			PaymentIntent struct {
				ClientSecret string `json:"client_secret"`
			} `json:"payment_intent"`
		} `json:"latest_invoice"`
	}
	bought := say("/vc-admin/user-diy/subscribe", `{"priceId": "professional_yearly", "interval": "yearly", "currency": "AUD",
		"paymentMethodId": "`+card.ID+`", "no_trial": true}`)
	require.NoError(t, json.Unmarshal([]byte(bought), &subscription))
	require.NotEmpty(t, subscription.LatestInvoice.PaymentIntent.ClientSecret, bought)
	return subscription.LatestInvoice.PaymentIntent.ClientSecret
}

// read collects what the server wrote. The mailbox is left out: it stands for the people's own.
func (f *flown) read(t *testing.T, server runningServer, folder string) {
	t.Helper()
	f.log = readFile(t, server.log)
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, file := range files {
		text := readFile(t, filepath.Join(folder, file.Name()))
		switch file.Name() {
		case "diy.db", "diy.db-wal", "diy.db-shm":
			f.database += text
		case "diy.db.payments":
			f.books += text
		}
	}
	for name, text := range map[string]string{"log": f.log, "database": f.database, "books": f.books} {
		require.NotEmpty(t, text, name)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
