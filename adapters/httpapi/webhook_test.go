package httpapi_test

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

func TestWebhook_ChecksSignatureAtPathOfTheProvider(t *testing.T) {
	for _, web := range []plugin.WebConfig{fakeProviderWeb, {Name: "other", WebhookPath: "other-path"}} {
		s := newTestServerWithSite(t, httpapi.Site{Payments: web})
		const payload = `{"no": "event"}`
		deliver := func(header string) int {
			url := s.server.URL + "/vc-admin/webhooks/" + web.WebhookPath
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(payload))
			require.NoError(t, err)
			r.Header.Set(header, fakepayment.Sign([]byte(payload), s.clock.Now(), webhookSecret))
			res, err := s.server.Client().Do(r)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			return res.StatusCode
		}
		assert.Equal(t, http.StatusBadRequest, deliver(fakepayment.SignatureHeader), "the signature is valid, but the body is not an event")
		assert.Equal(t, http.StatusForbidden, deliver("Other-Signature"))
	}
}

func TestWebhook_AcceptsEventsUpTo512KiB(t *testing.T) {
	s := newTestServer(t)
	send := func(size int) response {
		event := `{"id": "evt_` + strconv.Itoa(size) + `", "object": "event", "type": "invoice.paid", "padding": "", ` +
			`"data": {"object": {"id": "in_1", "customer": "cus_unknown"}}}`
		event = strings.Replace(event, `"padding": "`, `"padding": "`+strings.Repeat("x", size-len(event)), 1)
		b := s.newBrowser(t)
		r := b.newRequest(http.MethodPost, "/vc-admin/webhooks/stripe", event)
		r.Header.Set("Stripe-Signature", fakepayment.Sign([]byte(event), s.clock.Now(), webhookSecret))
		return b.send(r)
	}

	assert.Equal(t, http.StatusOK, send(65<<10).Status)
	assert.Equal(t, http.StatusOK, send(512<<10).Status)
	send(512<<10+1).requireError(http.StatusRequestEntityTooLarge, "ERRTOOLARGE")
}

// deliveryProvider stores the last delivery.
type deliveryProvider struct {
	payment.Provider
	delivery *payment.Delivery
}

func (p deliveryProvider) ParseEvents(_ context.Context, d payment.Delivery) ([]payment.Event, error) {
	*p.delivery = d
	return nil, nil
}

func TestWebhook_PassesTheQueryOfItsURLToTheProvider(t *testing.T) {
	s := newUnstartedServer(t, nil)
	var delivery payment.Delivery
	s.wrapProvider = func(p payment.Provider) payment.Provider { return deliveryProvider{p, &delivery} }
	s.start(t, httpapi.Site{Payments: fakeProviderWeb})
	const path = "/vc-admin/webhooks/stripe?key=gpay_1&page=2"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.server.URL+path, strings.NewReader("id=tr_1"))
	require.NoError(t, err)

	res, err := s.server.Client().Do(r)

	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, url.Values{"key": {"gpay_1"}, "page": {"2"}}, delivery.Query)
	assert.Equal(t, "id=tr_1", string(delivery.Body))
}

func TestNew_FailsIfProviderWithEventsHasNoWebhookPath(t *testing.T) {
	_, err := httpapi.New(httpapi.Options{})
	assert.ErrorContains(t, err, "no webhook path")
}
