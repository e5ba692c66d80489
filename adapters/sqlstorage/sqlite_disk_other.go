//go:build !linux

package sqlstorage

// checkDisk returns nil. On this platform the write that fails reports a full disk.
func checkDisk(string, uint64) error { return nil }
