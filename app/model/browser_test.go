package model

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/ports/payment"
)

// browser finishes what the bank asks of a card's holder, or tries a payment again.
func (h *house) browser(t *rapid.T) {
	o := h.someOrg(t)
	var secrets []string
	for _, sub := range h.truth(t, o).subs {
		if sub.PendingSetup != nil {
			secrets = append(secrets, sub.PendingSetup.ClientSecret)
		}
		if sub.LatestInvoice != nil && sub.LatestInvoice.Payment != nil {
			secrets = append(secrets, sub.LatestInvoice.Payment.ClientSecret)
		}
	}
	if len(secrets) == 0 {
		t.Skip("nothing to finish")
	}
	_, err := h.Bank.Confirm(t.Context(), fakepayment.Confirmation{
		ClientSecret: rapid.SampledFrom(secrets).Draw(t, "secret"),
		Outcome:      rapid.SampledFrom([]fakepayment.Outcome{fakepayment.NoOutcome, fakepayment.Complete, fakepayment.Fail}).Draw(t, "outcome"),
	})
	if err == nil {
		h.tally["confirmed"]++
	}
	h.hear()
}

// cancelAtTheDesk is what somebody does by hand at the provider. Nobody tells us but an event.
func (h *house) cancelAtTheDesk(t *rapid.T) {
	o := h.someOrg(t)
	live := h.truth(t, o).live()
	if live == nil {
		t.Skip("nothing to cancel")
	}
	_, err := h.Bank.CancelSubscription(t.Context(), payment.Cancellation{Key: desk + live.ID, SubscriptionID: live.ID})
	require.NoError(t, err)
	t.Logf("%s is canceled at the desk", live.ID)
	o.untold = true
	h.hear()
}
