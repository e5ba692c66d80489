package model

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app/flowtest"
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
	if saved(w, r.cardID) == "" && w.customer.Default == r.cardID && (w.live() != nil || w.open() != nil) {
		return []fault.Code{fault.Conflict}
	}
	return []fault.Code{saved(w, r.cardID)}
}
