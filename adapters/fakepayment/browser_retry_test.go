package fakepayment_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// declinedPayment is a first payment that was declined: the subscription and the path to confirm it.
func declinedPayment(t *testing.T, w *world) (billing.Subscription, string) {
	t.Helper()
	s := subscribe(t, w.Provider, payer(t, w.Provider, declining), "standard_yearly", 0)
	return s, "/intents/" + s.LatestInvoice.Payment.ClientSecret + "/confirm"
}

func TestBrowserTriesAgainWithTheDefaultCard(t *testing.T) {
	w := newWorld(t)
	s, path := declinedPayment(t, w)
	giveCard(t, w.Provider, s.CustomerID, good)

	status, body := call(t, w.Provider, "POST", path, `{}`)

	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "succeeded", body["status"])
	assert.Equal(t, billing.Active, read(t, w.Provider, s.ID).Status)
}

func TestBrowserHearsOfADeclineWithTheIntent(t *testing.T) {
	for number, want := range map[string]map[string]any{
		declining:          {"code": "card_declined", "decline_code": "generic_decline", "message": "Your card was declined."},
		"4000000000009995": {"code": "card_declined", "decline_code": "insufficient_funds", "message": "Your card has insufficient funds."},
	} {
		w := newWorld(t)
		s, path := declinedPayment(t, w)
		giveCard(t, w.Provider, s.CustomerID, number)

		status, body := call(t, w.Provider, "POST", path, `{}`)

		assert.Equal(t, http.StatusPaymentRequired, status)
		found := body["error"].(map[string]any)
		after := found["payment_intent"].(map[string]any)
		assert.Equal(t, s.LatestInvoice.Payment.ID, after["id"])
		assert.Equal(t, "requires_payment_method", after["status"])
		delete(found, "payment_intent")
		want["type"] = "card_error"
		assert.Equal(t, want, found)
		assert.Equal(t, want, after["last_payment_error"])
	}
}

func TestBrowserBringsACardAlong(t *testing.T) {
	w := newWorld(t)
	s, path := declinedPayment(t, w)
	made, err := w.CreatePaymentMethod(t.Context(), entry(asking))
	require.NoError(t, err)

	_, body := call(t, w.Provider, "POST", path, `{"payment_method":"`+made.ID+`"}`)
	require.Equal(t, "requires_action", body["status"])
	cards, err := w.Cards(t.Context(), s.CustomerID)
	require.NoError(t, err)
	require.Len(t, cards, 1, "it has not paid yet")

	_, body = call(t, w.Provider, "POST", path, `{"outcome":"complete"}`)
	assert.Equal(t, "succeeded", body["status"])
	cards, err = w.Cards(t.Context(), s.CustomerID)
	require.NoError(t, err)
	assert.Equal(t, []billing.PaymentMethod{made, cards[1]}, cards)
}

func TestBrowserBringsACardThatIsDeclined(t *testing.T) {
	for number, code := range map[string]string{
		"4000000000000002": "card_declined", "4000000000000069": "expired_card", declining: "card_declined",
	} {
		w := newWorld(t)
		s, path := declinedPayment(t, w)
		made, err := w.CreatePaymentMethod(t.Context(), entry(number))
		require.NoError(t, err)
		status, body := call(t, w.Provider, "POST", path, `{"payment_method":"`+made.ID+`"}`)
		assert.Equal(t, http.StatusPaymentRequired, status)
		assert.Equal(t, code, body["error"].(map[string]any)["code"])
		cards, err := w.Cards(t.Context(), s.CustomerID)
		require.NoError(t, err)
		assert.Len(t, cards, 1)
	}
}

func TestBrowserCannotUseAnotherCustomersCard(t *testing.T) {
	w := newWorld(t)
	s, path := declinedPayment(t, w)
	other, err := w.Customer(t.Context(), payer(t, w.Provider, good))
	require.NoError(t, err)
	status, _ := call(t, w.Provider, "POST", path, `{"payment_method":"`+other.Default.ID+`"}`)
	assert.Equal(t, http.StatusNotFound, status)
	assert.Equal(t, billing.Incomplete, read(t, w.Provider, s.ID).Status)
}

func TestBrowserWithoutACard(t *testing.T) {
	w := newWorld(t)
	s, path := declinedPayment(t, w)
	cards, err := w.Cards(t.Context(), s.CustomerID)
	require.NoError(t, err)
	require.NoError(t, w.DeleteCard(t.Context(), payment.SavedCard{Key: newKey(), CustomerID: s.CustomerID, CardID: cards[0].ID}))
	status, body := call(t, w.Provider, "POST", path, `{}`)
	assert.Equal(t, http.StatusPaymentRequired, status)
	assert.Equal(t, "You must provide a payment method.", body["error"].(map[string]any)["message"])
}

func TestBrowserUsesAnotherCardInsteadOfAuthenticating(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, asking), "standard_yearly", 7)
	made, err := w.CreatePaymentMethod(t.Context(), entry(good))
	require.NoError(t, err)
	_, body := call(t, w.Provider, "POST", "/intents/"+s.PendingSetup.ClientSecret+"/confirm", `{"payment_method":"`+made.ID+`"}`)
	assert.Equal(t, "succeeded", body["status"])
	assert.Nil(t, read(t, w.Provider, s.ID).PendingSetup)
}

func TestANewDefaultCardIsTheOneATrialAsksFor(t *testing.T) {
	w := newWorld(t)
	customerID := payer(t, w.Provider, asking)
	s := subscribe(t, w.Provider, customerID, "standard_yearly", 7)

	giveCard(t, w.Provider, customerID, asking)
	second := read(t, w.Provider, s.ID).PendingSetup
	require.NotNil(t, second)
	assert.NotEqual(t, s.PendingSetup.ID, second.ID)
	status, _ := call(t, w.Provider, "POST", "/intents/"+s.PendingSetup.ClientSecret+"/confirm", `{"outcome":"complete"}`)
	assert.Equal(t, http.StatusBadRequest, status, "the old one is of no use")

	giveCard(t, w.Provider, customerID, good)
	assert.Nil(t, read(t, w.Provider, s.ID).PendingSetup)
}
