package httpapi_test

import (
	"bytes"
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCards_CanBeAddedListedChosenAndDeleted(t *testing.T) {
	_, b := newServerWithUser(t)
	assert.Empty(t, decodeJSON[cardList](b.get("/vc-admin/org/customer/cards")).Data)
	assert.JSONEq(t, `{"data":[]}`, string(b.get("/vc-admin/org/customer/cards").Body))

	visaID := b.addCard("4242424242424242")
	mastercardID := b.addCard("5555555555554444")
	list := decodeJSON[cardList](b.get("/vc-admin/org/customer/cards")).Data
	require.Len(t, list, 2)
	assert.Equal(t, mastercardID, list[0].ID, "the newest card comes first")
	assert.Equal(t, "4444", list[0].Card.Last4)
	assert.Equal(t, mastercardID, b.customer().InvoiceSettings.DefaultPaymentMethod)

	updatedCustomer := decodeJSON[customerDetail](b.setDefaultCard(visaID))
	savedMethod := updatedCustomer.InvoiceSettings.DefaultPaymentMethod.(map[string]any)
	assert.Equal(t, "4242", savedMethod["card"].(map[string]any)["last4"])

	require.Equal(t, http.StatusOK,
		b.post("/vc-admin/org/customer/cards/del", map[string]any{"paymentMethodId": mastercardID}).Status)
	assert.Len(t, decodeJSON[cardList](b.get("/vc-admin/org/customer/cards")).Data, 1)
}

func TestAddCard_ReportsDeclineMessageOfTheProvider(t *testing.T) {
	_, b := newServerWithUser(t)

	res := b.post("/vc-admin/org/customer/cards/add", map[string]any{"paymentMethodId": b.createCard("4000000000000002")})

	res.requireError(http.StatusPaymentRequired, "ERRCARD")
	assert.Equal(t, "Your card was declined.", res.Message)
}

func TestCustomer_ContainsDefaultCardIfExpanded(t *testing.T) {
	_, b := newServerWithUser(t)
	newCustomer := b.customer()
	assert.Nil(t, newCustomer.Currency)
	assert.Equal(t, "AUD", newCustomer.Metadata.Currency)
	assert.Nil(t, newCustomer.InvoiceSettings.DefaultPaymentMethod)
	assert.Equal(t, newCustomer.ID, decodeJSON[customerDetail](b.post("/vc-admin/user-diy/new-customer", nil)).ID,
		"new-customer is idempotent")
	cardID := b.addCard("4242424242424242")

	expandedCustomer := decodeJSON[customerDetail](b.post("/vc-admin/org/customer",
		map[string]any{"expand": []string{"invoice_settings.default_payment_method", "sources"}}))

	assert.Equal(t, map[string]any{
		"id":   cardID,
		"card": map[string]any{"brand": "visa", "last4": "4242", "exp_month": 12.0, "exp_year": 2040.0},
	}, expandedCustomer.InvoiceSettings.DefaultPaymentMethod)
	b.subscribe(subscribeBody(cardID))
	require.NotNil(t, b.customer().Currency)
	assert.Equal(t, "AUD", *b.customer().Currency, "the first subscription sets the currency")
}

// signUpWithOverdueInvoice returns the browser of a user whose first charge after the trial was declined, and a function
// that counts the declined charges.
func (s *testServer) signUpWithOverdueInvoice(t *testing.T) (b *browser, countDeclines func() int) {
	t.Helper()
	var declines atomic.Int64
	s.provider.SetSink(func(_ context.Context, payload []byte, _ string) error {
		if bytes.Contains(payload, []byte(`"invoice.payment_failed"`)) {
			declines.Add(1)
		}
		return nil
	})
	require.NoError(t, s.provider.Start(t.Context()))
	t.Cleanup(func() { _ = s.provider.Stop(context.Background()) })
	countDeclines = func() int {
		require.NoError(t, s.provider.Drain(t.Context()))
		return int(declines.Load())
	}
	b = s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	b.subscribe(subscribeBody(b.createCard("4000000000000341")))
	s.advance(t, 8*24*time.Hour)
	require.Equal(t, "past_due", b.detail().License.Raw.Status)
	return b, countDeclines
}

type invoicePayment struct {
	Status        string
	InvoiceID     string
	Amount        int64
	Currency      string
	Message       string
	PaymentIntent *intent `json:"payment_intent"`
}

// decodeOverduePayment decodes the payment of an overdue invoice in the response to a request that adds or chooses a card.
func decodeOverduePayment(res response) *invoicePayment {
	res.t.Helper()
	require.Equal(res.t, http.StatusOK, res.Status, "%s", res.Body)
	return decodeJSON[struct{ Payment *invoicePayment }](res).Payment
}

func TestAddCard_ReportsPaymentOfOverdueInvoice(t *testing.T) {
	for number, want := range map[string]invoicePayment{
		"5555555555554444": {Status: "paid"},
		"4000000000009995": {Status: "declined", Message: "Your card has insufficient funds."},
		"4000002500003155": {Status: "requires_action", Message: "Your bank wants you to approve this payment."},
	} {
		t.Run(want.Status, func(t *testing.T) {
			s := newTestServer(t)
			b, _ := s.signUpWithOverdueInvoice(t)

			payment := decodeOverduePayment(b.tryAddCard(number))

			require.NotNil(t, payment)
			assert.NotEmpty(t, payment.InvoiceID)
			assert.EqualValues(t, 81600, payment.Amount)
			assert.Equal(t, "AUD", payment.Currency)
			assert.Equal(t, want.Status, payment.Status)
			assert.Equal(t, want.Message, payment.Message)
			assert.Equal(t, want.Status == "requires_action", payment.PaymentIntent != nil)
			wantStatus := map[string]string{"paid": "active", "declined": "past_due", "requires_action": "past_due"}[want.Status]
			assert.Equal(t, wantStatus, b.detail().License.Raw.Status)
			if want.Status == "requires_action" {
				b.confirm(payment.PaymentIntent, "complete")
				assert.Equal(t, "active", b.detail().License.Raw.Status)
			}
		})
	}
}

func TestAddCard_ReportsNoPaymentWithoutOverdueInvoice(t *testing.T) {
	_, b := newServerWithUser(t)

	res := b.tryAddCard("4242424242424242")

	assert.Nil(t, decodeOverduePayment(res))
	assert.Contains(t, string(res.Body), `"payment":null`)
}
