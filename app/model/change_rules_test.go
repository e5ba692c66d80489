package model

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func (r change) refused(_ *org, w truth) []fault.Code {
	live := w.live()
	if live == nil || live.Price == r.price || live.Price.Currency != r.price.Currency || live.Status == billing.PastDue {
		return []fault.Code{fault.Conflict}
	}
	return []fault.Code{""}
}

func (r change) done(t *rapid.T, h *house, o *org, before truth, reply answer) {
	got, after := reply.sub, h.truth(t, o)
	h.tally["changed"]++
	o.makers = nil
	live := after.live()
	require.NotNil(t, live)
	assert.Equal(t, before.live().ID, live.ID, "in place")
	assert.Equal(t, live.ID, got.ID)
	assert.Equal(t, r.price, live.Price)
	assert.Len(t, after.subs, len(before.subs))
	in, some := after.intents[live.ID]
	if !some {
		assert.Equal(t, billing.Active, live.Status, "nothing was to be paid")
		return
	}
	want := billing.PastDue
	if before.charges(o, before.customer.Default) == billing.Active {
		want = billing.Active
	}
	assert.Equal(t, want, live.Status)
	assert.Equal(t, before.customer.Default, in.Card, "the card that was charged")
}
