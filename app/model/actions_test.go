package model

import (
	"context"
	"sync"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

const maxOrgs = 2

// signUp registers one more organisation and verifies it. A failing provider never fails a verification.
func (h *harness) signUp(t *rapid.T) {
	if len(h.orgs) == maxOrgs {
		t.Skip("enough organisations")
	}
	name := string(rune('a' + len(h.orgs)))
	email := name + "@example.com"
	_, err := h.drawServer(t).SignUp.Do(t.Context(), apptest.Registration(name))
	require.NoError(t, err)
	token := h.VerificationToken(email)
	h.armFault(t)
	server := h.drawServer(t)
	died, _ := runIsolated(func() error {
		_, _, err := server.VerifyEmail.Do(t.Context(), token, func(string) bool { return true })
		return err
	})
	h.faults.arm(nil, 0)
	user, err := h.Store.UserByEmail(t.Context(), email)
	require.NoError(t, err)
	require.True(t, user.Verified(), "died: %t", died)
	h.orgs = append(h.orgs, &org{user: identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID}})
	h.queueEvents()
}

// runIsolated runs fn in a goroutine that an injected fault may end.
func runIsolated(fn func() error) (died bool, err error) {
	ended := make(chan error, 1)
	go func() {
		defer close(ended)
		ended <- fn()
	}()
	err, alive := <-ended
	return !alive, err
}

func (h *harness) queueEvents() { h.queued = append(h.queued, h.TakeEvents()...) }

// result is the outcome of a request.
type result struct {
	response
	err  error
	died bool // the server was killed
}

func (h *harness) sendTo(ctx context.Context, s *app.UseCases, o *org, r request) (got result) {
	got.died, got.err = runIsolated(func() (err error) {
		got.response, err = r.do(ctx, s, o.user)
		return err
	})
	return got
}

// sendAny sends a request, or repeats the last one.
func (h *harness) sendAny(t *rapid.T) {
	o := h.drawOrg(t)
	r := o.last
	if r == nil || rapid.IntRange(0, 3).Draw(t, "repeat") > 0 {
		r = h.drawRequest(t, o)
	}
	h.send(t, o, r)
}

// changeWithDeclinedCard changes the plan after the default card was replaced by a declined one, and
// sometimes cancels the change.
func (h *harness) changeWithDeclinedCard(t *rapid.T) {
	o := h.drawOrg(t)
	state := h.providerState(t, o)
	if state.live() == nil || h.hasPending(t, o) {
		t.Skip("nothing to change")
	}
	h.addDefaultCard(t, o, state.customer.ID, apptest.DeclinedChargesCard)
	h.send(t, o, change{price: drawPrice(t)})
	if !h.hasPending(t, o) && rapid.Bool().Draw(t, "cancel the change") {
		h.send(t, o, cancelChange{})
	}
}

// addDefaultCard makes a new card with the number the default one.
func (h *harness) addDefaultCard(t *rapid.T, o *org, customerID, number string) {
	added := card{h.CreateCard(number), number}
	o.cards = append(o.cards, added)
	_, err := h.Provider.AddCard(t.Context(),
		payment.NewCard{Key: providerKey + added.id, CustomerID: customerID, MethodID: added.id})
	require.NoError(t, err)
}

// endOverdue ends a subscription after its renewal was declined. Sometimes an earlier bill was voided, so
// that this one stays owed, and sometimes it is paid then.
func (h *harness) endOverdue(t *rapid.T) {
	h.completeDelayedCalls()
	o := h.drawOrg(t)
	state := h.providerState(t, o)
	if state.live() == nil || h.hasPending(t, o) {
		t.Skip("nothing to end")
	}
	h.addDefaultCard(t, o, state.customer.ID, apptest.DeclinedChargesCard)
	h.passTime(t, max(0, state.live().CurrentPeriodEnd.Sub(state.now)))
	if rapid.Bool().Draw(t, "a bill was voided before") {
		_, err := h.Store.UpdateOrganisation(t.Context(), o.user.OrganisationID, func(org *account.Organisation) error {
			org.Billing.Voided = billing.VoidedBill{SubscriptionID: "sub_before", At: h.providerState(t, o).now}
			return nil
		})
		require.NoError(t, err)
	}
	h.send(t, o, endPlan{})
	if !h.hasPending(t, o) && rapid.Bool().Draw(t, "pay the bill") {
		h.send(t, o, h.drawPay(t, o))
	}
}

