package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// browser is a client with cookies that sends requests as the web app does.
type browser struct {
	t       testing.TB
	server  *testServer
	http    *http.Client
	address string // the client's address; "" for the loopback address
}

type response struct {
	t      testing.TB
	Status int
	Header http.Header
	Body   []byte

	// The fields of an error.
	Name    string            `json:"name"`
	Message string            `json:"message"`
	Fields  map[string]string `json:"fields"`
}

// decodeJSON returns the body of the response.
func decodeJSON[T any](res response) T {
	res.t.Helper()
	var v T
	require.NoError(res.t, json.Unmarshal(res.Body, &v), "%s", res.Body)
	return v
}

func (res response) requireError(status int, name string) {
	res.t.Helper()
	require.Equal(res.t, status, res.Status, "%s", res.Body)
	assert.Equal(res.t, name, res.Name)
	assert.NotEmpty(res.t, res.Message)
}

func (res response) requireRateLimited(retryAfter, wait string) {
	res.t.Helper()
	res.requireError(http.StatusTooManyRequests, "ERRRATE")
	assert.Equal(res.t, retryAfter, res.Header.Get("Retry-After"))
	assert.Equal(res.t, "That was tried too often. Please try again in "+wait+".", res.Message)
}

func (b *browser) get(path string) response { return b.sendValid(http.MethodGet, path, nil) }

func (b *browser) post(path string, body any) response {
	return b.sendValid(http.MethodPost, path, body)
}

// sendValid sends a request that must match openapi.yaml, as must the response.
func (b *browser) sendValid(method, path string, body any) response {
	b.t.Helper()
	r := b.newRequest(method, path, body)
	payload := readAll(b.t, r.Body)
	b.server.api.checkRequest(b.t, r, payload)
	r.Body = io.NopCloser(bytes.NewReader(payload))
	return b.send(r)
}

// newRequest returns a request with everything that XSRF protection requires.
func (b *browser) newRequest(method, path string, body any) *http.Request {
	b.t.Helper()
	var payload []byte
	switch body := body.(type) {
	case nil:
		if method == http.MethodPost {
			payload = []byte("{}")
		}
	case string:
		payload = []byte(body)
	default:
		var err error
		payload, err = json.Marshal(body)
		require.NoError(b.t, err)
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.server.server.URL+path, bytes.NewReader(payload))
	require.NoError(b.t, err)
	if b.address != "" {
		r.Header.Set("X-Forwarded-For", b.address)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Requested-With", "XMLHttpRequest")
		r.Header.Set("X-XSRF-TOKEN", b.xsrfToken())
	}
	return r
}

// send sends a request that may be invalid. The response must match openapi.yaml.
func (b *browser) send(r *http.Request) response {
	b.t.Helper()
	httpResponse, err := b.http.Do(r)
	require.NoError(b.t, err)
	body := readAll(b.t, httpResponse.Body)
	b.server.api.checkResponse(b.t, r, httpResponse, body)
	res := response{t: b.t, Status: httpResponse.StatusCode, Header: httpResponse.Header, Body: body}
	if res.Status >= http.StatusBadRequest && strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		require.NoError(b.t, json.Unmarshal(body, &res))
	}
	return res
}

// xsrfToken returns the XSRF token. If the browser has none, it requests one first.
func (b *browser) xsrfToken() string {
	b.t.Helper()
	if token := b.cookie("XSRF-TOKEN"); token != "" {
		return token
	}
	b.get("/vc-admin/user/detail")
	return b.cookie("XSRF-TOKEN")
}

func (b *browser) cookie(name string) string {
	serverURL, err := url.Parse(b.server.server.URL)
	require.NoError(b.t, err)
	for _, cookie := range b.http.Jar.Cookies(serverURL) {
		if cookie.Name == name {
			return cookie.Value
		}
	}
	return ""
}

func readAll(t testing.TB, body io.ReadCloser) []byte {
	t.Helper()
	if body == nil {
		return nil
	}
	data, err := io.ReadAll(body)
	require.NoError(t, err)
	require.NoError(t, body.Close())
	return data
}

