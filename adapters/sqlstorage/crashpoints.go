//go:build crashpoints

package sqlstorage

// SetBeforeCommit makes every write transaction call fn between its last statement and its commit. It must be called
// before a store is used. Because of the build tag, only the servers of crash tests contain it.
func SetBeforeCommit(fn func()) { beforeCommit = fn }
