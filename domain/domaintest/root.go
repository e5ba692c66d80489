package domaintest

import (
	"os"
	"path/filepath"
	"testing"
)

// Root is the folder that holds go.mod, found upwards from the working directory, which for a
// test is its package's own folder. The test ends when there is none.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("working directory: %v", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod in the working directory or above it")
		}
		dir = parent
	}
}
