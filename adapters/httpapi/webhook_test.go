package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/ports/payment"
)

// A provider's events arrive where it says, signed in the header that it says.
func TestEventsArriveWhereTheProviderSendsThem(t *testing.T) {
	for _, page := range []payment.Page{fakePage, {Kind: "third", EventsArriveFor: "thirds", EventSignature: "Third-Signature"}} {
		h := newHouseAt(t, httpapi.Site{Payments: page})
		const payload = `{"no": "event"}`
		tell := func(header string) int {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.server.URL+"/vc-admin/webhooks/"+page.EventsArriveFor, strings.NewReader(payload))
			require.NoError(t, err)
			r.Header.Set(header, fakepayment.Sign([]byte(payload), h.clock.Now(), webhookSecret))
			response, err := h.server.Client().Do(r)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			return response.StatusCode
		}
		assert.Equal(t, http.StatusBadRequest, tell(page.EventSignature), "it is signed, and no event")
		assert.Equal(t, http.StatusForbidden, tell("Other-Signature"))
	}
}

func TestAProviderWhoseEventsCouldNotArriveIsRefused(t *testing.T) {
	for _, page := range []payment.Page{{}, {EventsArriveFor: "third"}, {EventSignature: "Third-Signature"}} {
		_, err := httpapi.New(httpapi.Options{Site: httpapi.Site{Payments: page}})
		assert.ErrorContains(t, err, "where its events arrive")
	}
}
