package crash

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// binary is the server with its crash points.
func binary(t *testing.T) string {
	t.Helper()
	path, err := built()
	require.NoError(t, err)
	return path
}

// built builds it, once, beside the program of these tests, which goes when they are over.
var built = sync.OnceValues(func() (string, error) {
	tests, err := os.Executable()
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(tests), "diy")
	build := exec.CommandContext(context.Background(),
		"go", "build", "-trimpath", "-tags", "crashpoints", "-o", path, "github.com/vc-admin/diy/cmd/diy")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, said)
	}
	return path, nil
})
