package states_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/internal/states"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

var (
	noon  = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	key   = []byte("key")
	state = states.State{
		Purpose: states.TwoStep, ExpiresAt: noon.Add(time.Minute), UserID: "user", Revision: 3, Challenge: "challenge",
		Secret: "secret", RecoveryCodes: []string{"code"},
	}
)

func TestRead_ReturnsASignedStateUntilItExpires(t *testing.T) {
	text, err := state.Sign(key)
	require.NoError(t, err)
	got, err := states.Read(key, text, states.TwoStep, noon.Add(time.Minute-1))
	require.NoError(t, err)
	assert.Equal(t, state, got)
	_, err = states.Read(key, text, states.TwoStep, noon.Add(time.Minute))
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
}

func TestRead_RefusesMalformedTexts(t *testing.T) {
	text, err := state.Sign(key)
	require.NoError(t, err)
	content, mac, _ := strings.Cut(text, ".")
	other := state
	other.UserID = "other"
	otherText, err := other.Sign(key)
	require.NoError(t, err)
	otherContent, _, _ := strings.Cut(otherText, ".")
	for _, text := range []string{"", ".", content, content + ".", otherContent + "." + mac, content + "." + content, text + "\n."} {
		_, err := states.Read(key, text, states.TwoStep, noon)
		assert.Equal(t, fault.NotFound, fault.CodeOf(err), text)
	}
	_, err = states.Read([]byte("other"), text, states.TwoStep, noon)
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	_, err = states.Read(key, text, states.AddPasskey, noon)
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
}

func TestCheck_RefusesOtherUsersAndRevisions(t *testing.T) {
	require.NoError(t, state.Check(account.User{ID: "user", SecurityRevision: 3}))
	assert.Error(t, state.Check(account.User{ID: "user", SecurityRevision: 4}))
	assert.Error(t, state.Check(account.User{ID: "other", SecurityRevision: 3}))
}
