//go:build unix

package fakegateway

import (
	"os"
	"syscall"
)

// lockFile waits until no other process has locked the file, and locks it.
func lockFile(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_EX) }

func unlockFile(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
