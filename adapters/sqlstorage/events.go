package sqlstorage

import (
	"context"
	"time"
)

const (
	selectEventHandledSQL = "SELECT EXISTS (SELECT 1 FROM events WHERE id = ?)"
	insertEventSQL        = "INSERT INTO events (id, type, handled_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
	sweepEventsSQL        = `DELETE FROM events WHERE id IN
		(SELECT id FROM events WHERE handled_at < ? ORDER BY handled_at LIMIT ?)`
)

// EventHandled implements storage.Events.
func (s *Store) EventHandled(ctx context.Context, id string) (bool, error) {
	var isHandled bool
	err := s.reader().get(ctx, "event", &isHandled, selectEventHandledSQL, id)
	return isHandled, s.toFault(err)
}

// RecordEvent implements storage.Events.
func (s *Store) RecordEvent(ctx context.Context, id, eventType string, now time.Time) error {
	return s.execWrite(ctx, insertEventSQL, id, eventType, newTimestamp(now))
}

// SweepEvents implements storage.Events.
func (s *Store) SweepEvents(ctx context.Context, before time.Time, limit int) (count int, err error) {
	err = s.write(ctx, func(c conn) error {
		deletedRows, err := c.exec(ctx, sweepEventsSQL, newTimestamp(before), limit)
		count = int(deletedRows)
		return err
	})
	return count, err
}
