package httpapi_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// eventSeeds are events, and what looks like one. %s is a customer that there is.
var eventSeeds = []string{
	``, `null`, `[]`, `{}`, `{"object": "event"}`, "\xff", `{"object": "event", "id": "\u0000", "type": "x"}`,
	`{"object": "event", "id": "evt_1", "type": "customer.subscription.updated", "created": 1, "data": {"object": {"id": "sub_1", "customer": "%s"}}}`,
	`{"object": "event", "id": "evt_2", "type": "customer.deleted", "data": {"object": {"id": "%s", "deleted": true}}}`,
	`{"object": "event", "id": "evt_3", "type": "invoice.paid", "created": -9e18, "data": {"object": {"id": "in_1", "customer": {"id": "%s"}}}}`,
	`{"object": "event", "id": "evt_4", "type": "payment_method.attached", "data": {"object": {"id": "pm_1", "customer": "cus_unknown"}}}`,
	`{"object": "event", "id": "evt_5", "type": "unknown", "data": null}`,
}

// Whatever is sent as an event, signed or not, has an answer: no event without its signature, none
// that can't be read, and nothing that the provider would be asked to send again and again.
func FuzzWebhook(f *testing.F) {
	o := newOpenHouse(f)
	customer := o.customerOf(f, fuzzLicensed)
	for _, seed := range eventSeeds {
		if strings.Contains(seed, "%s") {
			seed = fmt.Sprintf(seed, customer)
		}
		f.Add([]byte(seed), "", true)
		f.Add([]byte(seed), "t=1,v1=00", false)
	}
	f.Fuzz(func(t *testing.T, payload []byte, signature string, right bool) {
		wanted := []int{http.StatusForbidden}
		if right {
			signature = fakepayment.Sign(payload, o.clock.Now(), webhookSecret)
			wanted = []int{http.StatusOK, http.StatusBadRequest}
		}
		if len(payload) > 64<<10 {
			wanted = []int{http.StatusRequestEntityTooLarge}
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/vc-admin/webhooks/stripe", bytes.NewReader(payload))
		r.Header["Stripe-Signature"] = []string{signature}
		assert.Contains(t, wanted, o.ask(t, r).StatusCode)
	})
}
