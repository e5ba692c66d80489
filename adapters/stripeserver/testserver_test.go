package stripeserver_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/domain/catalogue"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const (
	secretKey      = "sk_test_local"
	publishableKey = "pk_test_local"

	prorationBehaviourParam = "proration_behavior" //nolint:misspell // Stripe's spelling
	paymentBehaviourParam   = "payment_behavior"   //nolint:misspell // Stripe's spelling

	visaToken                = "tok_visa"
	declinedChargeToken      = "tok_chargeCustomerFail"
	authenticationCardNumber = "4000002500003155"

	invalidRequestType = "invalid_request_error"
)

type object = map[string]any

// testServer is a fake Stripe API with a clock that the test moves.
type testServer struct {
	*httptest.Server
	t        *testing.T
	server   *stripeserver.Server
	provider *fakepayment.Provider
	clock    *devclock.Clock

	onResponse func(body object) // is called with each response; can be nil
}

// apiResponse is a response with its decoded body.
type apiResponse struct {
	t      *testing.T
	status int
	header http.Header
	body   object
}

func newTestServer(t *testing.T) *testServer {
	t.Helper()
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	provider, err := fakepayment.Open(fakepayment.Config{Clock: clock, Prices: catalogue.Default(), StripeDebitRules: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, provider.Stop(context.Background())) })
	s := &testServer{t: t, server: stripeserver.New(provider, stripeserver.Config{Catalogue: catalogue.Default()}),
		provider: provider, clock: clock}
	s.Server = httptest.NewServer(s.server)
	t.Cleanup(s.CloseClientConnections)
	t.Cleanup(s.Close)
	return s
}

// newServerWithCustomer returns a new server and a customer with a card.
func newServerWithCustomer(t *testing.T) (s *testServer, customerID string) {
	t.Helper()
	s = newTestServer(t)
	customerID, _ = s.newCustomerWithCard(visaToken)
	return s, customerID
}

// send sends a request with the secret key. params alternates names and values; a name that ends with
// a colon is a header.
func (s *testServer) send(method, path string, params ...string) apiResponse {
	s.t.Helper()
	res, err := s.trySend(method, path, params...)
	require.NoError(s.t, err)
	return res
}

// trySend sends a request as send does, but returns an error if there is no response.
func (s *testServer) trySend(method, path string, params ...string) (apiResponse, error) {
	s.t.Helper()
	values, header := url.Values{}, http.Header{"Authorization": {"Bearer " + secretKey}}
	for i := 0; i < len(params); i += 2 {
		if name, isHeader := strings.CutSuffix(params[i], ":"); isHeader {
			header.Set(name, params[i+1])
			continue
		}
		values.Add(params[i], params[i+1])
	}
	requestURL, body := s.URL+path, ""
	if method == http.MethodPost {
		header.Set("Content-Type", "application/x-www-form-urlencoded")
		body = values.Encode()
	} else if len(values) > 0 {
		requestURL += "?" + values.Encode()
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, requestURL, strings.NewReader(body))
	require.NoError(s.t, err)
	r.Header = header
	response, err := s.Client().Do(r)
	if err != nil {
		return apiResponse{}, err
	}
	defer func() { assert.NoError(s.t, response.Body.Close()) }()
	res := apiResponse{t: s.t, status: response.StatusCode, header: response.Header}
	require.NoError(s.t, json.NewDecoder(response.Body).Decode(&res.body))
	if s.onResponse != nil {
		s.onResponse(res.body)
	}
	return res, nil
}

// mustPost sends a POST request that must succeed.
func (s *testServer) mustPost(path string, params ...string) apiResponse {
	s.t.Helper()
	res := s.send("POST", path, params...)
	require.Equal(s.t, http.StatusOK, res.status, "%v", res.body)
	return res
}

// createCard creates a payment method from a token or a card number.
func (s *testServer) createCard(tokenOrNumber string) string {
	s.t.Helper()
	if strings.HasPrefix(tokenOrNumber, "tok_") {
		return s.mustPost("/v1/payment_methods", "type", "card", "card[token]", tokenOrNumber).stringField("id")
	}
	return s.mustPost("/v1/payment_methods", "type", "card",
		"card[number]", tokenOrNumber, "card[exp_month]", "12", "card[exp_year]", "2034", "card[cvc]", "123").
		stringField("id")
}

// newCustomerWithCard creates a customer whose default card has the token or number, and returns their ids.
func (s *testServer) newCustomerWithCard(tokenOrNumber string) (customerID, cardID string) {
	s.t.Helper()
	customerID = s.mustPost("/v1/customers", "email", "ann@clinic.example").stringField("id")
	return customerID, s.addDefaultCard(customerID, tokenOrNumber)
}

func (s *testServer) addDefaultCard(customerID, tokenOrNumber string) (cardID string) {
	s.t.Helper()
	cardID = s.createCard(tokenOrNumber)
	s.mustPost("/v1/payment_methods/"+cardID+"/attach", "customer", customerID)
	s.mustPost("/v1/customers/"+customerID, "invoice_settings[default_payment_method]", cardID)
	return cardID
}

// subscribe subscribes the customer to the standard plan, yearly.
func (s *testServer) subscribe(customerID string, params ...string) apiResponse {
	s.t.Helper()
	return s.mustPost("/v1/subscriptions", append([]string{
		"customer", customerID, "items[0][price]", "price_standard_yearly", "expand[0]", "latest_invoice.confirmation_secret",
		"expand[1]", "latest_invoice.payments", "expand[2]", "pending_setup_intent",
	}, params...)...)
}

// field returns the value at a path of fields and list positions, such as items.data.0.price.
func (r apiResponse) field(path string) any {
	r.t.Helper()
	var value any = r.body
	for step := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case object:
			value = v[step]
		case []any:
			require.Len(r.t, step, 1)
			require.Less(r.t, int(step[0]-'0'), len(v), path)
			value = v[step[0]-'0']
		default:
			return nil
		}
	}
	return value
}

func (r apiResponse) stringField(path string) string {
	r.t.Helper()
	text, ok := r.field(path).(string)
	require.True(r.t, ok, "%s is %v in %v", path, r.field(path), r.body)
	return text
}

// ids returns the ids in a list.
func (r apiResponse) ids() []string {
	r.t.Helper()
	data, _ := r.field("data").([]any)
	ids := make([]string, 0, len(data))
	for _, item := range data {
		ids = append(ids, item.(object)["id"].(string))
	}
	return ids
}

// assertError asserts an error's status, type and code.
func (r apiResponse) assertError(status int, errorType, code string) {
	r.t.Helper()
	assert.Equal(r.t, status, r.status, "%v", r.body)
	assert.Equal(r.t, errorType, r.field("error.type"))
	if code == "" {
		assert.Nil(r.t, r.field("error.code"))
		return
	}
	assert.Equal(r.t, code, r.field("error.code"))
}
