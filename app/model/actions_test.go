package model

import (
	"context"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

const mostOrgs = 2

// signUp registers one more organisation. Whatever the provider does, it never costs a sign-up,
// unless the server itself dies on the way, when the person has to sign in.
func (h *house) signUp(t *rapid.T) {
	if len(h.orgs) == mostOrgs {
		t.Skip("there are enough of them")
	}
	name := string(rune('a' + len(h.orgs)))
	h.awaitTrouble(t)
	server := h.someServer(t)
	died, _ := inPeace(func() error {
		_, err := server.SignUp.Do(t.Context(), flowtest.Registration(name))
		return err
	})
	h.trouble.arm(nil, 0)
	user, err := h.Store.UserByEmail(t.Context(), name+"@example.com")
	require.NoError(t, err, "died: %t", died)
	h.orgs = append(h.orgs, &org{who: identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID}})
	h.hear()
}

// inPeace does something that may die on the way.
func inPeace(do func() error) (died bool, err error) {
	ended := make(chan error, 1)
	go func() {
		defer close(ended) // dead or alive
		ended <- do()
	}()
	err, alive := <-ended
	return !alive, err
}

// hear has the events of what has happened wait for their delivery.
func (h *house) hear() { h.news = append(h.news, h.Arrived()...) }

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
	case subscribe, change:
		return true
	}
	return false
}

// plausible holds whatever goes on: nothing is ever our own defect, and the provider is only said
// to be in trouble when it is.
func (h *house) plausible(t *rapid.T, got reply, excused bool) {
	code := fault.CodeOf(got.err)
	h.tally.reply(got)
	allowed := []fault.Code{"", fault.Conflict, fault.Declined, fault.NotFound, fault.Invalid}
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

// browser finishes what the bank asks of a card's holder, or tries a payment again.
func (h *house) browser(t *rapid.T) {
	o := h.someOrg(t)
	var secrets []string
	for _, sub := range h.truth(t, o).subs {
		if sub.PendingSetup != nil {
			secrets = append(secrets, sub.PendingSetup.ClientSecret)
		}
		if sub.LatestInvoice != nil && sub.LatestInvoice.Payment != nil {
			secrets = append(secrets, sub.LatestInvoice.Payment.ClientSecret)
		}
	}
	if len(secrets) == 0 {
		t.Skip("nothing to finish")
	}
	_, err := h.Bank.Confirm(t.Context(), fakepayment.Confirmation{
		ClientSecret: rapid.SampledFrom(secrets).Draw(t, "secret"),
		Outcome:      rapid.SampledFrom([]fakepayment.Outcome{fakepayment.NoOutcome, fakepayment.Complete, fakepayment.Fail}).Draw(t, "outcome"),
	})
	if err == nil {
		h.tally["confirmed"]++
	}
	h.hear()
}

// cancelAtTheDesk is what somebody does by hand at the provider. Nobody tells us but an event.
func (h *house) cancelAtTheDesk(t *rapid.T) {
	o := h.someOrg(t)
	live := h.truth(t, o).live()
	if live == nil {
		t.Skip("nothing to cancel")
	}
	_, err := h.Bank.CancelSubscription(t.Context(), payment.Cancellation{Key: desk + live.ID, SubscriptionID: live.ID})
	require.NoError(t, err)
	t.Logf("%s is canceled at the desk", live.ID)
	o.untold = true
	h.hear()
}

// deliver brings some of the events, in any order, each one to three times, one after the other or
// all at once. What is not accepted comes again.
func (h *house) deliver(t *rapid.T) {
	if len(h.news) == 0 {
		t.Skip("no news")
	}
	chosen := rapid.Permutation(h.news).Draw(t, "order")[:rapid.IntRange(1, len(h.news)).Draw(t, "how many")]
	h.awaitTrouble(t)
	atOnce := rapid.Bool().Draw(t, "at once")
	accepted := make(map[string]bool)
	var mu sync.Mutex
	var all sync.WaitGroup
	for i, payload := range chosen {
		for n := range rapid.IntRange(1, 3).Draw(t, "times") {
			bring := func() {
				died, err := inPeace(func() error {
					return h.servers[(i+n)%2].ReceiveEvent.Do(t.Context(), payload, h.Signed(payload))
				})
				mu.Lock()
				defer mu.Unlock()
				accepted[string(payload)] = accepted[string(payload)] || err == nil && !died
				assert.Contains(t, []fault.Code{"", fault.Unavailable}, fault.CodeOf(err))
			}
			all.Go(bring)
			if !atOnce {
				all.Wait()
			}
		}
	}
	all.Wait()
	troubled := h.trouble.wasMet()
	h.trouble.arm(nil, 0)
	h.forget(accepted)
	assert.True(t, troubled || len(accepted) == len(chosen) && h.all(accepted), "every event is accepted")
}

func (h *house) all(accepted map[string]bool) bool {
	for _, yes := range accepted {
		if !yes {
			return false
		}
	}
	return true
}

// forget takes the accepted events off the list; without any left everybody has been told.
func (h *house) forget(accepted map[string]bool) {
	var left [][]byte
	for _, payload := range h.news {
		if !accepted[string(payload)] {
			left = append(left, payload)
		}
	}
	h.news = left
	if len(left) == 0 {
		for _, o := range h.orgs {
			o.untold = false
		}
	}
}

// wait lets time go by. What is on its way to the provider has arrived by then.
func (h *house) wait(t *rapid.T) {
	h.arrives()
	step := rapid.SampledFrom([]time.Duration{
		time.Second, time.Minute, 3 * time.Minute, time.Hour, 23 * time.Hour, flowtest.Day, 3 * flowtest.Day,
		7 * flowtest.Day, 31 * flowtest.Day, 366 * flowtest.Day,
	}).Draw(t, "step")
	t.Logf("%s go by", step)
	h.Advance(step)
	require.NoError(t, h.Bank.Tick(t.Context()))
	h.hear()
}

// reconcile is one round of settling what is in doubt.
func (h *house) reconcile(t *rapid.T) {
	h.awaitTrouble(t)
	server := h.someServer(t)
	_, err := inPeace(func() error {
		_, err := server.Reconcile.Do(t.Context())
		return err
	})
	h.trouble.arm(nil, 0)
	t.Logf("a round of settling: %v", err)
	require.NoError(t, err, "what can't be settled now is left for the next round")
	h.hear()
}
