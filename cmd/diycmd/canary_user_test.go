package diycmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const canaryPrice = `"priceId": "professional_yearly", "interval": "yearly", "currency": "AUD"`

// canaryUser sends canaries to a server with the requests of a user.
type canaryUser struct {
	browser
	server     string
	transcript *transcript
}

// useCanaries signs up and signs in, with a wrong and the right password. It pays with a card that requires
// authentication, changes plan and cards, sends invalid requests and signs out. It returns what the server wrote.
func useCanaries(t *testing.T, database string) (data writtenData) {
	t.Helper()
	server := startServer(t, database, "DIY_ADMIN_ADDR=127.0.0.1:0")
	u := canaryUser{browser: newBrowser(t), server: server.url, transcript: &transcript{}}
	u.client.Transport = u.transcript

	u.request("GET", "/vc-admin/diy/config.json", "")
	data.verificationTokens = u.register()
	u.signIn()
	data.clientSecrets = u.subscribe()
	u.manageSubscription()
	u.sendInvalidRequests()
	u.request("GET", "/vc-admin/auth/logout", "")

	data.responses, data.errorResponses = u.transcript.responses.String(), u.transcript.errorResponses.String()
	data.cookies = u.transcript.cookies
	server.waitForLog(t, requestLine)
	server.waitForLog(t, workerLine)
	data.log = server.logText(t)
	data.metrics = newBrowser(t).get("http://" + server.waitForLog(t, adminListeningLine) + "/metrics")
	return data
}

// request sends a request and returns the response body.
func (u canaryUser) request(method, path, body string) string {
	u.t.Helper()
	_, response := u.send(method, u.server+path, body)
	return response
}

