package stripepayment_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

func TestARefusedKeyIsToldFromAnOutage(t *testing.T) {
	cases := map[string]struct {
		status  int
		body    string
		refused bool
	}{
		"no such key":     {http.StatusUnauthorized, `{"error": {"type": "invalid_request_error", "message": "Invalid API Key provided"}}`, true},
		"may not do that": {http.StatusForbidden, `{"error": {"type": "invalid_request_error", "message": "The provided key does not have the required permissions"}}`, true},
		"something else":  {http.StatusForbidden, `<html>Blocked by your proxy</html>`, false},
		"an outage":       {http.StatusServiceUnavailable, `{"error": {"type": "api_error"}}`, false},
		"a bad request":   {http.StatusBadRequest, `{"error": {"type": "invalid_request_error"}}`, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			stripe := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, err := w.Write([]byte(c.body))
				assert.NoError(t, err)
			}))
			t.Cleanup(stripe.Close)
			provider, err := stripepayment.New(stripepayment.Config{
				SecretKey: "sk_test_1", APIURL: stripe.URL, Catalogue: catalogue.Default(), Clock: systemclock.New(), Backoff: time.Millisecond,
			})
			require.NoError(t, err)

			_, err = provider.Check(t.Context())

			require.Error(t, err)
			assert.Equal(t, c.refused, errors.Is(err, payment.ErrKeyRefused))
		})
	}
}
