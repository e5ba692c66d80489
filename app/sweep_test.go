package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
)

func TestSweepDeletesExpiredTokens(t *testing.T) {
	for _, want := range []error{nil, errOutage} {
		b := newBench(t)
		b.store.EXPECT().SweepVerifications(mock.Anything, noon).Return(want).Once()
		assert.Equal(t, want, b.Sweep.Do(t.Context()))
	}
}
