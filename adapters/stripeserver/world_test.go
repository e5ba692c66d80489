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
	secretKey = "sk_test_local"
	publicKey = "pk_test_local"

	proration = "proration_behavior" //nolint:misspell // Stripe's spelling
	behaviour = "payment_behavior"   //nolint:misspell // Stripe's spelling

	good      = "tok_visa"
	declining = "tok_chargeCustomerFail"
	asking    = "4000002500003155"
)

type object = map[string]any

// stripe is a local Stripe and how to ask it.
type stripe struct {
	*httptest.Server
	t     *testing.T
	face  *stripeserver.Face
	clock *devclock.Clock
}

func newStripe(t *testing.T) *stripe {
	t.Helper()
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	machine, err := fakepayment.Open(fakepayment.Config{Clock: clock, Prices: catalogue.Default()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, machine.Stop(context.Background())) })
	s := &stripe{t: t, face: stripeserver.New(machine, stripeserver.Config{Catalogue: catalogue.Default()}), clock: clock}
	s.Server = httptest.NewServer(s.face)
	t.Cleanup(s.CloseClientConnections)
	t.Cleanup(s.Close)
	return s
}

// ask sends a request with the secret key; params are alternately names and values, and a header
// is a name that ends with a colon.
func (s *stripe) ask(method, path string, params ...string) got {
	s.t.Helper()
	answer, err := s.try(method, path, params...)
	require.NoError(s.t, err)
	return answer
}

func (s *stripe) try(method, path string, params ...string) (got, error) {
	s.t.Helper()
	values, header := url.Values{}, http.Header{"Authorization": {"Bearer " + secretKey}}
	for i := 0; i < len(params); i += 2 {
		if name, is := strings.CutSuffix(params[i], ":"); is {
			header.Set(name, params[i+1])
			continue
		}
		values.Add(params[i], params[i+1])
	}
	address, body := s.URL+path, ""
	if method == http.MethodPost {
		header.Set("Content-Type", "application/x-www-form-urlencoded")
		body = values.Encode()
	} else if len(values) > 0 {
		address += "?" + values.Encode()
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, address, strings.NewReader(body))
	require.NoError(s.t, err)
	r.Header = header
	response, err := s.Client().Do(r)
	if err != nil {
		return got{}, err
	}
	defer func() { assert.NoError(s.t, response.Body.Close()) }()
	out := got{t: s.t, status: response.StatusCode, header: response.Header}
	require.NoError(s.t, json.NewDecoder(response.Body).Decode(&out.body))
	return out, nil
}

// made is the answer to a POST that must succeed.
func (s *stripe) made(path string, params ...string) got {
	s.t.Helper()
	answer := s.ask("POST", path, params...)
	require.Equal(s.t, http.StatusOK, answer.status, "%v", answer.body)
	return answer
}
