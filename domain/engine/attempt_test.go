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

// The answers about an attempt in a state.
const (
	yes      = "yes"
	conflict = "conflict"
	canceled = "cancel first"
)

func answer(cancel bool, err error) string {
	switch {
	case fault.Is(err, fault.Conflict):
		return conflict
	case cancel:
		return canceled
	}
	return yes
}

func TestAttempt_Rules(t *testing.T) {
	for _, tt := range []struct {
		attempt           engine.Attempt
		retry, pay        string // another attempt by itself, and by the customer
		pauses            bool
		endFirst, endLive string // of a purchase or change that waits for its payment, and of a live subscription
	}{
		{engine.Attempt{}, yes, yes, false, yes, yes},
		{engine.Attempt{State: engine.AttemptStored}, conflict, conflict, true, canceled, canceled},
		{engine.Attempt{State: engine.AttemptClaimed}, conflict, conflict, true, conflict, conflict},
		{engine.Attempt{State: engine.AttemptOpen}, conflict, conflict, false, canceled, canceled},
		{engine.Attempt{State: engine.AttemptCanceling}, conflict, conflict, true, conflict, conflict},
		{engine.Attempt{State: engine.AttemptProcessing}, conflict, conflict, true, conflict, yes},
		{engine.Attempt{State: engine.AttemptFailed}, yes, yes, false, yes, yes},
		{engine.Attempt{State: engine.AttemptFailed, HardDecline: true, Method: "other"}, yes, yes, false, yes, yes},
		{engine.Attempt{State: engine.AttemptFailed, HardDecline: true, Method: "method"}, conflict, conflict, false, yes, yes},
		{engine.Attempt{State: engine.AttemptCanceled}, yes, yes, false, yes, yes},
		{engine.Attempt{State: engine.AttemptPaid}, conflict, conflict, false, yes, yes},
		{engine.Attempt{State: engine.AttemptReturned}, conflict, yes, false, yes, yes},
	} {
		t.Run(fmt.Sprint(tt.attempt.State, tt.attempt.Method), func(t *testing.T) {
			assert.Equal(t, tt.retry, answer(false, tt.attempt.CheckNext("method", false)), "retry")
			assert.Equal(t, tt.pay, answer(false, tt.attempt.CheckNext("method", true)), "pay")
			assert.Equal(t, tt.pauses, tt.attempt.Pauses(), "pauses")
			assert.Equal(t, tt.endFirst, answer(tt.attempt.CheckEnd(false)), "end of what waits for its payment")
			assert.Equal(t, tt.endLive, answer(tt.attempt.CheckEnd(true)), "end of a live subscription")
		})
	}
}

func TestAttempt_ReportsInAnyOrder(t *testing.T) {
	states := []engine.AttemptState{
		engine.AttemptOpen, engine.AttemptProcessing, engine.AttemptFailed, engine.AttemptCanceled, engine.AttemptPaid, engine.AttemptReturned,
	}
	rapid.Check(t, func(t *rapid.T) {
		reports := rapid.SliceOf(rapid.SampledFrom(states)).Draw(t, "reports")
		claimed := engine.Attempt{State: engine.AttemptClaimed}
		a, other := claimed, claimed
		for _, state := range reports {
			a = a.Report(state)
		}
		for _, state := range rapid.Permutation(reports).Draw(t, "in another order") {
			other = other.Report(state).Report(state)
		}
		isOver := func(a engine.Attempt) bool {
			return a.State == engine.AttemptFailed || a.State == engine.AttemptCanceled
		}
		if !isOver(a) || !isOver(other) {
			assert.Equal(t, a, other)
		}
	})
}

// TestAttempt_DebitsAnInvoiceOnce lets servers begin, claim, send and cancel attempts to collect an invoice, and stop at
// any time. Requests and reports arrive late and repeatedly. The bank, which acts once per key, never debits more than once.
func TestAttempt_DebitsAnInvoiceOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &collection{T: t, now: start, bank: map[string][]engine.AttemptState{}}
		events := []func(){m.begin, m.send, m.arrive, m.proceed, m.cancel, m.cancelAtBank, m.report, m.wait}
		for range rapid.IntRange(1, 200).Draw(t, "length") {
			rapid.SampledFrom(events).Draw(t, "event")()
			require.LessOrEqual(t, m.debits(), 1)
		}
		for _, state := range m.bank[m.last.Key] {
			m.last = m.last.Report(state)
		}
		if at := m.attemptState(m.last.Key); at != "" && at != engine.AttemptOpen {
			assert.Equal(t, at, m.last.State, "after all reports")
		}
	})
}

