package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/ports/ratelimit"
)

func TestTryingCardsEnds(t *testing.T) {
	h := newStrictHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	b.from = "203.0.113.7"
	require.Equal(t, http.StatusOK, b.post("/vc-admin/user-diy/new-customer", nil).Status)
	add := func(b *browser) answer {
		return b.post("/vc-admin/org/customer/cards/add", map[string]any{"paymentMethodId": "pm_unknown", "set_default": true})
	}
	for range 20 {
		add(b).refused(http.StatusNotFound, "ERRNOTFOUND")
	}
	add(b).tooOften("180", "3 minutes")

	other := h.member(t, "Moonrise Clinic", "bob@moonrise.example")
	require.Equal(t, http.StatusOK, other.post("/vc-admin/user-diy/new-customer", nil).Status)
	add(other).refused(http.StatusNotFound, "ERRNOTFOUND")
	assert.Equal(t, http.StatusOK, b.get("/vc-admin/org/customer/cards").Status, "looking at them is free")
}

func TestTryingToPayEnds(t *testing.T) {
	h := newStrictHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	price := map[string]any{"priceId": "professional_yearly", "interval": "yearly", "currency": "AUD"}
	for range 10 {
		assert.Equal(t, http.StatusOK, b.post("/vc-admin/user-diy/new-customer", nil).Status)
		b.post("/vc-admin/user-diy/subscribe", price)
		b.post("/vc-admin/org/subscription/update", price)
	}
	for _, path := range []string{"/vc-admin/user-diy/subscribe", "/vc-admin/org/subscription/update"} {
		b.post(path, price).tooOften("120", "2 minutes")
	}
	b.post("/vc-admin/user-diy/new-customer", nil).tooOften("120", "2 minutes")
}

// outOfReach are counters whose database is down.
type outOfReach struct{}

func (outOfReach) Take(context.Context, time.Time, ...ratelimit.Try) (time.Duration, error) {
	return 0, errors.New("connection refused")
}
func (outOfReach) GiveBack(context.Context, time.Time, ...ratelimit.Try) error { return nil }
func (outOfReach) Sweep(context.Context, time.Time) error                      { return nil }

func TestWithoutCountersTheDoorStaysShutAndTheHouseOpen(t *testing.T) {
	b := newStrictHouse(t, outOfReach{}).browser(t)

	for path, body := range map[string]map[string]any{
		"/auth/login":                  {"username": "ada@sunrise.example", "password": password},
		"/vc-admin/signup":             registration("Sunrise Clinic", "ada@sunrise.example"),
		"/vc-admin/auth/verify/resend": {"email": "ada@sunrise.example"},
	} {
		a := b.post(path, body)
		a.refused(http.StatusServiceUnavailable, "ERRPROVIDER")
		assert.Equal(t, "Please try again later!", a.Message)
	}
	for _, path := range []string{"/vc-admin/diy/plans", "/vc-admin/diy/config.json", "/vc-admin/user/detail"} {
		assert.Equal(t, http.StatusOK, b.get(path).Status, path)
	}
}

// forgetful are counters that let everything through and can't give back.
type forgetful struct{ outOfReach }

func (forgetful) Take(context.Context, time.Time, ...ratelimit.Try) (time.Duration, error) {
	return 0, nil
}
func (forgetful) GiveBack(context.Context, time.Time, ...ratelimit.Try) error {
	return errors.New("connection refused")
}

func TestASignInDoesNotFailBecauseItCouldNotBeForgotten(t *testing.T) {
	newStrictHouse(t, forgetful{}).member(t, "Sunrise Clinic", "ada@sunrise.example")
}

// overdueMember is a member whose renewal was declined, and a counter of the provider's declined charges.
func (h *house) overdueMember(t *testing.T) (b *browser, declined func() int) {
	t.Helper()
	var charges atomic.Int64
	h.provider.DeliverTo(func(_ context.Context, payload []byte, _ string) error {
		if bytes.Contains(payload, []byte(`"invoice.payment_failed"`)) {
			charges.Add(1)
		}
		return nil
	})
	require.NoError(t, h.provider.Start(t.Context()))
	t.Cleanup(func() { _ = h.provider.Stop(context.Background()) })
	declined = func() int {
		require.NoError(t, h.provider.Drain(t.Context()))
		return int(charges.Load())
	}
	b = h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	require.Equal(t, http.StatusOK, b.subscribe(yearly(b.card("4000000000000341"))).Status)
	h.advance(t, 8*24*time.Hour)
	require.Equal(t, "past_due", b.detail().Detail.License.Raw.Status)
	return b, declined
}

