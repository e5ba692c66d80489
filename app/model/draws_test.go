package model

import (
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app/flowtest"
)

var numbers = []string{
	flowtest.Visa, flowtest.Mastercard, flowtest.AsksHolder, flowtest.NotSaved, flowtest.NeverCharged,
}

// freshCard is one that a browser has just made.
func (h *house) freshCard(t *rapid.T, o *org) string {
	number := rapid.SampledFrom(numbers).Draw(t, "number")
	o.cards = append(o.cards, card{h.Card(number), number})
	return o.cards[len(o.cards)-1].id
}

// someCard is a fresh card, or one from before.
func (h *house) someCard(t *rapid.T, o *org) string {
	if len(o.cards) == 0 || rapid.Bool().Draw(t, "a fresh card") {
		return h.freshCard(t, o)
	}
	return o.cards[rapid.IntRange(0, len(o.cards)-1).Draw(t, "card")].id
}

func (h *house) someSubscribe(t *rapid.T, o *org) subscribe {
	r := subscribe{price: somePrice(t), noTrial: rapid.Bool().Draw(t, "without trial")}
	if rapid.IntRange(0, 3).Draw(t, "brings a card") > 0 {
		r.cardID = h.someCard(t, o)
	}
	return r
}

// wishes are what a browser may ask for, as often as people do: who has a plan changes it rather
// than buying another.
func (w truth) wishes() []string {
	rare := []string{"pay", "drop", "subscribe", "change", "add", "default", "delete", "customer", "describe"}
	if open := w.openPayment(); open != nil {
		rare = append(rare, "pay", "pay", "pay", "drop", "drop", "drop", "drop")
	}
	if w.live() != nil {
		return append(rare, "change", "change", "change", "change")
	}
	return append(rare, "subscribe", "subscribe", "subscribe")
}

// someRequest is anything that a browser may ask for.
func (h *house) someRequest(t *rapid.T, o *org) request {
	switch rapid.SampledFrom(h.truth(t, o).wishes()).Draw(t, "request") {
	case "subscribe":
		return h.someSubscribe(t, o)
	case "change":
		return change{somePrice(t)}
	case "add":
		return addCard{h.someCard(t, o)}
	case "default":
		return setDefault{h.someCard(t, o)}
	case "delete":
		return deleteCard{h.someCard(t, o)}
	case "pay":
		return h.somePay(t, o)
	case "drop":
		return drop{}
	case "customer":
		return newCustomer{}
	}
	return describe{}
}
