package crash

import (
	"context"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

var building sync.Mutex

// binary builds the server with its crash points. Only the first time takes long.
func binary(t *testing.T) string {
	t.Helper()
	building.Lock()
	defer building.Unlock()
	path := filepath.Join(t.TempDir(), "diy")
	build := exec.CommandContext(context.WithoutCancel(t.Context()),
		"go", "build", "-trimpath", "-tags", "crashpoints", "-o", path, "github.com/vc-admin/diy/cmd/diy")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)
	return path
}
