package model

import (
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// deliverEvents delivers some of the queued events in any order, each of them one to three times, in sequence or
// concurrently. Events that the server does not accept stay queued.
func (h *harness) deliverEvents(t *rapid.T) {
	if len(h.events) == 0 {
		t.Skip("no events")
	}
	payloads := rapid.Permutation(h.events).Draw(t, "order")[:rapid.IntRange(1, len(h.events)).Draw(t, "how many")]
	h.drawFault(t)
	isConcurrent := rapid.Bool().Draw(t, "at once")
	acceptedPayloads := make(map[string]bool)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i, payload := range payloads {
		for n := range rapid.IntRange(1, 3).Draw(t, "times") {
			deliverEvent := func() {
				isKilled, err := runIsolated(func() error {
					return h.servers[(i+n)%2].ReceiveEvent.Do(t.Context(), h.NewDelivery(payload))
				})
				mu.Lock()
				defer mu.Unlock()
				if err == nil && !isKilled {
					acceptedPayloads[string(payload)] = true
				}
				assert.Contains(t, []fault.Code{"", fault.Unavailable}, fault.CodeOf(err))
			}
			wg.Go(deliverEvent)
			if !isConcurrent {
				wg.Wait()
			}
		}
	}
	wg.Wait()
	hasFault := h.faults.faultOccurred()
	h.faults.setFault(nil, 0)
	h.dequeueEvents(acceptedPayloads)
	assert.True(t, hasFault || len(acceptedPayloads) == len(payloads), "every event is accepted")
}

// dequeueEvents removes the accepted events.
func (h *harness) dequeueEvents(acceptedPayloads map[string]bool) {
	var remainingPayloads [][]byte
	for _, payload := range h.events {
		if !acceptedPayloads[string(payload)] {
			remainingPayloads = append(remainingPayloads, payload)
		}
	}
	h.events = remainingPayloads
	if len(remainingPayloads) == 0 {
		for _, o := range h.orgs {
			o.hasUnreportedChange = false
		}
	}
}

// confirmIntent completes an authentication, or retries a payment, as a browser does.
func (h *harness) confirmIntent(t *rapid.T) {
	o := h.drawOrg(t)
	var secrets []string
	initialState := h.providerState(t, o)
	for _, sub := range initialState.subs {
		if sub.PendingSetup != nil {
			secrets = append(secrets, sub.PendingSetup.ClientSecret)
		}
		if sub.LatestInvoice != nil && sub.LatestInvoice.Payment != nil {
			secrets = append(secrets, sub.LatestInvoice.Payment.ClientSecret)
		}
	}
	if len(secrets) == 0 {
		t.Skip("nothing to confirm")
	}
	_, err := h.Provider.Confirm(t.Context(), fakepayment.Confirmation{
		ClientSecret: rapid.SampledFrom(secrets).Draw(t, "secret"),
		Outcome: rapid.SampledFrom([]fakepayment.Outcome{fakepayment.NoOutcome, fakepayment.OutcomeComplete,
			fakepayment.OutcomeFail}).Draw(t, "outcome"),
	})
	if err == nil {
		h.counters["confirmed"]++
	}
	if initialState.liveSub() == nil && initialState.openSub() == nil {
		o.hasUnreportedChange = true // only the event reports that an unpaid subscription was paid
	}
	h.queueEvents()
}

// cancelAtProvider cancels a subscription at the provider. Only an event reports it.
func (h *harness) cancelAtProvider(t *rapid.T) {
	o := h.drawOrg(t)
	state := h.providerState(t, o)
	liveSub := state.liveSub()
	if liveSub == nil || state.isChangeProcessing() {
		t.Skip("nothing to cancel")
	}
	_, err := h.Provider.CancelSubscription(t.Context(),
		payment.Cancellation{Key: providerKey + liveSub.ID, SubscriptionID: liveSub.ID})
	require.NoError(t, err)
	t.Logf("%s is canceled at the provider", liveSub.ID)
	o.hasUnreportedChange = true
	h.queueEvents()
}

// advanceAtRandom executes delayed requests and moves the clock.
func (h *harness) advanceAtRandom(t *rapid.T) {
	h.completeDelayedCalls()
	step := rapid.SampledFrom([]time.Duration{
		time.Second, time.Minute, 3 * time.Minute, time.Hour, 23 * time.Hour, day, 3 * day,
		7 * day, 31 * day, 366 * day,
	}).Draw(t, "step")
	t.Logf("advance %s", step)
	h.advanceBy(t, step)
}

// skewClock moves the clock with which a server measures the age of operations, so that the server takes an operation
// over immediately, or never.
func (h *harness) skewClock(t *rapid.T) {
	serverIndex := rapid.IntRange(0, len(h.clockSkews)-1).Draw(t, "server")
	skew := rapid.SampledFrom([]time.Duration{
		0, 130 * time.Second, -130 * time.Second, time.Hour, -time.Hour, 30 * day, -30 * day,
	}).Draw(t, "clock")
	h.clockSkews[serverIndex].Store(int64(skew))
	h.counters["clock skewed"]++
}

func (h *harness) reconcile(t *rapid.T) {
	h.drawFault(t)
	server := h.drawServer(t)
	_, err := runIsolated(func() error {
		_, err := server.Reconcile.Do(t.Context())
		return err
	})
	h.faults.setFault(nil, 0)
	t.Logf("reconcile: %v", err)
	require.NoError(t, err)
	h.queueEvents()
}

func (h *harness) refreshBilling(t *rapid.T) {
	h.drawFault(t)
	server := h.drawServer(t)
	var count int
	isKilled, err := runIsolated(func() (err error) {
		count, err = server.RefreshBilling.Do(t.Context())
		return err
	})
	hasFault := h.faults.faultOccurred()
	h.faults.setFault(nil, 0)
	t.Logf("%d organisations checked: %v, killed: %t", count, err, isKilled)
	if !hasFault && !h.hasDelayedCall.Load() {
		require.NoError(t, err)
	}
	assert.Contains(t, []fault.Code{"", fault.Unavailable}, fault.CodeOf(err))
	h.counters["checked"] += count
	h.queueEvents()
}