const testPassword = "Correct1horse"

// registrationBody returns a valid body of /vc-admin/signup.
func registrationBody(org, email string) map[string]any {
	return map[string]any{
		"firstName": "Ada", "lastName": "Lovelace", "org": org, "email": email, "password": testPassword,
		"contact": "+61 2 5550 0100",
		"billing_address": map[string]any{
			"line1": "1 Example Street", "line2": "", "country": "AU", "state": "New South Wales",
			"postal_code": "2000", "city": "Sydney",
		},
		"metadata": map[string]any{"currency": "AUD"}, "product": "professional", "interval": "yearly",
	}
}

var verificationLinkPattern = regexp.MustCompile(`http://diy\.test(/vc-admin/auth/verify\?token=\S+)`)

// register signs up and returns the path of the link in the verification email.
func (b *browser) register(org, email string) (link string) {
	b.t.Helper()
	res := b.post("/vc-admin/signup", registrationBody(org, email))
	require.Equal(b.t, http.StatusCreated, res.Status, "%s", res.Body)
	match := verificationLinkPattern.FindStringSubmatch(b.server.deliverMail(b.t))
	require.NotNil(b.t, match, "the email has no link")
	return match[1]
}

func (b *browser) trySignIn(email, password string) response {
	b.t.Helper()
	return b.post("/auth/login", map[string]any{"username": email, "password": password})
}

func (b *browser) signIn(email string) {
	b.t.Helper()
	res := b.trySignIn(email, testPassword)
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
}

// guessPasswords tries wrong passwords and requires that none of the attempts is rate limited.
func (b *browser) guessPasswords(email string, times int) {
	b.t.Helper()
	for i := range times {
		b.trySignIn(email, fmt.Sprintf("Wrong%dhorse", i)).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	}
}

// createCard creates a payment method as the card field does.
func (b *browser) createCard(number string) string {
	b.t.Helper()
	res := b.send(b.newRequest(http.MethodPost, "/dev/payments/payment_methods", map[string]any{
		"card": map[string]any{"number": number, "exp_month": 12, "exp_year": 2040, "cvc": "123"},
	}))
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	return decodeJSON[struct{ ID string }](res).ID
}

func (b *browser) tryAddCard(number string) response {
	b.t.Helper()
	return b.post("/vc-admin/org/customer/cards/add", map[string]any{"paymentMethodId": b.createCard(number), "set_default": true})
}

func (b *browser) addCard(number string) (id string) {
	b.t.Helper()
	res := b.tryAddCard(number)
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	return decodeJSON[struct{ ID string }](res).ID
}

func (b *browser) setDefaultCard(id string) response {
	b.t.Helper()
	return b.post("/vc-admin/org/customer/edit", map[string]any{"invoice_settings": map[string]any{"default_payment_method": id}})
}

func (b *browser) customer() customerDetail {
	b.t.Helper()
	return decodeJSON[customerDetail](b.post("/vc-admin/org/customer", nil))
}

// priceBody returns the body of a request for a plan in AUD.
func priceBody(priceID, interval string) map[string]any {
	return map[string]any{"priceId": priceID, "interval": interval, "currency": "AUD"}
}

// subscribeBody returns a subscribe request for the yearly professional plan.
func subscribeBody(cardID string) map[string]any {
	body := priceBody("professional_yearly", "yearly")
	body["paymentMethodId"] = cardID
	return body
}

func disableTrial(body map[string]any) map[string]any {
	body["no_trial"] = true
	return body
}

func (b *browser) trySubscribe(body map[string]any) response {
	b.t.Helper()
	return b.post("/vc-admin/user-diy/subscribe?debug=true", body)
}

func (b *browser) subscribe(body map[string]any) subscription {
	b.t.Helper()
	res := b.trySubscribe(body)
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	return decodeJSON[subscription](res)
}

func (b *browser) detail() *userDetail {
	b.t.Helper()
	res := b.get("/vc-admin/user/detail")
	require.Equal(b.t, http.StatusOK, res.Status)
	return decodeJSON[struct{ Detail *userDetail }](res).Detail
}
