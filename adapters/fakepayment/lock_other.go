//go:build !unix

package fakepayment

import "os"

// lockFile only makes the file where the system has no locks that end with the process.
func lockFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}
