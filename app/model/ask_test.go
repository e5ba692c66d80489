package model

import (
	"context"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// reply is what came of a request.
type reply struct {
	answer
	err  error
	died bool // nobody was told anything
}

func (h *house) reply(ctx context.Context, s *app.UseCases, o *org, r request) (out reply) {
	out.died, out.err = inPeace(func() (err error) {
		out.answer, err = r.do(ctx, s, o.who)
		return err
	})
	return out
}

// ask has one request made, perhaps the last one again, perhaps in trouble.
func (h *house) ask(t *rapid.T) {
	o := h.someOrg(t)
	r := o.last
	if r == nil || rapid.IntRange(0, 3).Draw(t, "again") > 0 {
		r = h.someRequest(t, o)
	}
	h.send(t, o, r)
}

// askForMore asks for a change of plan with a default card that is declined.
func (h *house) askForMore(t *rapid.T) {
	o := h.someOrg(t)
	w := h.truth(t, o)
	if w.live() == nil || h.inDoubt(t, o) {
		t.Skip("nothing to change")
	}
	bad := card{h.Card(flowtest.NeverCharged), flowtest.NeverCharged}
	o.cards = append(o.cards, bad)
	_, err := h.Bank.AddCard(t.Context(), payment.NewCard{Key: desk + bad.id, CustomerID: w.customer.ID, CardID: bad.id})
	require.NoError(t, err)
	h.send(t, o, change{somePrice(t)})
}

// send makes the request, perhaps in trouble.
func (h *house) send(t *rapid.T, o *org, r request) {
	before, doubt := h.truth(t, o), h.inDoubt(t, o)
	h.awaitTrouble(t)
	server := h.someServer(t)
	got := h.reply(t.Context(), server, o, r)
	troubled := h.trouble.wasMet()
	h.trouble.arm(nil, 0)
	t.Logf("%s: %v, died: %t, troubled: %t, in doubt: %t", r, got.err, got.died, troubled, doubt)
	h.plausible(t, got, troubled || doubt)
	if troubled || doubt {
		o.mayHaveMade(r)
	} else {
		h.follows(t, o, r, before, got)
	}
	o.last = r
	if dispensable(r) && !troubled && !doubt && rapid.Bool().Draw(t, "the events are lost") {
		h.Arrived()
	}
	h.hear()
}

// mayHaveMade notes what nobody knows for certain.
func (o *org) mayHaveMade(r request) {
	if made, is := r.(subscribe); is {
		o.makers = append(o.makers, made)
	}
	o.sure = false
}

// dispensable reports whether nobody needs to be told what an undisturbed request has done.
func dispensable(r request) bool {
	switch r.(type) {
	case subscribe, change, pay, drop:
		return true
	}
	return false
}

// plausible holds whatever goes on: nothing is ever our own defect, and the provider is only said
// to be in trouble when it is.
func (h *house) plausible(t *rapid.T, got reply, excused bool) {
	code := fault.CodeOf(got.err)
	h.tally.reply(got)
	allowed := []fault.Code{"", fault.Conflict, fault.Declined, fault.NotFound, fault.Invalid, fault.RateLimited}
	if excused {
		allowed = append(allowed, fault.Unavailable)
	}
	assert.Contains(t, allowed, code, "%v", got.err)
}

func (c tally) reply(got reply) {
	switch {
	case got.died:
		c["died"]++
	case got.err != nil:
		c[string(fault.CodeOf(got.err))]++
	}
}
