package model

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/fault"
)

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

// moveClock sets the clock by which a server counts the ages of operations: it takes over what another
// one is busy with, or waits for ever longer.
func (h *house) moveClock(t *rapid.T) {
	server := rapid.IntRange(0, len(h.skew)-1).Draw(t, "server")
	skew := rapid.SampledFrom([]time.Duration{
		0, 130 * time.Second, -130 * time.Second, time.Hour, -time.Hour, 30 * flowtest.Day, -30 * flowtest.Day,
	}).Draw(t, "clock")
	h.skew[server].Store(int64(skew))
	h.tally["clock moved"]++
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

// check is one round of asking about licenses that nobody looks at.
func (h *house) check(t *rapid.T) {
	h.awaitTrouble(t)
	server := h.someServer(t)
	var checked int
	died, err := inPeace(func() (err error) {
		checked, err = server.CheckLicenses.Do(t.Context())
		return err
	})
	troubled := h.trouble.wasMet()
	h.trouble.arm(nil, 0)
	t.Logf("%d checked: %v, died: %t", checked, err, died)
	if !troubled && !h.late.Load() {
		require.NoError(t, err)
	}
	assert.Contains(t, []fault.Code{"", fault.Unavailable}, fault.CodeOf(err))
	h.tally["checked"] += checked
	h.hear()
}
