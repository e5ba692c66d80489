package sessionidentity

import (
	"strings"
	"testing"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/identity/identitytest"
)

func TestPasswords(t *testing.T) {
	identitytest.RunPasswords(t, func(_ *testing.T, limit int, work func() func()) identity.Passwords {
		return newPasswords(limit, work)
	})
}

func TestHashesNameTheirParameters(t *testing.T) {
	p := NewPasswords()
	hash, err := p.Hash(t.Context(), "Correct Horse 1")
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$"), hash)
	assert.Len(t, hash, len(p.nobodys), "nobody's hash costs what a real one does")
	assert.Equal(t, prefix(hash), prefix(p.nobodys))
}

func prefix(hash string) string { return strings.Join(strings.Split(hash, "$")[:4], "$") }

func TestHashesOfOtherParametersStillVerify(t *testing.T) {
	old, err := argon2id.CreateHash("Correct Horse 1", &argon2id.Params{
		Memory: 1024, Iterations: 1, Parallelism: 2, SaltLength: 8, KeyLength: 16,
	})
	require.NoError(t, err)
	p := NewPasswords()
	for password, want := range map[string]bool{"Correct Horse 1": true, "Correct Horse 2": false} {
		right, err := p.Verify(t.Context(), password, old)
		require.NoError(t, err)
		assert.Equal(t, want, right)
	}
}

func TestAnUnreadableHashIsNotQuoted(t *testing.T) {
	_, err := NewPasswords().Verify(t.Context(), "Correct Horse 1", "$argon2id$v=19$m=1,t=1,p=1$???$SECRET")
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "SECRET")
	assert.NotContains(t, err.Error(), "Horse")
}
