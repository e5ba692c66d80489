package sqlstorage

import (
	"context"
	"database/sql"

	"github.com/vc-admin/diy/ports/storage"
)

// Both walk an index from its oldest end, and not far.
const (
	selectEmailAges     = "SELECT created_at FROM letters ORDER BY created_at, id LIMIT ?"
	selectOperationAges = "SELECT created_at FROM operations WHERE settled_at IS NULL ORDER BY created_at, key LIMIT ?"
)

// Backlog tells what waits. It is cheap however much that is.
func (s *Store) Backlog(ctx context.Context) (storage.Backlog, error) {
	waiting, err := s.queue(ctx, selectEmailAges)
	if err != nil {
		return storage.Backlog{}, err
	}
	pending, err := s.queue(ctx, selectOperationAges)
	return storage.Backlog{Emails: waiting, Operations: pending}, err
}

func (s *Store) queue(ctx context.Context, query string) (storage.Queue, error) {
	var since []instant
	if err := s.reader().list(ctx, &since, query, storage.BacklogLimit); err != nil || len(since) == 0 {
		return storage.Queue{}, s.fault(err)
	}
	return storage.Queue{Count: len(since), Oldest: since[0].t}, nil
}

// Pools are the pools of connections by name, for whoever watches how they are used.
func (s *Store) Pools() map[string]*sql.DB {
	return map[string]*sql.DB{"reads": s.reads.DB, "writes": s.writes.DB}
}