func (b *browser) setDefault(cardID string) answer {
	b.t.Helper()
	return b.post("/vc-admin/org/customer/edit", map[string]any{"invoice_settings": map[string]any{"default_payment_method": cardID}})
}

func TestEditCustomer_200CallsChargeAnOverdueBillThreeTimes(t *testing.T) {
	h := newHouse(t) // without limits on calls
	b, declined := h.overdueMember(t)
	card := into[customer](b.post("/vc-admin/org/customer", nil)).InvoiceSettings.DefaultPaymentMethod.(string)
	before := declined()

	for range 200 {
		require.Equal(t, http.StatusOK, b.setDefault(card).Status, "the card is the default one all the same")
	}

	assert.Equal(t, before+3, declined())
	card = b.addCard("4000000000000341")
	assert.Equal(t, before+3, declined(), "the same card under another id is the same card")
	h.advance(t, time.Hour)
	b.setDefault(card)
	assert.Equal(t, before+4, declined())
}

func TestEditCustomer_CountsAsAPayment(t *testing.T) {
	h := newStrictHouse(t)
	b, declined := h.overdueMember(t)
	card := into[customer](b.post("/vc-admin/org/customer", nil)).InvoiceSettings.DefaultPaymentMethod.(string)
	h.advance(t, time.Hour)
	before, accepted := declined(), 0

	for range 200 {
		if b.setDefault(card).Status == http.StatusOK {
			accepted++
		}
	}

	assert.Equal(t, 30, accepted)
	assert.Equal(t, before+3, declined())
	b.setDefault(card).tooOften("120", "2 minutes")
	b.post("/vc-admin/org/customer/cards/add", map[string]any{"paymentMethodId": "pm_unknown"}).tooOften("120", "2 minutes")
}

func TestSubscribe_ChargesTheOpenInvoiceThreeTimesAnHourPerCard(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	pay := func(number string) answer {
		body := yearly(b.card(number))
		body["no_trial"] = true
		return b.subscribe(body)
	}
	require.Equal(t, http.StatusOK, pay("4000000000000341").Status, "the first attempt creates the invoice")
	for range 2 {
		require.Equal(t, "incomplete", into[subscription](pay("4000000000000341")).Status)
	}

	refused := pay("4000000000000341")

	refused.refused(http.StatusTooManyRequests, "ERRRATE")
	assert.Contains(t, refused.Message, "another card")
	assert.NotEmpty(t, refused.Header.Get("Retry-After"))
	assert.Equal(t, "active", into[subscription](pay("4242424242424242")).Status, "another card is charged")
}

func TestSubscribe_ChargesALostCardOnce(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	pay := func(number string) answer {
		body := yearly(b.card(number))
		body["no_trial"] = true
		return b.subscribe(body)
	}
	require.Equal(t, http.StatusOK, pay("4000000000000341").Status)
	require.Equal(t, "incomplete", into[subscription](pay("4000000000009987")).Status)

	pay("4000000000009987").refused(http.StatusPaymentRequired, "ERRCARD")

	assert.Equal(t, "active", into[subscription](pay("4242424242424242")).Status, "another card is charged")
}

// One account with many connections reads its cards over and over. It is refused once its share of the
// provider's calls is used, and another organisation's payment goes through.
func TestAFloodOfReadsLeavesTheProviderToOthersPayments(t *testing.T) {
	h := foundations(t, nil)
	h.calls = 16
	h.serve(t, httpapi.Site{Payments: fakePage})
	attacker := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	other := h.member(t, "Moonrise Clinic", "bob@moonrise.example")
	var all sync.WaitGroup
	var read, refused atomic.Int64
	for range 40 {
		all.Go(func() {
			switch a := attacker.get("/vc-admin/org/customer/cards"); a.Status {
			case http.StatusOK:
				read.Add(1)
			case http.StatusTooManyRequests:
				assert.Equal(t, "ERRRATE", a.Name)
				assert.NotEmpty(t, a.Header.Get("Retry-After"))
				refused.Add(1)
			}
		})
	}

	paid := other.subscribe(yearly(other.card("4242424242424242")))

	assert.Equal(t, http.StatusOK, paid.Status, "%s", paid.Body)
	all.Wait()
	assert.Positive(t, read.Load())
	assert.Less(t, read.Load(), int64(16), "about eight at once and one a second")
	assert.EqualValues(t, 40, read.Load()+refused.Load())
}
