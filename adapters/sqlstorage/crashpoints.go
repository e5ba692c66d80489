//go:build crashpoints

package sqlstorage

// SetBeforeCommit makes every write transaction call fn between its last statement and its commit. Call it
// before using a store. Only servers that are built for crash tests contain it.
func SetBeforeCommit(fn func()) { beforeCommit = fn }
