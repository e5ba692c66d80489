//go:build !crashpoints

package sqlstorage

// beforeCommit adds nothing: only a server built to be killed in tests can be interrupted there.
func beforeCommit(fn func(conn) error) func(conn) error { return fn }
