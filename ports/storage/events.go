package storage

import (
	"context"
	"time"
)

// Events stores which webhook events of the provider were handled.
type Events interface {
	// EventHandled reports whether RecordEvent was called for the event.
	EventHandled(ctx context.Context, id string) (bool, error)
	// RecordEvent records that the event was handled. It may be called more than once.
	RecordEvent(ctx context.Context, id, eventType string, at time.Time) error
	// SweepEvents deletes at most limit events that were handled before the given time, and returns their
	// number.
	SweepEvents(ctx context.Context, before time.Time, limit int) (int, error)
}
