package identitytest

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/fault"
)

// worker counts the hashing and holds it up until gate is closed.
type worker struct {
	gate              chan struct{}
	begun, busy, most atomic.Int64
}

func newWorker() *worker { return &worker{gate: make(chan struct{})} }

func (w *worker) work() func() {
	w.begun.Add(1)
	busy := w.busy.Add(1)
	for most := w.most.Load(); busy > most && !w.most.CompareAndSwap(most, busy); most = w.most.Load() {
	}
	<-w.gate
	return func() { w.busy.Add(-1) }
}

// nobodysHash: an e-mail nobody has costs the same work, and no password belongs to it.
func nobodysHash(t *testing.T, open OpenPasswords) {
	w := newWorker()
	close(w.gate)
	p := open(t, 1, w.work)
	h := hash(t, p, "Correct Horse 1")

	before := w.begun.Load()
	assert.True(t, verify(t, p, "Correct Horse 1", h))
	known := w.begun.Load() - before
	for _, password := range []string{"", "Correct Horse 1"} {
		before = w.begun.Load()
		assert.False(t, verify(t, p, password, ""))
		assert.Equal(t, known, w.begun.Load()-before, "as much work as for a real hash")
	}
	assert.Positive(t, known)
}

func noMoreThanTheLimit(t *testing.T, open OpenPasswords) {
	synctest.Test(t, func(t *testing.T) {
		const limit, requests = 2, 6
		w := newWorker()
		p := open(t, limit, w.work)
		errs := make(chan error, requests)
		for range requests / 2 {
			go func() { _, err := p.Hash(t.Context(), "Correct Horse 1"); errs <- err }()
			go func() { _, err := p.Verify(t.Context(), "Correct Horse 1", ""); errs <- err }()
		}
		synctest.Wait()
		assert.EqualValues(t, limit, w.busy.Load(), "all places are taken")

		close(w.gate)
		for range requests {
			assert.NoError(t, <-errs, "everybody has their turn")
		}
		synctest.Wait()
		assert.EqualValues(t, limit, w.most.Load())
		assert.Zero(t, w.busy.Load())
	})
}

func givingUpWhileWaiting(t *testing.T, open OpenPasswords) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorker()
		p := open(t, 1, w.work)
		first := make(chan error, 1)
		go func() { _, err := p.Hash(t.Context(), "Correct Horse 1"); first <- err }()
		synctest.Wait()

		ctx, cancel := context.WithCancel(t.Context())
		errs := make(chan error, 2)
		go func() { _, err := p.Hash(ctx, "Correct Horse 1"); errs <- err }()
		go func() { _, err := p.Verify(ctx, "Correct Horse 1", ""); errs <- err }()
		synctest.Wait()
		assert.Empty(t, errs, "both wait")
		cancel()
		for range 2 {
			err := <-errs
			assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
		}
		assert.EqualValues(t, 1, w.begun.Load(), "neither did any work")
		close(w.gate)
		assert.NoError(t, <-first)
	})
}

// workEndsWhenDenied: a hash that can't be read doesn't keep its place for ever.
func workEndsWhenDenied(t *testing.T, open OpenPasswords) {
	p := open(t, 1, unwatched)
	_, err := p.Verify(t.Context(), "Correct Horse 1", "not a hash")
	assert.Error(t, err)
	assert.NotEmpty(t, hash(t, p, "Correct Horse 1"))
}

func endedContext(t *testing.T, open OpenPasswords) {
	p := open(t, 1, unwatched)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.Hash(ctx, "Correct Horse 1")
	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	_, err = p.Verify(ctx, "Correct Horse 1", "")
	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
}
