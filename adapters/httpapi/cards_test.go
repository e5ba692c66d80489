package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type cards struct {
	Data []struct {
		ID   string
		Card struct {
			Brand, Last4 string
			ExpMonth     int `json:"exp_month"`
			ExpYear      int `json:"exp_year"`
		}
	}
}

type customer struct {
	ID              string
	Currency        *string
	Metadata        struct{ Currency string }
	InvoiceSettings struct {
		DefaultPaymentMethod any `json:"default_payment_method"`
	} `json:"invoice_settings"`
}

func (b *browser) addCard(number string) (id string) {
	b.t.Helper()
	a := b.post("/vc-admin/org/customer/cards/add", map[string]any{"paymentMethodId": b.card(number), "set_default": true})
	require.Equal(b.t, http.StatusOK, a.Status, "%s", a.Body)
	return into[struct{ ID string }](a).ID
}

func TestCardsAreKeptChosenAndDeleted(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	assert.Empty(t, into[cards](b.get("/vc-admin/org/customer/cards")).Data)
	assert.JSONEq(t, `{"data":[]}`, string(b.get("/vc-admin/org/customer/cards").Body))

	visa := b.addCard("4242424242424242")
	mastercard := b.addCard("5555555555554444")
	listed := into[cards](b.get("/vc-admin/org/customer/cards")).Data
	require.Len(t, listed, 2)
	assert.Equal(t, mastercard, listed[0].ID, "newest first")
	assert.Equal(t, "4444", listed[0].Card.Last4)
	assert.Equal(t, mastercard, into[customer](b.post("/vc-admin/org/customer", nil)).InvoiceSettings.DefaultPaymentMethod)

	edited := into[customer](b.post("/vc-admin/org/customer/edit",
		map[string]any{"invoice_settings": map[string]any{"default_payment_method": visa}}))
	assert.Equal(t, "4242", edited.InvoiceSettings.DefaultPaymentMethod.(map[string]any)["card"].(map[string]any)["last4"])

	require.Equal(t, http.StatusOK, b.post("/vc-admin/org/customer/cards/del", map[string]any{"paymentMethodId": mastercard}).Status)
	assert.Len(t, into[cards](b.get("/vc-admin/org/customer/cards")).Data, 1)
}

func TestTheDefaultCardStaysWhileASubscriptionLives(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	card := b.card("4242424242424242")
	require.Equal(t, http.StatusOK, b.subscribe(yearly(card)).Status)

	b.post("/vc-admin/org/customer/cards/del", map[string]any{"paymentMethodId": card}).
		refused(http.StatusConflict, "ERRCONFLICT")
}

func TestDeleteCard_RefusesTheDefaultCardWhileTheFirstPaymentWaitsForAuthentication(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	card := b.card("4000002500003155")
	body := yearly(card)
	body["no_trial"] = true
	require.Equal(t, "incomplete", into[subscription](b.subscribe(body)).Status)

	b.post("/vc-admin/org/customer/cards/del", map[string]any{"paymentMethodId": card}).
		refused(http.StatusConflict, "ERRCONFLICT")
}

func TestADeclinedCardIsToldInTheProvidersWords(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")

	a := b.post("/vc-admin/org/customer/cards/add", map[string]any{"paymentMethodId": b.card("4000000000000002")})

	a.refused(http.StatusPaymentRequired, "ERRCARD")
	assert.Equal(t, "Your card was declined.", a.Message)
}

func TestCardCallsNeedACard(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	for _, path := range []string{"/vc-admin/org/customer/cards/add", "/vc-admin/org/customer/cards/del", "/vc-admin/org/customer/edit"} {
		a := b.send(b.request(http.MethodPost, path, "{}"))
		assert.Equal(t, http.StatusBadRequest, a.Status)
		assert.Equal(t, "ERRVALIDATION", a.Name)
	}
}

func TestTheCustomersCardIsExpandedOnRequest(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	first := into[customer](b.post("/vc-admin/org/customer", nil))
	assert.Nil(t, first.Currency)
	assert.Equal(t, "AUD", first.Metadata.Currency)
	assert.Nil(t, first.InvoiceSettings.DefaultPaymentMethod)
	card := b.addCard("4242424242424242")

	expanded := into[customer](b.post("/vc-admin/org/customer",
		map[string]any{"expand": []string{"invoice_settings.default_payment_method", "sources"}}))

	assert.Equal(t, map[string]any{
		"id":   card,
		"card": map[string]any{"brand": "visa", "last4": "4242", "exp_month": 12.0, "exp_year": 2040.0},
	}, expanded.InvoiceSettings.DefaultPaymentMethod)
}

func TestTheCustomersCurrencyIsThatOfTheFirstSubscription(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	require.Equal(t, http.StatusOK, b.subscribe(yearly(b.card("4242424242424242"))).Status)

	currency := into[customer](b.post("/vc-admin/org/customer", nil)).Currency

	require.NotNil(t, currency)
	assert.Equal(t, "AUD", *currency)
}

func TestNewCustomerMakesOneHoweverOften(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")

	first := into[customer](b.post("/vc-admin/user-diy/new-customer", nil)).ID

	assert.Equal(t, first, into[customer](b.post("/vc-admin/user-diy/new-customer", nil)).ID)
	assert.Equal(t, first, into[customer](b.post("/vc-admin/org/customer", nil)).ID)
}
