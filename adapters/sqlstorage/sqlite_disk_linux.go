package sqlstorage

import (
	"syscall"

	"github.com/vc-admin/diy/domain/fault"
)

const accessWrite = 2 // W_OK of access(2)

// checkDisk returns Unavailable if the file is not writable or its disk has less free space than minFree
// bytes.
func checkDisk(path string, minFree uint64) error {
	if err := syscall.Access(path, accessWrite); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The database file is not writable")
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(path, &disk); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The free space on the database's disk is unknown")
	}
	if disk.Bavail < minFree/uint64(disk.Bsize) { //nolint:gosec // the block size is positive
		return fault.New(fault.Unavailable, "The disk of the database is full")
	}
	return nil
}
