package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/httpapi"
)

// A provider's events arrive under its own name, signed in its own header.
func TestEventsArriveWhereTheProviderSendsThem(t *testing.T) {
	for page, at := range map[[2]string][2]string{
		{}:                           {"stripe", "Stripe-Signature"},
		{"third", "Third-Signature"}: {"third", "Third-Signature"},
	} {
		h := newHouseAt(t, httpapi.Site{Payments: httpapi.PaymentPage{Kind: "fake", EventsArriveFor: page[0], EventSignature: page[1]}})
		const payload = `{"no": "event"}`
		tell := func(header string) int {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.server.URL+"/vc-admin/webhooks/"+at[0], strings.NewReader(payload))
			require.NoError(t, err)
			r.Header.Set(header, fakepayment.Sign([]byte(payload), h.clock.Now(), webhookSecret))
			response, err := h.server.Client().Do(r)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			return response.StatusCode
		}
		assert.Equal(t, http.StatusBadRequest, tell(at[1]), "it is signed, and no event")
		assert.Equal(t, http.StatusForbidden, tell("Other-Signature"))
	}
}