// register registers, verifies the email, registers again and returns the token of the link.
func (u canaryUser) register() (tokens []string) {
	u.t.Helper()
	form := strings.NewReplacer("Ada", canaryName, "Analytical Engines", canaryOrg, "ada@example.test", canaryEmail,
		"Secret-pass-1", canaryPassword, "+61 2 9000 0000", canaryPhone, "1 Long Road", canaryStreet).Replace(registration)
	u.request("POST", "/vc-admin/signup", form)
	u.request("POST", "/vc-admin/signup", strings.Replace(form, `"AU"`, `"`+canaryGuess+`"`, 1))
	u.request("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryPassword+`"}`)
	u.request("POST", "/vc-admin/auth/verify/resend", `{"email": "`+canaryEmail+`"}`)
	link, err := url.Parse(u.waitForVerificationPath(u.server))
	require.NoError(u.t, err)
	u.request("GET", link.String()+"x", "")
	u.request("GET", link.String(), "")
	u.request("GET", link.String(), "")
	u.request("POST", "/vc-admin/signup", form)
	u.request("POST", "/vc-admin/user-diy/new-user?debug="+canaryHeader, form)
	return []string{link.Query().Get("token")}
}

// signIn signs in after failed attempts.
func (u canaryUser) signIn() {
	u.t.Helper()
	u.request("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryGuess+`"}`)
	u.request("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryPassword+`", `)
	u.request("POST", "/auth/login", `{"username": ["`+canaryEmail+`"], "password": {"`+canaryPassword+`": 1}}`)
	u.request("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryPassword+`"}`)
	var user struct{ Detail struct{ OrgID string } }
	require.NoError(u.t, json.Unmarshal([]byte(u.request("GET", "/vc-admin/user/detail", "")), &user))
	require.NotEmpty(u.t, user.Detail.OrgID, "signed in")
	u.request("GET", "/vc-admin/org/detail/"+user.Detail.OrgID, "")
}

// subscribe subscribes without a trial and returns the client secret of the payment.
func (u canaryUser) subscribe() (secrets []string) {
	u.t.Helper()
	u.request("POST", "/vc-admin/user-diy/new-customer", `{}`)
	response := u.request("POST", "/vc-admin/user-diy/subscribe?debug=true",
		`{`+canaryPrice+`, "paymentMethodId": "`+u.createCard()+`", "no_trial": true}`)
	var subscription struct {
		LatestInvoice struct {
			PaymentIntent struct {
				ClientSecret string `json:"client_secret"`
			} `json:"payment_intent"`
		} `json:"latest_invoice"`
	}
	require.NoError(u.t, json.Unmarshal([]byte(response), &subscription))
	require.NotEmpty(u.t, subscription.LatestInvoice.PaymentIntent.ClientSecret, response)
	return []string{subscription.LatestInvoice.PaymentIntent.ClientSecret}
}

// createCard creates a card as the card field does, after one with an invalid number and code.
func (u canaryUser) createCard() string {
	u.t.Helper()
	createMethod := func(number, cvc string) string {
		return u.request("POST", "/dev/payments/payment_methods",
			`{"card": {"number": "`+number+`", "exp_month": 12, "exp_year": 2040, "cvc": "`+cvc+`"}}`)
	}
	createMethod(canaryCardNumber+"0", canaryCVC)
	var card struct{ ID string }
	require.NoError(u.t, json.Unmarshal([]byte(createMethod(canaryCardNumber, "908")), &card))
	return card.ID
}

// manageSubscription sends the requests about the customer, the cards and the subscription.
func (u canaryUser) manageSubscription() {
	u.t.Helper()
	for path, body := range map[string]string{
		"/vc-admin/org/customer":            `{"expand": ["invoice_settings.default_payment_method"]}`,
		"/vc-admin/org/customer/cards/add":  `{"paymentMethodId": "` + u.createCard() + `", "set_default": true}`,
		"/vc-admin/org/customer/cards/del":  `{"paymentMethodId": "` + canaryCardNumber + `"}`,
		"/vc-admin/org/customer/edit":       `{"invoice_settings": {"default_payment_method": "` + canaryEmail + `"}}`,
		"/vc-admin/org/subscription/list":   `{"status": "canceled"}`,
		"/vc-admin/org/subscription/update": `{` + canaryPrice + `}`,
	} {
		u.request("POST", path, body)
	}
	u.request("GET", "/vc-admin/org/customer/cards", "")
}

// sendInvalidRequests sends canaries in invalid requests.
func (u canaryUser) sendInvalidRequests() {
	u.t.Helper()
	secrets := `"` + canaryEmail + ` ` + canaryPassword + ` ` + canaryCardNumber + ` ` + canaryPhone + `"`
	for _, path := range []string{
		"/auth/login", "/vc-admin/signup", "/vc-admin/user-diy/subscribe", "/vc-admin/org/subscription/list",
		"/vc-admin/webhooks/stripe", "/vc-admin/org/customer/edit", "/nowhere", "/vc-admin/diy/plans",
	} {
		u.request("POST", path, secrets)
		u.request("POST", path,
			`{"status": `+secrets+`, "username": `+secrets+`, "priceId": `+secrets+`, "customerId": `+secrets+`}`)
		u.request("POST", path, `{"x": "`+strings.Repeat(canaryPassword, 4000)+`"}`)
	}
	u.request("GET", "/vc-admin/org/detail/"+canaryPassword, "")
	u.request("GET", "/"+canaryGuess+"?password="+canaryPassword, "")
	u.request("GET", "/vc-admin/auth/verify?token="+canaryGuess, "")
}

// transcript is an http.RoundTripper that adds canaries to requests and records responses and cookies.
type transcript struct {
	responses, errorResponses strings.Builder
	cookies                   []string
}

// RoundTrip implements http.RoundTripper.
func (t *transcript) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for _, name := range []string{"Referer", "User-Agent", "X-Request-Id", "X-Forwarded-For", "Accept-Language"} {
		r.Header.Set(name, canaryHeader)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	t.record(response, !strings.HasPrefix(r.URL.Path, "/dev/"))
	return response, nil
}

// record records the cookies of a response and, if it is public, the response.
func (t *transcript) record(response *http.Response, isPublic bool) {
	body, _ := io.ReadAll(response.Body) // an incomplete body fails the request
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	for _, cookie := range response.Cookies() {
		if cookie.Value != "" {
			t.cookies = append(t.cookies, cookie.Value)
		}
	}
	if !isPublic {
		return
	}
	header := response.Header.Clone()
	header.Del("Set-Cookie")
	line := fmt.Sprintf("%s %v %s\n", response.Status, header, body)
	if response.StatusCode >= http.StatusBadRequest {
		t.errorResponses.WriteString(line)
		return
	}
	t.responses.WriteString(line)
}
