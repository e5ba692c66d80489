package model

import (
	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
)

// holds is what is true at every moment, whoever is in the middle of what.
func (h *house) holds(t *rapid.T) {
	assert.Empty(t, h.watch.noted())
	for _, o := range h.orgs {
		w := h.truth(t, o)
		assert.LessOrEqual(t, len(w.customers), 1, "customers of an organisation")
		assert.LessOrEqual(t, w.customer.Credit, w.received, "credit is only given for money received")
		live, trials := 0, 0
		for _, sub := range w.subs {
			assert.Equal(t, w.currency(), sub.Price.Currency)
			if sub.Status.Live() {
				live++
			}
			if !sub.TrialEnd.IsZero() {
				trials++
			}
			h.invoicesHold(t, w, sub)
		}
		assert.LessOrEqual(t, live, 1, "live subscriptions of an organisation")
		assert.LessOrEqual(t, trials, 1, "trials of an organisation")
	}
}

// invoicesHold wants no instant at which a subscription was charged twice, but for changes of plan.
func (h *house) invoicesHold(t *rapid.T, w truth, sub billing.Subscription) {
	open := 0
	for _, inv := range w.invoices[sub.ID] {
		assert.Equal(t, w.currency(), inv.Currency)
		if inv.Status == "open" {
			open++
		}
	}
	assert.LessOrEqual(t, open, 1, "open invoices of a subscription")
}
