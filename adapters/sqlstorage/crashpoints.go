//go:build crashpoints

package sqlstorage

// SetBeforeCommit makes every write transaction call fn between its last statement and its commit. It must be
// called before a store is used. The build tag includes it only in the servers of crash tests.
func SetBeforeCommit(fn func()) { beforeCommit = fn }
