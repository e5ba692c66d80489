//go:build unix

package sqlstorage

import (
	"errors"
	"os"
	"syscall"
)

// lockFile opens the file, which need not exist yet, and takes its exclusive lock: errFileLocked when
// another process has it. The kernel releases the lock with the last descriptor, also of a process
// that was killed. The file stays, because two processes could lock different files of its name if
// it were deleted.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errFileLocked
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
