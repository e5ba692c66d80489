package sqlstorage

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

var errFileLocked = errors.New("the file is locked by another process")

// AcquireServerLock makes the caller the only server on an SQLite file until the Store is closed or the process
// ends. It returns Conflict while another server has the lock. Commands can open the file without the lock. On PostgreSQL
// AcquireServerLock does nothing.
func (s *Store) AcquireServerLock(ctx context.Context) error {
	if s.dialect != sqliteDialect {
		return nil
	}
	path, err := s.filePath(ctx)
	if err != nil {
		return err
	}
	file, err := lockFile(path + ".server")
	if errors.Is(err, errFileLocked) {
		return fault.Wrap(err, fault.Conflict,
			"Another server is running on "+path+": an SQLite file can have one, a PostgreSQL database many")
	}
	if err != nil {
		return lockFault(err, path)
	}
	s.serverLock = file
	return nil
}

// releaseServerLock releases the lock of AcquireServerLock. It may be called more than once.
func (s *Store) releaseServerLock() error {
	if s.serverLock == nil {
		return nil
	}
	if err := s.serverLock.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// lockSQLiteMigrations waits until no other process migrates the SQLite file, and locks it until the result is closed.
// SQLite's own locks are not enough, because goose reads the applied versions before it locks the database. A second
// process could repeat an early migration after later ones, and drop the columns that the later ones have added.
func (s *Store) lockSQLiteMigrations(ctx context.Context) (*os.File, error) {
	path, err := s.filePath(ctx)
	if err != nil {
		return nil, err
	}
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		file, err := lockFile(path + ".migration")
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, errFileLocked) {
			return nil, lockFault(err, path)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil, fault.Wrap(ctx.Err(), fault.Unavailable, "Another process is migrating "+path)
		}
	}
}

// filePath returns the path of the SQLite file. The lock files are beside the SQLite file, because closing a descriptor
// of the file itself would release SQLite's own locks.
func (s *Store) filePath(ctx context.Context) (path string, err error) {
	err = s.reader().get(ctx, "file", &path, selectFilePathSQL)
	return path, s.toFault(err)
}

// lockFault returns Unavailable for a lock file that can't be opened or locked.
func lockFault(err error, path string) error {
	return fault.Wrap(err, fault.Unavailable,
		"The lock file of "+path+" can't be used; it must belong to the user who runs the server")
}