// collection is the attempts to collect an invoice, and what the bank knows of them.
type collection struct {
	*rapid.T
	now      time.Time
	attempts int
	last     engine.Attempt
	sent     []string                         // keys of requests that can still arrive
	bank     map[string][]engine.AttemptState // the states of each payment, the latest one last
}

// attemptState returns the state of a payment at the bank.
func (m *collection) attemptState(key string) engine.AttemptState {
	states := m.bank[key]
	if len(states) == 0 {
		return ""
	}
	return states[len(states)-1]
}

func (m *collection) set(key string, states ...engine.AttemptState) {
	m.bank[key] = append(m.bank[key], rapid.SampledFrom(states).Draw(m.T, "state"))
}

func (m *collection) debits() (n int) {
	for _, states := range m.bank {
		if last := states[len(states)-1]; last == engine.AttemptProcessing || last == engine.AttemptPaid {
			n++
		}
	}
	return n
}

func (m *collection) begin() {
	if m.last.CheckNext("method", true) == nil {
		m.attempts++
		m.last = engine.Attempt{Key: strconv.Itoa(m.attempts), Method: "method", Amount: 3900, State: engine.AttemptStored}
	}
}

func (m *collection) send() {
	claimed, err := m.last.Claim(m.now, m.now.Add(time.Minute))
	if err == nil {
		m.last = claimed
		m.sent = append(m.sent, claimed.Key)
	}
}

func (m *collection) arrive() {
	if len(m.sent) == 0 {
		return
	}
	if key := m.sent[len(m.sent)-1-rapid.IntRange(0, len(m.sent)-1).Draw(m.T, "request")]; len(m.bank[key]) == 0 {
		m.set(key, engine.AttemptOpen, engine.AttemptOpen, engine.AttemptProcessing, engine.AttemptPaid, engine.AttemptFailed, engine.AttemptFailed)
	}
}

// proceed lets the customer pay, or the money arrive.
func (m *collection) proceed() {
	if m.attempts == 0 {
		return
	}
	key := strconv.Itoa(rapid.IntRange(1, m.attempts).Draw(m.T, "attempt"))
	switch m.attemptState(key) {
	case engine.AttemptOpen:
		m.set(key, engine.AttemptProcessing, engine.AttemptPaid)
	case engine.AttemptProcessing:
		m.set(key, engine.AttemptFailed, engine.AttemptPaid)
	}
}

func (m *collection) cancel() {
	if canceling, err := m.last.Cancel(); err == nil {
		m.last = canceling
	}
}

// cancelAtBank lets the request to cancel arrive, unless the customer was faster.
func (m *collection) cancelAtBank() {
	if m.last.State == engine.AttemptCanceling && m.attemptState(m.last.Key) == engine.AttemptOpen {
		m.set(m.last.Key, engine.AttemptCanceled)
	}
}

func (m *collection) report() {
	if states := m.bank[m.last.Key]; len(states) > 0 {
		m.last = m.last.Report(rapid.SampledFrom(states).Draw(m.T, "report"))
	}
}

func (m *collection) wait() { m.now = m.now.Add(2 * time.Minute) }

func TestAttempt_ClaimIsForOneServer(t *testing.T) {
	a := engine.Attempt{Key: "key", State: engine.AttemptStored}
	claimed, err := a.Claim(start, start.Add(time.Minute))
	require.NoError(t, err)
	_, err = claimed.Claim(start.Add(59*time.Second), start.Add(2*time.Minute))
	assert.True(t, fault.Is(err, fault.Conflict), "another server may still send it")
	again, err := claimed.Claim(start.Add(time.Minute), start.Add(2*time.Minute))
	require.NoError(t, err)
	assert.Equal(t, "key", again.Key)
	_, err = again.Report(engine.AttemptProcessing).Claim(start.Add(time.Hour), start.Add(2*time.Hour))
	assert.True(t, fault.Is(err, fault.Conflict), "it was accepted")
}
