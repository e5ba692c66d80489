package devclock_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/domain/fault"
)

func TestTheOffsetSurvivesARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock")
	for range 3 {
		_, err := opened(t, path).Advance(24 * time.Hour)
		require.NoError(t, err)
	}

	assert.Equal(t, noon.AddDate(0, 0, 3), opened(t, path).Now())
}

func TestNothingIsLeftBesideTheFile(t *testing.T) {
	folder := t.TempDir()
	_, err := opened(t, filepath.Join(folder, "clock")).Advance(time.Hour)
	require.NoError(t, err)

	entries, err := os.ReadDir(folder)

	require.NoError(t, err)
	require.Len(t, entries, 1)
	assert.Equal(t, "clock", entries[0].Name())
}

func TestAMoveThatCannotBeKeptMovesNothing(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "gone")
	clock := opened(t, filepath.Join(folder, "clock"))

	_, err := clock.Advance(time.Hour)

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.Equal(t, noon, clock.Now())
}

func TestADamagedFileIsNotGuessedAt(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "no duration": "soon\n", "backwards": "-1h\n", "too far": "2000000h\n"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "clock")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))

			_, err := devclock.Open(path, nil)

			assert.ErrorContains(t, err, path)
		})
	}
}
