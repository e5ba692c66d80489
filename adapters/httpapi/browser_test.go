package httpapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// browser is a visitor who does as the web app does.
type browser struct {
	t     testing.TB
	house *house
	http  *http.Client
	from  string // the address, as the proxy in front of the house tells it
}

// answer is what came back.
type answer struct {
	t       testing.TB
	Status  int
	Header  http.Header
	Body    []byte
	Name    string            `json:"name"`
	Message string            `json:"message"`
	Fields  map[string]string `json:"fields"`
}

// into decodes the answer's JSON.
func into[T any](a answer) T {
	a.t.Helper()
	var v T
	require.NoError(a.t, json.Unmarshal(a.Body, &v), "%s", a.Body)
	return v
}

func (b *browser) get(path string) answer { return b.call(http.MethodGet, path, nil) }

func (b *browser) post(path string, body any) answer { return b.call(http.MethodPost, path, body) }

// call sends what the web app sends; the request and the answer must be as described.
func (b *browser) call(method, path string, body any) answer {
	b.t.Helper()
	r := b.request(method, path, body)
	payload := readAll(b.t, r.Body)
	b.house.api.checkRequest(b.t, r, payload)
	r.Body = io.NopCloser(bytes.NewReader(payload))
	return b.send(r)
}

// request is a request with all that unsafe methods need; tests of the guard take things away.
func (b *browser) request(method, path string, body any) *http.Request {
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
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.house.server.URL+path, bytes.NewReader(payload))
	require.NoError(b.t, err)
	if b.from != "" {
		r.Header.Set("X-Forwarded-For", b.from)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Requested-With", "XMLHttpRequest")
		r.Header.Set("X-XSRF-TOKEN", b.token())
	}
	return r
}

// send sends the request as it is; the answer must be as described all the same.
func (b *browser) send(r *http.Request) answer {
	b.t.Helper()
	response, err := b.http.Do(r)
	require.NoError(b.t, err)
	body := readAll(b.t, response.Body)
	b.house.api.checkResponse(b.t, r, response, body)
	a := answer{t: b.t, Status: response.StatusCode, Header: response.Header, Body: body}
	if a.Status >= http.StatusBadRequest && strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") {
		require.NoError(b.t, json.Unmarshal(body, &a))
	}
	return a
}

// token is the XSRF token; like the web app's first call, asking for the configuration brings it.
func (b *browser) token() string {
	b.t.Helper()
	if token := b.cookie("XSRF-TOKEN"); token != "" {
		return token
	}
	b.get("/vc-admin/diy/config.json")
	return b.cookie("XSRF-TOKEN")
}

func (b *browser) cookie(name string) string {
	address, err := url.Parse(b.house.server.URL)
	require.NoError(b.t, err)
	for _, cookie := range b.http.Jar.Cookies(address) {
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

// refused asserts how a request was refused.
func (a answer) refused(status int, name string) {
	a.t.Helper()
	assert.Equal(a.t, status, a.Status, "%s", a.Body)
	assert.Equal(a.t, name, a.Name)
	assert.NotEmpty(a.t, a.Message)
}

const password = "Correct1horse"

// registration is a form that breaks no rule.
func registration(org, email string) map[string]any {
	return map[string]any{
		"firstName": "Ada", "lastName": "Lovelace", "org": org, "email": email, "password": password,
		"contact": "+61 2 5550 0100",
		"billing_address": map[string]any{
			"line1": "1 Example Street", "line2": "", "country": "AU", "state": "New South Wales",
			"postal_code": "2000", "city": "Sydney",
		},
		"metadata": map[string]any{"currency": "AUD"}, "product": "professional", "interval": "yearly",
	}
}

var verifyLink = regexp.MustCompile(`http://diy\.test(/vc-admin/auth/verify\?token=\S+)`)

// register signs up and returns the link that the e-mail carries.
func (b *browser) register(org, email string) (link string) {
	b.t.Helper()
	a := b.post("/vc-admin/signup", registration(org, email))
	require.Equal(b.t, http.StatusCreated, a.Status, "%s", a.Body)
	found := verifyLink.FindStringSubmatch(b.house.deliverMail(b.t))
	require.NotNil(b.t, found, "the letter has no link")
	return found[1]
}

func (b *browser) signIn(email string) {
	b.t.Helper()
	a := b.post("/auth/login", map[string]any{"username": email, "password": password})
	require.Equal(b.t, http.StatusOK, a.Status, "%s", a.Body)
}

// member is a new browser of somebody who registered, verified and signed in.
func (h *house) member(t testing.TB, org, email string) *browser {
	t.Helper()
	b := h.browser(t)
	require.Equal(t, http.StatusSeeOther, b.get(b.register(org, email)).Status)
	b.signIn(email)
	return b
}

// card makes a payment method as the card field does.
func (b *browser) card(number string) string {
	b.t.Helper()
	r := b.request(http.MethodPost, "/dev/payments/payment_methods", map[string]any{
		"card": map[string]any{"number": number, "exp_month": 12, "exp_year": 2040, "cvc": "123"},
	})
	a := b.send(r)
	require.Equal(b.t, http.StatusOK, a.Status, "%s", a.Body)
	return into[struct{ ID string }](a).ID
}
