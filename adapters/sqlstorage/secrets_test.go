package sqlstorage_test

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
)

func TestSecretIsMadeOnceAndSharedByAllServers(t *testing.T) {
	url := "sqlite:" + filepath.Join(t.TempDir(), "diy.db")
	got := make([][]byte, 4)
	var asking sync.WaitGroup
	for i := range got {
		store, err := sqlstorage.Open(t.Context(), url)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, store.Close()) })
		require.NoError(t, store.Migrate(t.Context()))
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
}

func TestSecretsOfDifferentNamesDiffer(t *testing.T) {
	store, err := sqlstorage.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "diy.db"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, store.Close()) })
	require.NoError(t, store.Migrate(t.Context()))

	one, err := store.Secret(t.Context(), "one")
	require.NoError(t, err)
	other, err := store.Secret(t.Context(), "other")
	require.NoError(t, err)

	assert.NotEqual(t, one, other)
}
