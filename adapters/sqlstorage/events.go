package sqlstorage

import (
	"context"
	"time"
)

const (
	selectEventHandled = "SELECT EXISTS (SELECT 1 FROM events WHERE id = ?)"
	insertEvent        = "INSERT INTO events (id, kind, handled_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
	sweepEvents        = "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE handled_at < ? ORDER BY handled_at LIMIT ?)"
)

// EventHandled implements storage.Events.
func (s *Store) EventHandled(ctx context.Context, id string) (bool, error) {
	var handled bool
	err := s.reader().get(ctx, "event", &handled, selectEventHandled, id)
	return handled, s.fault(err)
}

// RecordEvent implements storage.Events.
func (s *Store) RecordEvent(ctx context.Context, id, kind string, now time.Time) error {
	return s.execWrite(ctx, insertEvent, id, kind, newTimestamp(now))
}

// SweepEvents implements storage.Events.
func (s *Store) SweepEvents(ctx context.Context, before time.Time, limit int) (deleted int, err error) {
	err = s.write(ctx, func(c conn) error {
		n, err := c.exec(ctx, sweepEvents, newTimestamp(before), limit)
		deleted = int(n)
		return err
	})
	return deleted, err
}
