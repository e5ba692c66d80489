//go:build crashpoints

package sqlstorage

// SetBeforeCommit makes every transaction call fn after its last write and before its commit. Call it
// before using a store. Only servers built for crash tests have it.
func SetBeforeCommit(fn func()) { beforeCommit = fn }
