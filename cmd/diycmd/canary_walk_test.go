package diycmd

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const canaryPrice = `"priceId": "professional_yearly", "interval": "yearly", "currency": "AUD"`

// walk is somebody who does all that one can do, and much that one can't.
type walk struct {
	visitor
	server string
	heard  *transcript
}

// flyCanaries registers, verifies, mistypes a password, signs in, pays with a card that asks for
// authentication, changes plan and cards, signs out, and fails in every way there is.
func flyCanaries(t *testing.T, database string) (f flown) {
	t.Helper()
	server := startServer(t, database, "DIY_ADMIN_ADDR=127.0.0.1:0")
	w := walk{visitor: newVisitor(t), server: server.url, heard: &transcript{}}
	w.client.Transport = w.heard

	w.say("GET", "/vc-admin/diy/config.json", "")
	f.verification = w.register()
	w.signIn()
	f.clientSecrets = w.pay()
	w.manage()
	w.fail()
	w.say("GET", "/vc-admin/auth/logout", "")

	f.answers, f.failures, f.cookies = w.heard.answers.String(), w.heard.failures.String(), w.heard.cookies
	f.log = server.said(t)
	f.metrics = newVisitor(t).get("http://" + server.waitFor(t, forOperators) + "/metrics")
	return f
}

// say asks the server and returns its answer.
func (w walk) say(method, path, body string) string {
	w.t.Helper()
	_, answer := w.ask(method, w.server+path, body)
	return answer
}

func (w walk) register() (tokens []string) {
	w.t.Helper()
	form := strings.NewReplacer("Ada", canaryName, "Analytical Engines", canaryOrg, "ada@example.test", canaryEmail,
		"Secret-pass-1", canaryPassword, "+61 2 9000 0000", canaryPhone, "1 Long Road", canaryStreet).Replace(registration)
	w.say("POST", "/vc-admin/signup", form)
	w.say("POST", "/vc-admin/signup", form)
	w.say("POST", "/vc-admin/user-diy/new-user?debug="+canaryHeader, form)
	w.say("POST", "/vc-admin/signup", strings.Replace(form, `"AU"`, `"`+canaryWrong+`"`, 1))
	w.say("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryPassword+`"}`)
	w.say("POST", "/vc-admin/auth/verify/resend", `{"email": "`+canaryEmail+`"}`)
	link, err := url.Parse(w.emailLink(w.server))
	require.NoError(w.t, err)
	w.say("GET", link.String()+"x", "")
	w.say("GET", link.String(), "")
	w.say("GET", link.String(), "")
	return []string{link.Query().Get("token")}
}

func (w walk) signIn() {
	w.t.Helper()
	w.say("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryWrong+`"}`)
	w.say("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryPassword+`", `)
	w.say("POST", "/auth/login", `{"username": ["`+canaryEmail+`"], "password": {"`+canaryPassword+`": 1}}`)
	w.say("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryPassword+`"}`)
	var user struct{ Detail struct{ OrgID string } }
	require.NoError(w.t, json.Unmarshal([]byte(w.say("GET", "/vc-admin/user/detail", "")), &user))
	require.NotEmpty(w.t, user.Detail.OrgID, "signed in")
	w.say("GET", "/vc-admin/org/detail/"+user.Detail.OrgID, "")
}

// pay pays without a trial, and returns the secret that finishes the payment.
func (w walk) pay() (secrets []string) {
	w.t.Helper()
	w.say("POST", "/vc-admin/user-diy/new-customer", `{}`)
	bought := w.say("POST", "/vc-admin/user-diy/subscribe?debug=true", `{`+canaryPrice+`, "paymentMethodId": "`+w.card()+`", "no_trial": true}`)
	var subscription struct {
		LatestInvoice struct {
			PaymentIntent struct {
				ClientSecret string `json:"client_secret"`
			} `json:"payment_intent"`
		} `json:"latest_invoice"`
	}
	require.NoError(w.t, json.Unmarshal([]byte(bought), &subscription))
	require.NotEmpty(w.t, subscription.LatestInvoice.PaymentIntent.ClientSecret, bought)
	return []string{subscription.LatestInvoice.PaymentIntent.ClientSecret}
}

// card makes a card as the card field does, after one with a number and a code that are none.
func (w walk) card() string {
	w.t.Helper()
	w.say("POST", "/dev/payments/payment_methods", `{"card": {"number": "`+canaryNumber+`0", "exp_month": 12, "exp_year": 2040, "cvc": "`+canaryCVC+`"}}`)
	var card struct{ ID string }
	made := w.say("POST", "/dev/payments/payment_methods", `{"card": {"number": "`+canaryNumber+`", "exp_month": 12, "exp_year": 2040, "cvc": "`+canaryCVC[:3]+`"}}`)
	require.NoError(w.t, json.Unmarshal([]byte(made), &card))
	return card.ID
}

func (w walk) manage() {
	w.t.Helper()
	for path, body := range map[string]string{
		"/vc-admin/org/customer":            `{"expand": ["invoice_settings.default_payment_method"]}`,
		"/vc-admin/org/customer/cards/add":  `{"paymentMethodId": "` + w.card() + `", "set_default": true}`,
		"/vc-admin/org/customer/cards/del":  `{"paymentMethodId": "` + canaryNumber + `"}`,
		"/vc-admin/org/customer/edit":       `{"invoice_settings": {"default_payment_method": "` + canaryEmail + `"}}`,
		"/vc-admin/org/subscription/list":   `{"status": "canceled"}`,
		"/vc-admin/org/subscription/update": `{` + canaryPrice + `}`,
	} {
		w.say("POST", path, body)
	}
	w.say("GET", "/vc-admin/org/customer/cards", "")
}

// fail sends canaries where nothing like them belongs.
func (w walk) fail() {
	w.t.Helper()
	secrets := `"` + canaryEmail + ` ` + canaryPassword + ` ` + canaryNumber + ` ` + canaryPhone + `"`
	for _, path := range []string{
		"/auth/login", "/vc-admin/signup", "/vc-admin/user-diy/subscribe", "/vc-admin/org/subscription/list",
		"/vc-admin/webhooks/stripe", "/vc-admin/org/customer/edit", "/nowhere", "/vc-admin/diy/plans",
	} {
		w.say("POST", path, secrets)
		w.say("POST", path, `{"status": `+secrets+`, "username": `+secrets+`, "priceId": `+secrets+`, "customerId": `+secrets+`}`)
		w.say("POST", path, `{"x": "`+strings.Repeat(canaryPassword, 4000)+`"}`)
	}
	w.say("GET", "/vc-admin/org/detail/"+canaryPassword, "")
	w.say("GET", "/"+canaryWrong+"?password="+canaryPassword, "")
	w.say("GET", "/vc-admin/auth/verify?token="+canaryWrong, "")
}

// transcript is what came back, and the cookies that were set on the way.
type transcript struct {
	answers, failures strings.Builder
	cookies           []string
}

// RoundTrip implements http.RoundTripper.
func (h *transcript) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for _, name := range []string{"Referer", "User-Agent", "X-Request-Id", "X-Forwarded-For", "Accept-Language"} {
		r.Header.Set(name, canaryHeader)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	h.note(answer, !strings.HasPrefix(r.URL.Path, "/dev/"))
	return answer, nil
}