// send sends a request, with a fault or without, and checks the result.
func (h *harness) send(t *rapid.T, o *org, r request) {
	before, pendingBefore := h.providerState(t, o), h.hasPending(t, o)
	h.armFault(t)
	server := h.drawServer(t)
	got := h.sendTo(t.Context(), server, o, r)
	faulty := h.faults.wasHit()
	h.faults.arm(nil, 0)
	t.Logf("%s: %v, died: %t, faulty: %t, pending: %t", r, got.err, got.died, faulty, pendingBefore)
	h.checkError(t, got, faulty || pendingBefore)
	if faulty || pendingBefore {
		o.recordUncertain(r)
	} else {
		h.checkRules(t, o, r, before, got)
		h.checkStaleQuote(t, o, before, got.err)
	}
	o.last = r
	if needsNoEvents(r) && !faulty && !pendingBefore && rapid.Bool().Draw(t, "the events are lost") {
		h.TakeEvents()
	}
	h.queueEvents()
}

// recordUncertain records a request whose effect is unknown.
func (o *org) recordUncertain(r request) {
	if sent, ok := r.(subscribe); ok {
		o.candidates = append(o.candidates, sent)
	}
	o.certain = false
}

// needsNoEvents reports whether a successful request stores its effect itself.
func needsNoEvents(r request) bool {
	switch r.(type) {
	case subscribe, change, pay, cancelChange, cancelScheduled, endPlan, resume:
		return true
	}
	return false
}

// checkError requires that a request never fails with an internal error, and is unavailable only after a
// fault.
func (h *harness) checkError(t *rapid.T, got result, mayBeUnavailable bool) {
	code := fault.CodeOf(got.err)
	h.counters.add(got)
	allowed := []fault.Code{"", fault.Conflict, fault.Declined, fault.NotFound, fault.Invalid, fault.RateLimited}
	if mayBeUnavailable {
		allowed = append(allowed, fault.Unavailable)
	}
	assert.Contains(t, allowed, code, "%v", got.err)
}

func (c counters) add(got result) {
	switch {
	case got.died:
		c["died"]++
	case got.err != nil:
		c[string(fault.CodeOf(got.err))]++
	}
}

// sendConcurrently sends two requests of one organisation to two servers at the same time. It may also
// deliver events and reconcile meanwhile.
func (h *harness) sendConcurrently(t *rapid.T) {
	o := h.drawOrg(t)
	requests := []request{h.drawRequest(t, o), h.drawRequest(t, o)}
	if rapid.Bool().Draw(t, "same request") {
		requests[1] = requests[0]
	}
	pendingBefore := h.hasPending(t, o)
	h.armFault(t)
	results := make([]result, len(requests))
	var all sync.WaitGroup
	for i, r := range requests {
		all.Go(func() { results[i] = h.sendTo(t.Context(), h.servers[i], o, r) })
	}
	if rapid.Bool().Draw(t, "reconcile") {
		all.Go(func() {
			_, _ = runIsolated(func() error { _, err := h.servers[0].Reconcile.Do(t.Context()); return err })
		})
	}
	for _, payload := range h.queued {
		all.Go(func() {
			_, _ = runIsolated(func() error { return h.servers[1].ReceiveEvent.Do(t.Context(), h.Delivery(payload)) })
		})
	}
	all.Wait()
	faulty := h.faults.wasHit()
	h.faults.arm(nil, 0)
	for i, got := range results {
		t.Logf("concurrently: %s: %v, died: %t, faulty: %t, pending: %t", requests[i], got.err, got.died, faulty, pendingBefore)
		h.checkError(t, got, faulty || pendingBefore)
	}
	o.last = requests[0]
	o.recordUncertain(requests[0])
	o.recordUncertain(requests[1])
	h.counters["concurrent"]++
	h.queueEvents()
	if !faulty && !pendingBefore {
		h.checkCharged(t, o, requests, results)
	}
}

// checkCharged requires that a subscription is paid with the card of its own request.
func (h *harness) checkCharged(t *rapid.T, o *org, requests []request, results []result) {
	for i, r := range requests {
		sent, ok := r.(subscribe)
		_, both := requests[1-i].(subscribe)
		if !ok || both || sent.cardID == "" || results[i].err != nil {
			continue
		}
		if pi, ok := h.providerState(t, o).intents[results[i].sub.ID]; ok && pi.Invoice == results[i].sub.LatestInvoice.ID {
			assert.Equal(t, sent.cardID, pi.Card, "the card that was charged")
		}
	}
}
