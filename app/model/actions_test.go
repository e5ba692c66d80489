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

// signUp registers another organisation and verifies it. The verification succeeds even if the provider fails.
func (h *harness) signUp(t *rapid.T) {
	if len(h.orgs) == maxOrgs {
		t.Skip("enough organisations")
	}
	name := string(rune('a' + len(h.orgs)))
	email := name + "@example.com"
	_, err := h.drawServer(t).SignUp.Do(t.Context(), apptest.Registration(name), nil)
	require.NoError(t, err)
	verificationToken := h.VerificationToken(email)
	h.drawFault(t)
	server := h.drawServer(t)
	isKilled, _ := runIsolated(func() error {
		_, _, err := server.VerifyEmail.Do(t.Context(), verificationToken, func(account.User) bool { return true })
		return err
	})
	h.faults.setFault(nil, 0)
	user, err := h.Store.UserByEmail(t.Context(), email)
	require.NoError(t, err)
	require.True(t, user.IsVerified(), "killed: %t", isKilled)
	h.orgs = append(h.orgs, &org{user: identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID, Role: account.Owner}})
	h.queueEvents()
}

// runIsolated runs fn in a goroutine that an injected fault may end.
func runIsolated(fn func() error) (isKilled bool, err error) {
	errs := make(chan error, 1)
	go func() {
		defer close(errs)
		errs <- fn()
	}()
	err, ok := <-errs
	return !ok, err
}

// queueEvents adds the new events of the provider to the queue.
func (h *harness) queueEvents() { h.events = append(h.events, h.TakeEvents()...) }

// result contains the outcome of a request.
type result struct {
	response
	err      error
	isKilled bool // the server was killed during the request
}

// sendToServer sends the request to the server in a goroutine that an injected fault may end.
func (h *harness) sendToServer(ctx context.Context, s *app.UseCases, o *org, r request) (res result) {
	res.isKilled, res.err = runIsolated(func() (err error) {
		res.response, err = r.do(ctx, s, o.user)
		return err
	})
	return res
}

// sendRandomRequest sends a request, or repeats the last one.
func (h *harness) sendRandomRequest(t *rapid.T) {
	o := h.drawOrg(t)
	r := o.lastRequest
	if r == nil || rapid.IntRange(0, 3).Draw(t, "repeat") > 0 {
		r = h.drawRequest(t, o)
	}
	h.sendAndCheck(t, o, r)
}

// changeWithDeclinedCard replaces the default card by a card that is declined, changes the plan, and sometimes cancels
// the change.
func (h *harness) changeWithDeclinedCard(t *rapid.T) {
	o := h.drawOrg(t)
	state := h.providerState(t, o)
	if state.liveSub() == nil || h.hasPendingOperation(t, o) {
		t.Skip("nothing to change")
	}
	h.addDefaultCard(t, o, state.customer.ID, apptest.DeclinedChargesCard)
	h.sendAndCheck(t, o, changeRequest{price: drawPrice(t)})
	if !h.hasPendingOperation(t, o) && rapid.Bool().Draw(t, "cancel the change") {
		h.sendAndCheck(t, o, cancelPendingRequest{})
	}
}

// addDefaultCard makes a new card with the number the default one at the provider.
func (h *harness) addDefaultCard(t *rapid.T, o *org, customerID, number string) {
	c := card{h.CreateCard(number), number}
	o.cards = append(o.cards, c)
	_, err := h.Provider.AddCard(t.Context(),
		payment.NewCard{Key: providerKey + c.id, CustomerID: customerID, MethodID: c.id})
	require.NoError(t, err)
}

// endOverdue ends a subscription after its renewal was declined. Sometimes an earlier invoice was voided, so that the
// invoice of the renewal stays owed, and sometimes the owed invoice is paid.
func (h *harness) endOverdue(t *rapid.T) {
	h.completeDelayedCalls()
	o := h.drawOrg(t)
	state := h.providerState(t, o)
	if state.liveSub() == nil || h.hasPendingOperation(t, o) {
		t.Skip("nothing to end")
	}
	h.addDefaultCard(t, o, state.customer.ID, apptest.DeclinedChargesCard)
	h.advanceBy(t, max(0, state.liveSub().CurrentPeriodEnd.Sub(state.now)))
	if rapid.Bool().Draw(t, "an invoice was voided before") {
		_, err := h.Store.UpdateOrganisation(t.Context(), o.user.OrganisationID, func(storedOrg *account.Organisation) error {
			storedOrg.Billing.LastVoidedInvoice = billing.VoidedInvoice{SubscriptionID: "sub_before", At: h.providerState(t, o).now}
			return nil
		})
		require.NoError(t, err)
	}
	h.sendAndCheck(t, o, endRequest{})
	if !h.hasPendingOperation(t, o) && rapid.Bool().Draw(t, "pay the invoice") {
		h.sendAndCheck(t, o, h.drawPay(t, o))
	}
}

