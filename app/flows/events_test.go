package flows

import (
	"bytes"
	"encoding/json"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/payment"
)

// paid counts the invoices that were paid so far. A trial's first one, of nothing, is among them.
func (w *world) paid() int {
	w.t.Helper()
	invoices := map[string]bool{}
	for _, payload := range w.Told() {
		var e struct {
			Type string
			Data struct{ Object struct{ ID string } }
		}
		require.NoError(w.t, json.NewDecoder(bytes.NewReader(payload)).Decode(&e))
		if e.Type == "invoice.paid" {
			invoices[e.Data.Object.ID] = true
		}
	}
	return len(invoices)
}

// cancelAtTheProvider is what somebody does by hand at the provider's desk. Nobody tells us.
func (w *world) cancelAtTheProvider(id string) {
	w.t.Helper()
	_, err := w.Bank.CancelSubscription(w.t.Context(), payment.Cancellation{Key: "desk-" + id, SubscriptionID: id})
	require.NoError(w.t, err)
}
