package sqlstorage

import (
	"context"
	"errors"
	"os"

	"github.com/vc-admin/diy/domain/fault"
)

var errFileLocked = errors.New("the file is locked by another process")

// ClaimServer makes the caller the only server on an SQLite file until the Store is closed or the process
// ends. It returns Conflict while another server has the claim. Commands, which make no claim, can open
// the file meanwhile. On PostgreSQL it does nothing.
func (s *Store) ClaimServer(ctx context.Context) error {
	if s.dialect != sqliteDialect {
		return nil
	}
	var path string
	if err := s.reader().get(ctx, "file", &path, selectFile); err != nil {
		return s.fault(err)
	}
	// Use a separate file: closing a descriptor of the database file would release SQLite's own locks.
	file, err := lockFile(path + ".server")
	if errors.Is(err, errFileLocked) {
		return fault.Wrap(err, fault.Conflict, "Another server is running on "+path+": an SQLite file can have one, a PostgreSQL database many")
	}
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "The lock file of "+path+" can't be used")
	}
	s.lock = file
	return nil
}

// releaseServer releases the lock of ClaimServer. It may be called more than once.
func (s *Store) releaseServer() error {
	if s.lock == nil {
		return nil
	}
	if err := s.lock.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
