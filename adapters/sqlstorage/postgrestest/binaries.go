package postgrestest

import (
	"cmp"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// findBinaries returns the folder with initdb and pg_ctl: the newest of Debian's, which are not on
// the path, or the one on the path.
func findBinaries() (string, error) {
	debians, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err == nil && len(debians) > 0 {
		return filepath.Dir(slices.MaxFunc(debians, byVersion)), nil
	}
	found, err := exec.LookPath("initdb")
	if err != nil {
		return "", fmt.Errorf("PostgreSQL is not installed: %w", err)
	}
	if found, err = filepath.EvalSymlinks(found); err != nil {
		return "", err
	}
	return filepath.Dir(found), nil
}

// byVersion compares paths of Debian's: 9 comes before 15.
func byVersion(x, y string) int { return cmp.Compare(versionOf(x), versionOf(y)) }

func versionOf(path string) float64 {
	version, _ := strconv.ParseFloat(filepath.Base(filepath.Dir(filepath.Dir(path))), 64) // 0 for none
	return version
}
