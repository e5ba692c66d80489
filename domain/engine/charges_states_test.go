package engine_test

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

// paymentRule is what may happen while an invoice has an attempt in a state.
type paymentRule struct {
	pay      string // another attempt by the customer with another method
	pauses   bool   // no step happens
	stop     string // the end of an order, and the drop of a change
	endLive  string // the end of a live subscription, whose invoice stays owed
	mayRetry bool   // by itself
}

var paymentRules = map[engine.AttemptState]paymentRule{
	"":                       {pay: yes, stop: yes, endLive: yes, mayRetry: true},
	engine.AttemptStored:     {pay: conflict, pauses: true, stop: yes, endLive: yes},
	engine.AttemptClaimed:    {pay: conflict, pauses: true, stop: conflict, endLive: conflict},
	engine.AttemptOpen:       {pay: canceled, stop: canceled, endLive: canceled, mayRetry: true},
	engine.AttemptCanceling:  {pay: conflict, pauses: true, stop: conflict, endLive: conflict},
	engine.AttemptProcessing: {pay: conflict, pauses: true, stop: conflict, endLive: yes},
	engine.AttemptFailed:     {pay: yes, stop: yes, endLive: yes, mayRetry: true},
	engine.AttemptCanceled:   {pay: yes, stop: yes, endLive: yes, mayRetry: true},
	engine.AttemptReturned:   {pay: yes, stop: yes, endLive: yes},
}

// commandsToState lead to a renewal whose latest attempt is in a state.
var commandsToState = map[engine.AttemptState]commands{
	"":                       bought(func(a *engine.Account) error { return a.RemoveMethod("card") }, toRenewal),
	engine.AttemptStored:     renewed(),
	engine.AttemptClaimed:    renewed(claimed),
	engine.AttemptOpen:       renewed(sent(engine.AttemptOpen)),
	engine.AttemptCanceling:  renewed(sent(engine.AttemptOpen), wait(3*day)),
	engine.AttemptProcessing: renewed(sent(engine.AttemptProcessing)),
	engine.AttemptFailed:     renewed(sent(engine.AttemptFailed)),
	engine.AttemptCanceled:   renewed(sent(engine.AttemptOpen), reported(engine.AttemptCanceled)),
	engine.AttemptReturned:   bought(debitIsDefault, toRenewal, sent(engine.AttemptPaid), reported(engine.AttemptReturned)),
}

// TestCharges_RulesOfAttemptStates checks for each state, and wherever random histories lead to an unpaid invoice, that the
// account does what the state of its payment allows.
func TestCharges_RulesOfAttemptStates(t *testing.T) {
	for state := range paymentRules {
		t.Run(cmp.Or(string(state), "none"), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				h := newChargesHistory(rt)
				for _, command := range commandsToState[state] {
					require.NoError(t, command(h.account))
				}
				h.bank.record(h.account.Attempts)
				require.Equal(t, state, unresolvedState(h.account, h.account.Subscriptions[0].Invoice))
				for range rapid.IntRange(0, 20).Draw(rt, "length") {
					h.checkRules()
					h.next()
				}
				h.checkRules()
			})
		})
	}
}

// checkRules requires that each subscription whose latest invoice is unpaid follows the rule.
func (h *chargesHistory) checkRules() {
	for _, s := range h.account.Subscriptions {
		if h.account.Invoice(s.Invoice).Status != billing.InvoiceOpen {
			continue
		}
		state := unresolvedState(h.account, s.Invoice)
		h.checkPayRule(s, state)
		if !s.Status.Ended() {
			h.checkEndRule(s, state)
			h.checkStepRule(s, state)
		}
	}
}

// unresolvedState returns the state of the attempt that is not over, otherwise that of the latest one. One that waits until
// another is over does not count.
func unresolvedState(a *engine.Account, invoice string) engine.AttemptState {
	state := a.LatestAttempt(invoice).State
	for _, at := range a.Attempts { // newest first
		if at.Invoice == invoice && (at.Pauses() || at.State == engine.AttemptOpen) {
			state = at.State
		}
	}
	return state
}

func (h *chargesHistory) checkPayRule(s engine.AccountSubscription, state engine.AttemptState) {
	a := h.copyOf(h.account)
	a.Methods = append(a.Methods, engine.AccountMethod{Ref: "unused"})
	err := a.Pay(engine.InvoicePayment{
		Invoice: s.Invoice, Amount: a.Invoice(s.Invoice).Balance(), Ended: s.Status.Ended(), Source: withMethod("unused"),
	})
	isCanceling := unresolvedState(a, s.Invoice) == engine.AttemptCanceling
	require.Equal(h, paymentRules[state].pay, answer(isCanceling && err == nil, err), "%s subscription, %s payment", s.Status, state)
}

func (h *chargesHistory) checkEndRule(s engine.AccountSubscription, state engine.AttemptState) {
	a := h.copyOf(h.account)
	err := a.End(s.ID, false)
	after, _ := a.Subscription(s.ID)
	want := paymentRules[state].stop
	if s.Status.Live() && s.Pending.Invoice == "" {
		want = paymentRules[state].endLive
	}
	require.Equal(h, want, answer(after.Stopping != engine.StopNothing, err), "%s subscription, %s payment", s.Status, state)
	require.Equal(h, want == yes, after.Status.Ended())
}

func (h *chargesHistory) checkStepRule(s engine.AccountSubscription, state engine.AttemptState) {
	a, name := h.copyOf(h.account), fmt.Sprintf("%s subscription, %s payment", s.Status, state)
	a.Advance(a.Now.Add(60 * day))
	after, _ := a.Subscription(s.ID)
	switch {
	case paymentRules[state].pauses:
		require.Equal(h, s, after, name)
	case state == engine.AttemptOpen:
		require.Equal(h, engine.AttemptCanceling, unresolvedState(a, s.Invoice), name)
	default:
		require.NotEqual(h, s, after, name)
		mayRetry := paymentRules[state].mayRetry && s.Status == billing.PastDue
		require.True(h, mayRetry || unresolvedState(a, s.Invoice) != engine.AttemptStored, name)
	}
}
