package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
