package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
)

func TestSignOutEndsTheSession(t *testing.T) {
	for _, want := range []error{nil, errOutage} {
		b := newBench(t)
		b.sessions.EXPECT().End(mock.Anything).Return(want).Once()
		assert.Equal(t, want, b.SignOut.Do(t.Context()))
	}
}
