package fakepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/payment"
)

// A card that was taken off is nobody's any more; whose it was stands beside it, as at Stripe.
func TestADetachedCardTellsWhoseItWas(t *testing.T) {
	w := newWorld(t)
	customerID := payer(t, w.Provider, good)
	card := giveCard(t, w.Provider, customerID, good)
	require.NoError(t, w.DeleteCard(t.Context(), payment.SavedCard{Key: newKey(), CustomerID: customerID, CardID: card.ID}))
	require.NoError(t, w.Drain(t.Context()))

	for _, d := range w.delivered(t) {
		e, err := w.ParseEvent(d.Payload, d.Signature)
		require.NoError(t, err)
		if e.Type == "payment_method.detached" {
			assert.Equal(t, payment.CustomerChanged, e.Kind)
			assert.Equal(t, customerID, e.CustomerID)
			assert.Contains(t, string(d.Payload), `"object":{"id":"`+card.ID+`","object":"payment_method"},"previous_attributes":{"customer":"`+customerID+`"}`)
			assert.Contains(t, string(d.Payload), `"api_version":"2026-03-25.dahlia"`)
			return
		}
	}
	assert.Fail(t, "nothing tells of it")
}
