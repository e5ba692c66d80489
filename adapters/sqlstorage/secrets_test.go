package sqlstorage_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSecretIsMadeOnceAndSharedByAllServers(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		url := k.ready(t)
		got := make([][]byte, 4)
		var asking sync.WaitGroup
		for i := range got {
			store := migrated(t, url)
			asking.Go(func() {
				secret, err := store.Secret(t.Context(), "xsrf")
				assert.NoError(t, err)
				got[i] = secret
			})
		}
		asking.Wait()

		assert.Len(t, got[0], 32)
		for _, secret := range got {
			assert.Equal(t, got[0], secret)
		}
	})
}

func TestSecretsOfDifferentNamesDiffer(t *testing.T) {
	store := migrated(t, newFile(t))

	one, err := store.Secret(t.Context(), "one")
	require.NoError(t, err)
	other, err := store.Secret(t.Context(), "other")
	require.NoError(t, err)

	assert.NotEqual(t, one, other)
}
