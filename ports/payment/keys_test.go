package payment

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestResponse_IsReplayedOnlyForTheSameRequest(t *testing.T) {
	fingerprint, err := Fingerprint("make", "key", "one")
	require.NoError(t, err)
	other, err := Fingerprint("make", "key", "two")
	require.NoError(t, err)
	_, err = Fingerprint("make", "", "one")
	assert.Equal(t, fault.Invalid, fault.CodeOf(err), "no key")

	success, err := NewResponse(fingerprint, 7, nil)
	require.NoError(t, err)
	refusal, err := NewResponse(fingerprint, 0, fault.New(fault.NotFound, "There is none."))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		response    Response
		fingerprint string
		want        fault.Code
	}{
		"success":         {success, fingerprint, ""},
		"refusal":         {refusal, fingerprint, fault.NotFound},
		"another request": {success, other, fault.Conflict},
		"retired":         {Response{}, fingerprint, fault.Conflict},
	} {
		var value int
		err := c.response.Replay(c.fingerprint, &value)
		assert.Equal(t, c.want == "", err == nil && value == 7, name)
		if c.want != "" {
			assert.Equal(t, c.want, fault.CodeOf(err), name)
		}
		assert.Equal(t, name == "retired", c.response.CheckRetired() == nil, name)
	}
	assert.ErrorIs(t, Response{}.Replay(fingerprint, nil), ErrKeyRetired)
}
