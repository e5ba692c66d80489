//go:build !unix

package fakegateway

import "os"

// lockFile does nothing, so only one process can use the file on this system.
func lockFile(*os.File) error { return nil }

func unlockFile(*os.File) error { return nil }
