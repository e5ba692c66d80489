package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var standardMonthly = map[string]any{"priceId": "standard_monthly", "interval": "monthly", "currency": "AUD"}

func TestAPlanChangeIsInPlaceAndEndsTheTrial(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	before := into[subscription](b.subscribe(yearly(b.card("4242424242424242"))))

	after := into[subscription](b.post("/vc-admin/org/subscription/update?debug=true", standardMonthly))

	assert.Equal(t, before.ID, after.ID)
	license := b.detail().Detail.License
	assert.Equal(t, "active", license.Raw.Status)
	assert.Equal(t, "standard", license.Raw.Metadata.Name)
	b.post("/vc-admin/org/subscription/update", standardMonthly).refused(http.StatusConflict, "ERRCONFLICT")
}

func TestACustomerKeepsItsCurrency(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	require.Equal(t, http.StatusOK, b.subscribe(yearly(b.card("4242424242424242"))).Status)

	a := b.post("/vc-admin/org/subscription/update",
		map[string]any{"priceId": "standard_monthly", "interval": "monthly", "currency": "usd"})

	a.refused(http.StatusConflict, "ERRCONFLICT")
	assert.Contains(t, a.Message, "AUD")
}

func TestSubscriptionsAreListedByStatus(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	none := b.post("/vc-admin/org/subscription/list", map[string]any{"status": "canceled"})
	assert.JSONEq(t, `{"data":[]}`, string(none.Body))
	sub := into[subscription](b.subscribe(yearly(b.card("4242424242424242"))))

	all := into[struct{ Data []subscription }](b.post("/vc-admin/org/subscription/list", nil))

	require.Len(t, all.Data, 1)
	assert.Equal(t, sub.ID, all.Data[0].ID)
	a := b.send(b.request(http.MethodPost, "/vc-admin/org/subscription/list", `{"status": "paused"}`))
	assert.Equal(t, "ERRVALIDATION", a.Name)
}
