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
	switch {
	case live == nil, live.Price.Currency != r.price.Currency:
		return []fault.Code{fault.Conflict}
	case live.Pending != nil && live.Pending.To == r.price:
		return []fault.Code{payable(w, w.customer.Default), fault.RateLimited} // at the fourth charge with the card
	case live.Pending != nil, live.Price == r.price, live.Status == billing.PastDue:
		return []fault.Code{fault.Conflict}
	}
	return []fault.Code{""}
}

// payable is Invalid for no card at all, which can't pay for anything.
func payable(w truth, cardID string) fault.Code {
	if w.known[cardID].Customer != w.customer.ID {
		return fault.Invalid
	}
	return ""
}

func (r change) done(t *rapid.T, h *house, o *org, before truth, reply answer) {
	got, after := reply.sub, h.truth(t, o)
	was, live := before.live(), after.live()
	require.NotNil(t, live)
	assert.Equal(t, was.ID, live.ID, "in place")
	assert.Equal(t, live.ID, got.ID)
	assert.Len(t, after.subs, len(before.subs))
	in, charged := after.intents[live.ID]
	if charged && (got.Pending != nil || in.Status == billing.Succeeded) {
		assert.Equal(t, before.customer.Default, in.Card, "the card that was charged")
	}
	o.makers = nil
	if got.Pending != nil {
		h.tally["change pending"]++
		assert.NotEqual(t, billing.Active, before.charges(o, before.customer.Default), "the card pays")
		assert.Equal(t, r.price, got.Pending.To)
		h.keeps(t, before, after)
		return
	}
	h.tally["changed"]++
	assert.Equal(t, r.price, live.Price)
	assert.Equal(t, billing.Active, live.Status)
}

// keeps wants a change that was not paid to have left everything as it was: plan, status, period,
// trial and invoices.
func (h *house) keeps(t *rapid.T, before, after truth) {
	was, live := before.live(), after.live()
	assert.Equal(t, was.Price, live.Price)
	assert.Equal(t, was.Status, live.Status)
	assert.Equal(t, was.CurrentPeriodEnd, live.CurrentPeriodEnd)
	assert.Equal(t, was.TrialEnd, live.TrialEnd)
	known := after.invoices[live.ID]
	if was.Pending == nil {
		known = known[1:] // the change's own
	}
	assert.Equal(t, before.invoices[was.ID], known)
}
