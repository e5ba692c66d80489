package sessionidentity

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

// busy are passwords with one place, which is taken until the gate is closed.
func busy(gate chan struct{}) *Passwords {
	return newPasswords(1, func() func() { <-gate; return func() {} })
}

func TestACrowdIsRefusedAtOnceAndNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		p := busy(gate)
		errs := make(chan error, 2*crowd)
		for range 1 + crowd {
			go func() { _, err := p.Verify(t.Context(), "Correct Horse 1", ""); errs <- err }()
		}
		synctest.Wait()
		require.Empty(t, errs, "one works, the others wait")

		_, err := p.Hash(t.Context(), "Correct Horse 1")
		assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
		assert.ErrorIs(t, err, errCrowd)

		pass(patience)
		synctest.Wait()
		assert.Len(t, errs, crowd, "their patience is over")
		close(gate)
		_, err = p.Verify(t.Context(), "Correct Horse 1", "")
		assert.NoError(t, err, "there is room again")
	})
}

func TestWhoWaitsIsServedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate, order := make(chan struct{}), make(chan int, 5)
		p := busy(gate)
		for i := range cap(order) {
			go func() {
				if assert.NoError(t, p.wait(t.Context())) {
					order <- i
					<-gate
					p.leave()
				}
			}()
			synctest.Wait()
		}
		close(gate)
		synctest.Wait()
		for i := range cap(order) {
			assert.Equal(t, i, <-order)
		}
	})
}
