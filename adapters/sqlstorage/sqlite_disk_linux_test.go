package sqlstorage

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestCheckDisk_FailsWhenFullOrNotWritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "diy.db")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	assert.NoError(t, checkDisk(file, 1))

	err := checkDisk(file, math.MaxUint64)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.ErrorContains(t, err, "full")
	assert.Equal(t, fault.Unavailable, fault.CodeOf(checkDisk("/proc/version/diy.db", 1)), "not writable, even for root")
}
