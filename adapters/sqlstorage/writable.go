package sqlstorage

import (
	"context"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	selectFile     = "SELECT file FROM pragma_database_list WHERE name = 'main'"
	selectReadOnly = "SELECT current_setting('transaction_read_only') = 'on'"

	// roomWanted is left on the disk of a file before it counts as full: enough for what is under way.
	roomWanted = 16 << 20
)

// Writable reports as Unavailable that changes would be refused, as far as that is cheap to know:
// the file is gone, protected or on a disk without room; the server is a standby, or was set to
// read only, as managed ones are when they run out of room.
func (s *Store) Writable(ctx context.Context) error { return s.fault(s.dialect.writable(ctx, s)) }

func fileWritable(ctx context.Context, s *Store) error {
	var path string
	if err := s.reader().get(ctx, "file", &path, selectFile); err != nil {
		return err
	}
	return checkDisk(path, roomWanted)
}

// serverWritable asks a connection that is meant for writing: the others are read-only anyway.
func serverWritable(ctx context.Context, s *Store) error {
	var readOnly bool
	c := conn{db: s.writes, dialect: s.dialect, alone: true}
	if err := c.get(ctx, "setting", &readOnly, selectReadOnly); err != nil {
		return err
	}
	if readOnly {
		return fault.New(fault.Unavailable, "The database is read-only")
	}
	return nil
}
