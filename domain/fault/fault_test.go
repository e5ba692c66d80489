package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/fault"
)

func TestCodeAndMessageOf_ReadWrappedFaults(t *testing.T) {
	inner := fault.New(fault.NotFound, "No such card")
	tests := []struct {
		name    string
		err     error
		code    fault.Code
		message string
	}{
		{"nil", nil, "", ""},
		{"another error", io.EOF, fault.Internal, ""},
		{"a fault", inner, fault.NotFound, "No such card"},
		{"formatted", fault.Newf(fault.RateLimited, "Wait %d seconds", 3), fault.RateLimited, "Wait 3 seconds"},
		{"a wrapped fault", fmt.Errorf("deleting: %w", inner), fault.NotFound, "No such card"},
		{"a joined fault", errors.Join(io.EOF, inner), fault.NotFound, "No such card"},
		{"nested faults", fault.Wrap(inner, fault.Unavailable, "Try again later"), fault.Unavailable, "Try again later"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.code, fault.CodeOf(tt.err))
			assert.Equal(t, tt.message, fault.MessageOf(tt.err))
			assert.True(t, fault.Is(tt.err, tt.code))
			assert.False(t, fault.Is(tt.err, fault.Conflict))
		})
	}
}

func TestWrap_KeepsCause(t *testing.T) {
	err := fault.Wrap(io.ErrUnexpectedEOF, fault.Unavailable, "Try again later")
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.EqualError(t, err, "unavailable: Try again later: unexpected EOF")
	assert.Equal(t, "Try again later", err.Message)
}

func TestError_TextOmitsMissingCause(t *testing.T) {
	err := fault.New(fault.Conflict, "You have this plan already")
	assert.NoError(t, err.Unwrap())
	assert.EqualError(t, err, "conflict: You have this plan already")
}
