package engine_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
)

// The decisions about a request while an attempt is in a state.
const (
	allowed     = "allowed"
	conflict    = "conflict"
	cancelFirst = "cancel first"
)

func toDecision(mustCancel bool, err error) string {
	switch {
	case fault.Is(err, fault.Conflict):
		return conflict
	case mustCancel:
		return cancelFirst
	}
	return allowed
}

func TestAttempt_StateDecidesNextAttemptAndEnd(t *testing.T) {
	for _, tt := range []struct {
		attempt           engine.Attempt
		retry, pay        string // another attempt without the customer, and by the customer
		delaysNextStep    bool
		endFirst, endLive string // the end of a purchase or change that waits for its payment, and of a live subscription
	}{
		{engine.Attempt{}, allowed, allowed, false, allowed, allowed},
		{engine.Attempt{State: engine.AttemptStored}, conflict, conflict, true, cancelFirst, cancelFirst},
		{engine.Attempt{State: engine.AttemptClaimed}, conflict, conflict, true, conflict, conflict},
		{engine.Attempt{State: engine.AttemptOpen}, conflict, conflict, false, cancelFirst, cancelFirst},
		{engine.Attempt{State: engine.AttemptCanceling}, conflict, conflict, true, conflict, conflict},
		{engine.Attempt{State: engine.AttemptProcessing}, conflict, conflict, true, conflict, allowed},
		{engine.Attempt{State: engine.AttemptFailed}, allowed, allowed, false, allowed, allowed},
		{engine.Attempt{State: engine.AttemptFailed, HardDecline: true, Method: "other"}, allowed, allowed, false, allowed,
			allowed},
		{engine.Attempt{State: engine.AttemptFailed, HardDecline: true, Method: "method"}, conflict, conflict, false,
			allowed, allowed},
		{engine.Attempt{State: engine.AttemptFailed, CustomerNeeded: true, Method: "other"}, allowed, allowed, false, allowed,
			allowed},
		{engine.Attempt{State: engine.AttemptFailed, CustomerNeeded: true, Method: "method"}, conflict, allowed, false,
			allowed, allowed},
		{engine.Attempt{State: engine.AttemptFailed, CustomerNeeded: true, CustomerPresent: true, Method: "method"}, conflict,
			allowed, false, allowed, allowed},
		{engine.Attempt{State: engine.AttemptCanceled}, allowed, allowed, false, allowed, allowed},
		{engine.Attempt{State: engine.AttemptPaid}, conflict, conflict, false, allowed, allowed},
		{engine.Attempt{State: engine.AttemptReturned}, conflict, allowed, false, allowed, allowed},
	} {
		t.Run(fmt.Sprint(tt.attempt.State, tt.attempt.Method), func(t *testing.T) {
			assert.Equal(t, tt.retry, toDecision(false, tt.attempt.CheckNextAttempt("method", false)), "retry")
			assert.Equal(t, tt.pay, toDecision(false, tt.attempt.CheckNextAttempt("method", true)), "pay")
			assert.Equal(t, tt.delaysNextStep, tt.attempt.DelaysNextStep(), "delays the next step")
			assert.Equal(t, tt.endFirst, toDecision(tt.attempt.CheckSubscriptionEnd(false)), "end before the first payment")
			assert.Equal(t, tt.endLive, toDecision(tt.attempt.CheckSubscriptionEnd(true)), "end of a live subscription")
		})
	}
}

func TestAttempt_ReportsInAnyOrderLeadToSameState(t *testing.T) {
	states := []engine.AttemptState{
		engine.AttemptOpen, engine.AttemptProcessing, engine.AttemptFailed, engine.AttemptCanceled, engine.AttemptPaid,
		engine.AttemptReturned,
	}
	rapid.Check(t, func(t *rapid.T) {
		reports := rapid.SliceOf(rapid.SampledFrom(states)).Draw(t, "reports")
		claimed := engine.Attempt{State: engine.AttemptClaimed}
		a, other := claimed, claimed
		for _, state := range reports {
			a = a.AdvanceTo(state)
		}
		for _, state := range rapid.Permutation(reports).Draw(t, "other order") {
			other = other.AdvanceTo(state).AdvanceTo(state)
		}
		isFailedOrCanceled := func(a engine.Attempt) bool {
			return a.State == engine.AttemptFailed || a.State == engine.AttemptCanceled
		}
		if !isFailedOrCanceled(a) || !isFailedOrCanceled(other) { // the first of failed and canceled stays
			assert.Equal(t, a, other)
		}
	})
}

// Servers begin, claim, send and cancel attempts to collect an invoice, and stop at any time. Requests and reports
// arrive late and repeatedly. The provider acts once for each key.
func TestAttempt_InvoiceIsDebitedAtMostOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &attemptHistory{T: t, now: start, providerStates: map[string][]engine.AttemptState{}}
		events := []func(){
			h.begin, h.send, h.deliverRequest, h.payOrSettle, h.cancel, h.cancelAtProvider, h.report, h.advanceClock,
		}
		for range rapid.IntRange(1, 200).Draw(t, "length") {
			rapid.SampledFrom(events).Draw(t, "event")()
			require.LessOrEqual(t, h.debitCount(), 1)
		}
		for _, state := range h.providerStates[h.attempt.Key] {
			h.attempt = h.attempt.AdvanceTo(state)
		}
		if state := h.attemptState(h.attempt.Key); state != "" && state != engine.AttemptOpen {
			assert.Equal(t, state, h.attempt.State, "after all reports")
		}
	})
}

