package sqlstorage

import (
	"context"
	"errors"
	"os"

	"github.com/vc-admin/diy/domain/fault"
)

// errFileLocked means that another process holds the lock of a file.
var errFileLocked = errors.New("the file is locked by another process")

// ClaimServer makes the caller the only server on an SQLite file until the Store is closed or the
// process ends, however it ends. While another server holds the claim it is a Conflict. Claims do
// not affect commands, which open the file without one, nor servers of versions that make none. Any
// number of servers may claim a PostgreSQL database.
func (s *Store) ClaimServer(ctx context.Context) error {
	if s.dialect != sqliteDialect {
		return nil
	}
	var path string
	if err := s.reader().get(ctx, "file", &path, selectFile); err != nil {
		return s.fault(err)
	}
	// SQLite locks the database file itself, and closing any descriptor of it would release those locks.
	claim, err := lockFile(path + ".server")
	if errors.Is(err, errFileLocked) {
		return fault.Wrap(err, fault.Conflict, "Another server is running on "+path+": an SQLite file can have one, a PostgreSQL database many")
	}
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "The lock file of "+path+" can't be used")
	}
	s.claim = claim
	return nil
}

// release gives the claim up, if there is one.
func (s *Store) release() error {
	if s.claim == nil {
		return nil
	}
	if err := s.claim.Close(); !errors.Is(err, os.ErrClosed) { // Close may be called twice
		return err
	}
	return nil
}
