package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type billPayment struct {
	Status        string
	InvoiceID     string
	Amount        int64
	Currency      string
	Message       string
	PaymentIntent *intent `json:"payment_intent"`
}

// paymentOf reads what the answer to adding or choosing a card says about an overdue bill.
func paymentOf(a answer) *billPayment {
	a.t.Helper()
	require.Equal(a.t, http.StatusOK, a.Status, "%s", a.Body)
	return into[struct{ Payment *billPayment }](a).Payment
}

func (b *browser) add(number string) answer {
	b.t.Helper()
	return b.post("/vc-admin/org/customer/cards/add", map[string]any{"paymentMethodId": b.card(number), "set_default": true})
}

func TestAddCard_SaysWhatHappenedToTheOverdueBill(t *testing.T) {
	for number, want := range map[string]billPayment{
		"5555555555554444": {Status: "paid"},
		"4000000000009995": {Status: "declined", Message: "Your card has insufficient funds."},
		"4000002500003155": {Status: "requires_action", Message: "Your bank wants you to approve this payment."},
	} {
		t.Run(want.Status, func(t *testing.T) {
			h := newHouse(t)
			b, _ := h.overdueMember(t)

			got := paymentOf(b.add(number))

			require.NotNil(t, got)
			assert.NotEmpty(t, got.InvoiceID)
			assert.EqualValues(t, 81600, got.Amount)
			assert.Equal(t, "AUD", got.Currency)
			assert.Equal(t, want.Status, got.Status)
			assert.Equal(t, want.Message, got.Message)
			assert.Equal(t, want.Status == "requires_action", got.PaymentIntent != nil)
			status := map[string]string{"paid": "active", "declined": "past_due", "requires_action": "past_due"}[want.Status]
			assert.Equal(t, status, b.detail().Detail.License.Raw.Status)
		})
	}
}

func TestAddCard_IntentOfTheOverdueBillCanBeConfirmed(t *testing.T) {
	h := newHouse(t)
	b, _ := h.overdueMember(t)
	got := paymentOf(b.add("4000002500003155"))
	require.NotNil(t, got.PaymentIntent)

	confirmed := b.send(b.request(http.MethodPost, "/dev/payments/intents/"+got.PaymentIntent.ClientSecret+"/confirm",
		map[string]any{"outcome": "complete"}))

	require.Equal(t, http.StatusOK, confirmed.Status, "%s", confirmed.Body)
	assert.Equal(t, "active", b.detail().Detail.License.Raw.Status)
}

func TestEditCustomer_SaysWhatHappenedToTheOverdueBill(t *testing.T) {
	h := newHouse(t)
	b, _ := h.overdueMember(t)
	card := into[customer](b.post("/vc-admin/org/customer", nil)).InvoiceSettings.DefaultPaymentMethod.(string)

	for range 3 {
		got := paymentOf(b.setDefault(card))
		require.NotNil(t, got)
		assert.Equal(t, "declined", got.Status)
		assert.Equal(t, "Your card was declined.", got.Message)
	}

	limited := paymentOf(b.setDefault(card))
	require.NotNil(t, limited)
	assert.Equal(t, "failed", limited.Status, "it was not tried")
	assert.Contains(t, limited.Message, "tried too often")
}

func TestAddCard_WithoutAnOverdueBillSaysNothing(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")

	added := b.add("4242424242424242")

	assert.Nil(t, paymentOf(added))
	assert.Contains(t, string(added.Body), `"payment":null`)
}

// A plan change is only paid on request: choosing a card is none.
func TestAddCard_DoesNotPayAPendingPlanChange(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	body := map[string]any{"priceId": "standard_yearly", "interval": "yearly", "currency": "AUD", "no_trial": true,
		"paymentMethodId": b.card("4242424242424242")}
	require.Equal(t, "active", into[subscription](b.subscribe(body)).Status)
	b.addCard("4000000000000341")
	change := map[string]any{"priceId": "professional_yearly", "interval": "yearly", "currency": "AUD"}
	require.Equal(t, "incomplete", into[subscription](b.post("/vc-admin/org/subscription/update", change)).Status)

	added := b.add("5555555555554444")

	assert.Nil(t, paymentOf(added))
	license := b.detail().Detail.License
	assert.Equal(t, "standard", license.Raw.Metadata.Name)
	assert.Nil(t, paymentOf(b.setDefault(into[struct{ ID string }](added).ID)))
	assert.Equal(t, "standard", b.detail().Detail.License.Raw.Metadata.Name)
}
