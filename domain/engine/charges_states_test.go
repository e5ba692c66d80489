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

// paymentRule contains the expected decisions while an invoice has an attempt in a state.
type paymentRule struct {
	pay      string // another attempt by the customer with another method
	pauses   bool   // no step is performed
	stop     string // the end of an order or of a pending change
	endLive  string // the end of a live subscription; its invoice stays owed
	mayRetry bool   // a retry without the customer
}

var paymentRules = map[engine.AttemptState]paymentRule{
	"":                       {pay: allowed, stop: allowed, endLive: allowed, mayRetry: true},
	engine.AttemptStored:     {pay: conflict, pauses: true, stop: allowed, endLive: allowed},
	engine.AttemptClaimed:    {pay: conflict, pauses: true, stop: conflict, endLive: conflict},
	engine.AttemptOpen:       {pay: cancelFirst, stop: cancelFirst, endLive: cancelFirst, mayRetry: true},
	engine.AttemptCanceling:  {pay: conflict, pauses: true, stop: conflict, endLive: conflict},
	engine.AttemptProcessing: {pay: conflict, pauses: true, stop: conflict, endLive: allowed},
	engine.AttemptFailed:     {pay: allowed, stop: allowed, endLive: allowed, mayRetry: true},
	engine.AttemptCanceled:   {pay: allowed, stop: allowed, endLive: allowed, mayRetry: true},
	engine.AttemptReturned:   {pay: allowed, stop: allowed, endLive: allowed},
}

// commandsToState contains the commands that lead to a renewal with the latest attempt in a state.
var commandsToState = map[engine.AttemptState]commands{
	"": afterPurchase(func(a *engine.Account) error { return a.RemoveMethod("card") },
		advanceToRenewal),
	engine.AttemptStored:     afterRenewal(),
	engine.AttemptClaimed:    afterRenewal(sendWithoutReport),
	engine.AttemptOpen:       afterRenewal(sendAndReportState(engine.AttemptOpen)),
	engine.AttemptCanceling:  afterRenewal(sendAndReportState(engine.AttemptOpen), advance(3*day)),
	engine.AttemptProcessing: afterRenewal(sendAndReportState(engine.AttemptProcessing)),
	engine.AttemptFailed:     afterRenewal(sendAndReportState(engine.AttemptFailed)),
	engine.AttemptCanceled:   afterRenewal(sendAndReportState(engine.AttemptOpen), reportState(engine.AttemptCanceled)),
	engine.AttemptReturned: afterPurchase(makeDebitDefault, advanceToRenewal, sendAndReportState(engine.AttemptPaid),
		reportState(engine.AttemptReturned)),
}

// The account follows the rules of each state. The test checks the rules immediately, and during a random history that
// begins in the state whenever an invoice is unpaid.
func TestCharges_AttemptStateDecidesPaymentStepAndEnd(t *testing.T) {
	for state := range paymentRules {
		t.Run(cmp.Or(string(state), "none"), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				h := newChargesHistory(rt)
				for _, command := range commandsToState[state] {
					require.NoError(t, command(h.account))
				}
				h.provider.addPayments(h.account.Attempts)
				require.Equal(t, state, unresolvedState(h.account, h.account.Subscriptions[0].LatestInvoice))
				for range rapid.IntRange(0, 20).Draw(rt, "length") {
					h.requirePaymentRules()
					h.applyRandomEvent()
				}
				h.requirePaymentRules()
			})
		})
	}
}

// requirePaymentRules requires that each subscription with an unpaid latest invoice follows paymentRules.
func (h *chargesHistory) requirePaymentRules() {
	for _, s := range h.account.Subscriptions {
		if h.account.Invoice(s.LatestInvoice).Status != billing.InvoiceOpen {
			continue
		}
		state := unresolvedState(h.account, s.LatestInvoice)
		h.requirePayRule(s, state)
		if !s.Status.Ended() {
			h.requireEndRule(s, state)
			h.requireStepRule(s, state)
		}
	}
}

// unresolvedState returns the state of the oldest attempt that is not over. If all attempts are over, it returns the
// state of the latest attempt.
func unresolvedState(a *engine.Account, invoice string) engine.AttemptState {
	state := a.LatestAttempt(invoice).State
	for _, attempt := range a.Attempts { // newest first
		if attempt.Invoice == invoice && (attempt.DelaysNextStep() || attempt.State == engine.AttemptOpen) {
			state = attempt.State
		}
	}
	return state
}

func (h *chargesHistory) requirePayRule(s engine.AccountSubscription, state engine.AttemptState) {
	a := h.copyAccount(h.account)
	a.Methods = append(a.Methods, engine.AccountMethod{Ref: "unused"})
	err := a.Pay(engine.PayRequest{
		Invoice: s.LatestInvoice, Amount: a.Invoice(s.LatestInvoice).AmountRemaining(), SubscriptionEnded: s.Status.Ended(),
		Source: engine.Source{Method: "unused"},
	})
	isCanceling := unresolvedState(a, s.LatestInvoice) == engine.AttemptCanceling
	require.Equal(h, paymentRules[state].pay, toDecision(isCanceling && err == nil, err), "%s subscription, %s payment",
		s.Status, state)
}

func (h *chargesHistory) requireEndRule(s engine.AccountSubscription, state engine.AttemptState) {
	a := h.copyAccount(h.account)
	err := a.End(s.ID, false)
	updatedSub, _ := a.Subscription(s.ID)
	want := paymentRules[state].stop
	if s.Status.Live() && s.Pending.Invoice == "" {
		want = paymentRules[state].endLive
	}
	require.Equal(h, want, toDecision(updatedSub.StopRequest != engine.NoStop, err), "%s subscription, %s payment", s.Status,
		state)
	require.Equal(h, want == allowed, updatedSub.Status.Ended())
}

func (h *chargesHistory) requireStepRule(s engine.AccountSubscription, state engine.AttemptState) {
	a, name := h.copyAccount(h.account), fmt.Sprintf("%s subscription, %s payment", s.Status, state)
	a.Advance(a.Now.Add(60 * day))
	updatedSub, _ := a.Subscription(s.ID)
	switch {
	case paymentRules[state].pauses:
		require.Equal(h, s, updatedSub, name)
	case state == engine.AttemptOpen:
		require.Equal(h, engine.AttemptCanceling, unresolvedState(a, s.LatestInvoice), name)
	default:
		require.NotEqual(h, s, updatedSub, name)
		mayRetry := paymentRules[state].mayRetry && s.Status == billing.PastDue
		require.True(h, mayRetry || unresolvedState(a, s.LatestInvoice) != engine.AttemptStored, name)
	}
}
