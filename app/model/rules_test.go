package model

import (
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// follows wants a request that nothing disturbed to be answered by the rules, given the truth from
// before it.
func (h *house) follows(t *rapid.T, o *org, r request, before truth, got reply) {
	code := fault.CodeOf(got.err)
	require.Contains(t, r.refused(o, before), code, "%v", got.err)
	if code == "" {
		r.done(t, h, o, before, got.answer)
	}
}

func (r addCard) done(t *rapid.T, h *house, o *org, _ truth, _ answer) {
	assert.Equal(t, r.cardID, h.truth(t, o).customer.Default)
}

func (r setDefault) done(t *rapid.T, h *house, o *org, _ truth, got answer) {
	assert.Equal(t, r.cardID, h.truth(t, o).customer.Default)
	assert.Equal(t, r.cardID, got.customer.Default.ID)
}

func (r deleteCard) done(t *rapid.T, h *house, o *org, _ truth, _ answer) {
	assert.NotContains(t, h.truth(t, o).customer.Cards, r.cardID)
}

func (newCustomer) done(t *rapid.T, h *house, o *org, _ truth, got answer) {
	assert.Equal(t, h.truth(t, o).customer.ID, got.customer.ID)
	assert.Equal(t, h.account(t, o).CustomerID, got.customer.ID)
}

func (describe) done(t *rapid.T, h *house, o *org, before truth, got answer) {
	if !o.untold {
		h.licensed(t, before, got.license)
	}
}

func (newCustomer) refused(*org, truth) []fault.Code { return []fault.Code{""} }

func (describe) refused(*org, truth) []fault.Code { return []fault.Code{""} }

func (r setDefault) refused(_ *org, w truth) []fault.Code { return []fault.Code{saved(w, r.cardID)} }

// saved is NotFound for a card that the customer has not saved.
func saved(w truth, cardID string) fault.Code {
	if w.customer.ID == "" || w.known[cardID].Customer != w.customer.ID {
		return fault.NotFound
	}
	return ""
}

func (r addCard) refused(o *org, w truth) []fault.Code {
	if w.customer.ID == "" {
		return []fault.Code{fault.NotFound}
	}
	return []fault.Code{unsavable(o, w, r.cardID)}
}

// unsavable is why a card can't be saved, "" when it can.
func unsavable(o *org, w truth, cardID string) fault.Code {
	_, there := w.known[cardID]
	switch {
	case !there: // deleted, and for good
		return fault.NotFound
	case o.number(cardID) == flowtest.NotSaved:
		return fault.Declined
	}
	return ""
}

func (r deleteCard) refused(_ *org, w truth) []fault.Code {
	if saved(w, r.cardID) == "" && w.customer.Default == r.cardID && w.live() != nil {
		return []fault.Code{fault.Conflict}
	}
	return []fault.Code{saved(w, r.cardID)}
}

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
	case r.cardID != "":
		return []fault.Code{unsavable(o, w, r.cardID)}
	case w.customer.Default == "":
		return []fault.Code{fault.Invalid}
	}
	return []fault.Code{""}
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
	open := before.open()
	continued := open != nil && open.Price == r.price
	if continued {
		assert.Equal(t, open.ID, got.ID)
	} else {
		assert.Len(t, after.subs, len(before.subs)+1)
	}
	cardID := r.cardID
	if cardID == "" {
		cardID = before.customer.Default
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
