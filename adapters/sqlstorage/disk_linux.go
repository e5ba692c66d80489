package sqlstorage

import (
	"syscall"

	"github.com/vc-admin/diy/domain/fault"
)

const mayWrite = 2 // W_OK

// checkDisk reports a file that can't be written to, or whose disk has less room than wanted.
func checkDisk(path string, wanted uint64) error {
	if err := syscall.Access(path, mayWrite); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The file of the database can't be written to")
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(path, &disk); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The disk of the database can't be looked at")
	}
	if disk.Bavail < wanted/uint64(disk.Bsize) { //nolint:gosec // a block has a size
		return fault.New(fault.Unavailable, "The disk of the database is full")
	}
	return nil
}
