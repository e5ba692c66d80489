//go:build unix

package sqlstorage

import (
	"errors"
	"os"
	"syscall"
)

// lockFile opens the file, which it creates if necessary, and locks it. It returns errFileLocked if another process has
// locked it. The kernel releases the lock when the file is closed or the process ends. The file is never deleted, because
// two processes could then lock different files of the same name.
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
