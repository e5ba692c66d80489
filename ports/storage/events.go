package storage

import (
	"context"
	"time"
)

// ReceivedEvent is an event that the provider has reported, with its outcome.
type ReceivedEvent struct {
	ID             string // the provider's id of the event
	Type           string // the provider's name of the event type
	OrganisationID string // "" if the event belongs to none
	Outcome        EventOutcome
	ReceivedAt     time.Time
}

// EventOutcome is what the application did with an event.
type EventOutcome string

// The outcomes of events. EventApplied and EventIgnored are final: another delivery of the event has no effect.
const (
	EventApplied EventOutcome = "applied" // the copy shows the provider's report
	EventIgnored EventOutcome = "ignored" // it does not concern billing, or the customer is unknown
	EventFailed  EventOutcome = "failed"  // the provider delivers it again
	// EventUnsigned means that the event was applied but may be forged. A genuine event may have the same ID.
	EventUnsigned EventOutcome = "unsigned"
)

// Events stores the events that the provider has reported.
type Events interface {
	// EventHandled reports whether the event was recorded with a final outcome.
	EventHandled(ctx context.Context, id string) (bool, error)
	// RecordEvent records an event. It replaces an earlier record of the event unless the outcome of that record is final.
	RecordEvent(ctx context.Context, e ReceivedEvent) error
	// OrganisationEvents returns the events of an organisation that arrived last, newest first.
	OrganisationEvents(ctx context.Context, organisationID string, limit int) ([]ReceivedEvent, error)
	// SweepEvents deletes at most limit events that arrived before the given time, and returns their number.
	SweepEvents(ctx context.Context, before time.Time, limit int) (int, error)
}
