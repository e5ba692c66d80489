package model

import (
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// repeats reports whether the request is one that the running subscription came of, or may have.
func (r subscribe) repeats(o *org, w truth) bool {
	live := w.live()
	return live != nil && slices.Contains(o.makers, r) && live.Price == r.price
}

func (r subscribe) refused(o *org, w truth) []fault.Code {
	switch {
	case r.repeats(o, w) && o.sure:
		return []fault.Code{""}
	case r.repeats(o, w):
		return []fault.Code{"", fault.Conflict}
	case w.live() != nil, w.customer.ID == "", w.currency() != "" && w.currency() != r.price.Currency:
		return []fault.Code{fault.Conflict}
	case r.cardRefused(o, w) != "":
		return []fault.Code{r.cardRefused(o, w)}
	case w.open() != nil && w.open().Price == r.price:
		return []fault.Code{"", fault.RateLimited} // at the fourth charge of the invoice with the card
	}
	return []fault.Code{""}
}

// cardRefused is why the card can't be used, "" when it can.
func (r subscribe) cardRefused(o *org, w truth) fault.Code {
	switch {
	case r.cardID != "":
		return unsavable(o, w, r.cardID)
	case w.nextDefault() == "":
		return fault.Invalid
	}
	return ""
}

func (r subscribe) done(t *rapid.T, h *house, o *org, before truth, reply answer) {
	got, after := reply.sub, h.truth(t, o)
	h.tally["subscribed"]++
	require.NotEmpty(t, after.subs)
	newest := after.subs[0]
	assert.Equal(t, newest.ID, got.ID)
	assert.Equal(t, newest.Status, got.Status)
	assert.Equal(t, r.price, newest.Price)
	if r.repeats(o, before) {
		assert.Equal(t, before.live().ID, got.ID)
		return
	}
	o.makers, o.sure = []subscribe{r}, true
	if before.first(func(s billing.Status) bool { return s == billing.Unpaid }) != nil {
		h.tally["unpaid replaced"]++
		assert.Nil(t, after.first(func(s billing.Status) bool { return s == billing.Unpaid }), "it could come back to life")
	}
	open := before.open()
	continued := open != nil && open.Price == r.price
	if continued {
		assert.Equal(t, open.ID, got.ID)
	} else {
		assert.Len(t, after.subs, len(before.subs)+1)
	}
	cardID := r.cardID
	if cardID == "" {
		cardID = before.nextDefault()
	}
	assert.Equal(t, cardID, after.customer.Default)
	if !continued && !r.noTrial && !before.trialUsed() {
		assert.Equal(t, billing.Trialing, got.Status)
		return
	}
	in, some := after.intents[got.ID]
	if !some {
		assert.Equal(t, billing.Active, got.Status, "the customer's credit has paid for it")
		return
	}
	assert.Equal(t, before.charges(o, cardID), got.Status)
	assert.Equal(t, cardID, in.Card, "the card that was charged")
}
