package model

import (
	"sync"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/fault"
)

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
