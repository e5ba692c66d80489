package model

import (
	"sync"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// askAtOnce has two requests of one organisation made at the same time, of two servers, and
// perhaps events delivered and a round of settling beside them.
func (h *house) askAtOnce(t *rapid.T) {
	o := h.someOrg(t)
	requests := []request{h.someRequest(t, o), h.someRequest(t, o)}
	if rapid.Bool().Draw(t, "twice the same") {
		requests[1] = requests[0]
	}
	doubt := h.inDoubt(t, o)
	h.awaitTrouble(t)
	replies := make([]reply, len(requests))
	var all sync.WaitGroup
	for i, r := range requests {
		all.Go(func() { replies[i] = h.reply(t.Context(), h.servers[i], o, r) })
	}
	if rapid.Bool().Draw(t, "and settles") {
		all.Go(func() { _, _ = inPeace(func() error { _, err := h.servers[0].Reconcile.Do(t.Context()); return err }) })
	}
	for _, payload := range h.news {
		all.Go(func() {
			_, _ = inPeace(func() error { return h.servers[1].ReceiveEvent.Do(t.Context(), payload, h.Signed(payload)) })
		})
	}
	all.Wait()
	troubled := h.trouble.wasMet()
	h.trouble.arm(nil, 0)
	for i, got := range replies {
		t.Logf("at once: %s: %v, died: %t, troubled: %t, in doubt: %t", requests[i], got.err, got.died, troubled, doubt)
		h.plausible(t, got, troubled || doubt)
	}
	o.last = requests[0]
	o.mayHaveMade(requests[0])
	o.mayHaveMade(requests[1])
	h.tally["together"]++
	h.hear()
	if !troubled && !doubt {
		h.charged(t, o, requests, replies)
	}
}

// charged wants a subscription that was made beside something else to be paid with the card that
// came with it.
func (h *house) charged(t *rapid.T, o *org, requests []request, replies []reply) {
	for i, r := range requests {
		asked, is := r.(subscribe)
		_, both := requests[1-i].(subscribe)
		if !is || both || asked.cardID == "" || replies[i].err != nil {
			continue
		}
		if in, some := h.truth(t, o).intents[replies[i].sub.ID]; some && in.Invoice == replies[i].sub.LatestInvoice.ID {
			assert.Equal(t, asked.cardID, in.Card, "the card that was charged")
		}
	}
}