// attemptHistory contains the attempts to collect an invoice and the states of their payments at the provider.
type attemptHistory struct {
	*rapid.T
	now            time.Time
	attemptCount   int
	attempt        engine.Attempt                   // the latest one
	requests       []string                         // the keys of requests that can still arrive
	providerStates map[string][]engine.AttemptState // the states of each payment, the latest one last
}

// attemptState returns the latest state of a payment at the provider.
func (h *attemptHistory) attemptState(key string) engine.AttemptState {
	states := h.providerStates[key]
	if len(states) == 0 {
		return ""
	}
	return states[len(states)-1]
}

func (h *attemptHistory) addProviderState(key string, states ...engine.AttemptState) {
	h.providerStates[key] = append(h.providerStates[key], rapid.SampledFrom(states).Draw(h.T, "state"))
}

func (h *attemptHistory) debitCount() (n int) {
	for _, states := range h.providerStates {
		if last := states[len(states)-1]; last == engine.AttemptProcessing || last == engine.AttemptPaid {
			n++
		}
	}
	return n
}

func (h *attemptHistory) begin() {
	if h.attempt.CheckNextAttempt("method", true) == nil {
		h.attemptCount++
		h.attempt = engine.Attempt{Key: strconv.Itoa(h.attemptCount), Method: "method", Amount: 3900, State: engine.AttemptStored}
	}
}

func (h *attemptHistory) send() {
	claimedAttempt, err := h.attempt.Claim(h.now, h.now.Add(time.Minute))
	if err == nil {
		h.attempt = claimedAttempt
		h.requests = append(h.requests, claimedAttempt.Key)
	}
}

func (h *attemptHistory) deliverRequest() {
	if len(h.requests) == 0 {
		return
	}
	i := rapid.IntRange(0, len(h.requests)-1).Draw(h.T, "request")
	if key := h.requests[len(h.requests)-1-i]; len(h.providerStates[key]) == 0 {
		h.addProviderState(key, engine.AttemptOpen, engine.AttemptOpen, engine.AttemptProcessing, engine.AttemptPaid,
			engine.AttemptFailed, engine.AttemptFailed)
	}
}

// payOrSettle makes the customer pay or the money arrive.
func (h *attemptHistory) payOrSettle() {
	if h.attemptCount == 0 {
		return
	}
	key := strconv.Itoa(rapid.IntRange(1, h.attemptCount).Draw(h.T, "attempt"))
	switch h.attemptState(key) {
	case engine.AttemptOpen:
		h.addProviderState(key, engine.AttemptProcessing, engine.AttemptPaid)
	case engine.AttemptProcessing:
		h.addProviderState(key, engine.AttemptFailed, engine.AttemptPaid)
	}
}

func (h *attemptHistory) cancel() {
	if cancelingAttempt, err := h.attempt.Cancel(); err == nil {
		h.attempt = cancelingAttempt
	}
}

// cancelAtProvider cancels the payment at the provider, unless the customer has paid.
func (h *attemptHistory) cancelAtProvider() {
	if h.attempt.State == engine.AttemptCanceling && h.attemptState(h.attempt.Key) == engine.AttemptOpen {
		h.addProviderState(h.attempt.Key, engine.AttemptCanceled)
	}
}

func (h *attemptHistory) report() {
	if states := h.providerStates[h.attempt.Key]; len(states) > 0 {
		h.attempt = h.attempt.AdvanceTo(rapid.SampledFrom(states).Draw(h.T, "report"))
	}
}

func (h *attemptHistory) advanceClock() { h.now = h.now.Add(2 * time.Minute) }

func TestAttempt_ClaimExcludesOtherServersUntilSendBy(t *testing.T) {
	a := engine.Attempt{Key: "key", State: engine.AttemptStored}
	claimedAttempt, err := a.Claim(start, start.Add(time.Minute))
	require.NoError(t, err)
	_, err = claimedAttempt.Claim(start.Add(59*time.Second), start.Add(2*time.Minute))
	assert.True(t, fault.Is(err, fault.Conflict), "the first server may still send the attempt")
	reclaimedAttempt, err := claimedAttempt.Claim(start.Add(time.Minute), start.Add(2*time.Minute))
	require.NoError(t, err)
	assert.Equal(t, "key", reclaimedAttempt.Key)
	_, err = reclaimedAttempt.AdvanceTo(engine.AttemptProcessing).Claim(start.Add(time.Hour), start.Add(2*time.Hour))
	assert.True(t, fault.Is(err, fault.Conflict), "the provider has accepted the attempt")
}
