package sqlstorage

import (
	"context"
	"time"
)

const (
	selectEventHandled = "SELECT EXISTS (SELECT 1 FROM events WHERE id = ?)"
	insertEvent        = "INSERT INTO events (id, kind, handled_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
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
