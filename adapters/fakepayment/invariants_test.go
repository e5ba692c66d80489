package fakepayment

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
)

func (r *randomUse) fitsTogether(t *rapid.T) {
	require.NoError(t, r.p.Tick(context.Background()))
	s := r.p.state
	for _, c := range s.customers.rows {
		if c.Default != "" {
			assert.Contains(t, c.Cards, c.Default)
		}
		for _, id := range c.Cards {
			assert.Equal(t, c.ID, s.cards.rows[id].Customer)
		}
		for _, id := range c.Subscriptions {
			assert.Equal(t, c.ID, s.subscriptions.rows[id].Customer)
			assert.NotEmpty(t, c.Currency)
		}
		assert.GreaterOrEqual(t, c.Credit, int64(0))
		assert.LessOrEqual(t, c.Credit, r.received(c.ID), "credit is only given for money received")
	}
	for _, sub := range s.subscriptions.rows {
		r.subscriptionFits(t, sub)
	}
	for _, inv := range s.invoices.rows {
		assert.True(t, inv.Status != invoiceOpen || s.subscriptions.rows[inv.Subscription].Invoice == inv.ID, "only the latest invoice is open")
		assert.Equal(t, inv.Payment == "", inv.Amount == 0)
	}
	assert.Len(t, s.outbox, len(s.events.rows))
}

// received is all that the customer has ever been charged.
func (r *randomUse) received(customerID string) int64 {
	var sum int64
	for _, in := range r.p.state.intents.rows {
		if in.Customer == customerID && in.Status == billing.Succeeded {
			sum += in.Amount
		}
	}
	return sum
}

func (r *randomUse) subscriptionFits(t *rapid.T, s subscription) {
	inv := r.p.state.invoices.rows[s.Invoice]
	waits := r.p.state.intents.rows[inv.Payment].Status
	unfinished := waits == billing.RequiresPaymentMethod || waits == billing.RequiresAction
	switch s.Status {
	case billing.Trialing, billing.Active:
		if s.Pending.Invoice != "" {
			assert.Equal(t, s.Invoice, s.Pending.Invoice)
			assert.Equal(t, invoiceOpen, inv.Status)
			assert.True(t, unfinished, waits)
			break
		}
		assert.NotEqual(t, invoiceOpen, inv.Status)
	case billing.Incomplete, billing.PastDue:
		assert.Equal(t, invoiceOpen, inv.Status)
		assert.True(t, unfinished, waits)
	default:
		assert.Empty(t, s.Pending)
		assert.NotEqual(t, invoiceOpen, inv.Status)
		assert.False(t, unfinished, waits)
		assert.True(t, s.nextAt().IsZero())
		return
	}
	assert.True(t, s.nextAt().After(r.clock.now), "nothing is overdue")
	if s.Setup != "" {
		assert.Equal(t, billing.Trialing, s.Status)
	}
}

// dump is the state as text, whatever the order of its maps.
func dump(t *rapid.T, s *state) []string {
	var rows []string
	for c := range s.each {
		text, err := json.Marshal(c)
		require.NoError(t, err)
		rows = append(rows, string(text))
	}
	slices.Sort(rows)
	return append(append(rows, s.outbox...), strconv.FormatInt(s.numbers, 10))
}