// sendAndCheck draws a fault or none, sends the request to a random server, and checks the result.
func (h *harness) sendAndCheck(t *rapid.T, o *org, r request) {
	initialState, hadPendingOperation := h.providerState(t, o), h.hasPendingOperation(t, o)
	h.drawFault(t)
	server := h.drawServer(t)
	res := h.sendToServer(t.Context(), server, o, r)
	hasFault := h.faults.faultOccurred()
	h.faults.setFault(nil, 0)
	t.Logf("%s: %v, killed: %t, faulty: %t, pending: %t", r, res.err, res.isKilled, hasFault, hadPendingOperation)
	h.checkError(t, res, hasFault || hadPendingOperation)
	if hasFault || hadPendingOperation {
		o.recordUnknownEffect(r)
	} else {
		h.checkRules(t, o, r, initialState, res)
		h.checkStaleQuote(t, o, initialState, res.err)
	}
	o.lastRequest = r
	if needsNoEvents(r) && !hasFault && !hadPendingOperation && rapid.Bool().Draw(t, "the events are lost") {
		h.TakeEvents()
	}
	h.queueEvents()
}

// recordUnknownEffect records that the effect of the request is unknown.
func (o *org) recordUnknownEffect(r request) {
	if purchase, ok := r.(subscribeRequest); ok {
		o.candidates = append(o.candidates, purchase)
	}
	o.isOutcomeKnown = false
}

// needsNoEvents reports whether a successful request stores its effect, so that the events about it may be lost.
func needsNoEvents(r request) bool {
	switch r.(type) {
	case subscribeRequest, changeRequest, payRequest, cancelPendingRequest, cancelScheduledRequest, endRequest, resumeRequest:
		return true
	}
	return false
}

// checkError requires that the error of a request has an expected code. Unavailable is expected only if
// mayBeUnavailable is true.
func (h *harness) checkError(t *rapid.T, res result, mayBeUnavailable bool) {
	code := fault.CodeOf(res.err)
	h.counters.countResult(res)
	allowedCodes := []fault.Code{"", fault.Conflict, fault.Declined, fault.NotFound, fault.Invalid, fault.RateLimited}
	if mayBeUnavailable {
		allowedCodes = append(allowedCodes, fault.Unavailable)
	}
	assert.Contains(t, allowedCodes, code, "%v", res.err)
}

// countResult counts the error of a request, or that the server was killed during it.
func (c counters) countResult(res result) {
	switch {
	case res.isKilled:
		c["killed"]++
	case res.err != nil:
		c[string(fault.CodeOf(res.err))]++
	}
}

// sendConcurrently sends two requests of one organisation to two servers at the same time. Concurrently it delivers the
// queued events, and may reconcile.
func (h *harness) sendConcurrently(t *rapid.T) {
	o := h.drawOrg(t)
	requests := []request{h.drawRequest(t, o), h.drawRequest(t, o)}
	if rapid.Bool().Draw(t, "same request") {
		requests[1] = requests[0]
	}
	hadPendingOperation := h.hasPendingOperation(t, o)
	h.drawFault(t)
	results := make([]result, len(requests))
	var wg sync.WaitGroup
	for i, r := range requests {
		wg.Go(func() { results[i] = h.sendToServer(t.Context(), h.servers[i], o, r) })
	}
	if rapid.Bool().Draw(t, "reconcile") {
		wg.Go(func() {
			_, _ = runIsolated(func() error { _, err := h.servers[0].Reconcile.Do(t.Context()); return err })
		})
	}
	for _, payload := range h.events {
		wg.Go(func() {
			_, _ = runIsolated(func() error { return h.servers[1].ReceiveEvent.Do(t.Context(), h.NewDelivery(payload)) })
		})
	}
	wg.Wait()
	hasFault := h.faults.faultOccurred()
	h.faults.setFault(nil, 0)
	for i, res := range results {
		t.Logf("concurrently: %s: %v, killed: %t, faulty: %t, pending: %t", requests[i], res.err, res.isKilled, hasFault,
			hadPendingOperation)
		h.checkError(t, res, hasFault || hadPendingOperation)
	}
	o.lastRequest = requests[0]
	o.recordUnknownEffect(requests[0])
	o.recordUnknownEffect(requests[1])
	h.counters["concurrent"]++
	h.queueEvents()
	if !hasFault && !hadPendingOperation {
		h.checkChargedCards(t, o, requests, results)
	}
}

// checkChargedCards requires that a subscription is paid with the card of the request that returned it. If both requests
// subscribe, either card may be charged.
func (h *harness) checkChargedCards(t *rapid.T, o *org, requests []request, results []result) {
	for i, r := range requests {
		purchase, isPurchase := r.(subscribeRequest)
		_, isOtherPurchase := requests[1-i].(subscribeRequest)
		if !isPurchase || isOtherPurchase || purchase.cardID == "" || results[i].err != nil {
			continue
		}
		if pi, ok := h.providerState(t, o).intents[results[i].sub.ID]; ok && pi.InvoiceID == results[i].sub.LatestInvoice.ID {
			assert.Equal(t, purchase.cardID, pi.CardID, "the card that was charged")
		}
	}
}
