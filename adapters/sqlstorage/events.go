package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/ports/storage"
)

// hasFinalOutcomeSQL selects the events for which another delivery has no effect.
const hasFinalOutcomeSQL = "events.outcome IN ('applied', 'ignored')"

var (
	eventTable     = newTable[eventRow]("events")
	insertEventSQL = eventTable.insertSQL() + ` ON CONFLICT (id) DO UPDATE
		SET type = excluded.type, organisation_id = excluded.organisation_id, outcome = excluded.outcome, received_at = excluded.received_at
		WHERE NOT ` + hasFinalOutcomeSQL
	selectOrganisationEventsSQL = eventTable.selectSQL(
		"WHERE organisation_id = ? AND organisation_id <> '' ORDER BY received_at DESC, id DESC LIMIT ?")
)

const (
	selectEventHandledSQL = "SELECT EXISTS (SELECT 1 FROM events WHERE id = ? AND " + hasFinalOutcomeSQL + ")"
	sweepEventsSQL        = `DELETE FROM events WHERE id IN
		(SELECT id FROM events WHERE received_at < ? ORDER BY received_at LIMIT ?)`
)

// eventRow is a received event of the payment provider.
type eventRow struct {
	ID             string    `db:"id"`
	Type           string    `db:"type"`
	OrganisationID string    `db:"organisation_id"` // "" for none
	Outcome        string    `db:"outcome"`
	ReceivedAt     timestamp `db:"received_at"`
}

// EventHandled implements storage.Events.
func (s *Store) EventHandled(ctx context.Context, id string) (bool, error) {
	var isHandled bool
	err := s.reader().get(ctx, "event", &isHandled, selectEventHandledSQL, id)
	return isHandled, s.toFault(err)
}

// RecordEvent implements storage.Events.
func (s *Store) RecordEvent(ctx context.Context, e storage.ReceivedEvent) error {
	row := eventRow{
		ID: e.ID, Type: e.Type, OrganisationID: e.OrganisationID, Outcome: string(e.Outcome), ReceivedAt: newTimestamp(e.ReceivedAt),
	}
	return s.write(ctx, func(c conn) error { return c.save(ctx, insertEventSQL, row) })
}

// OrganisationEvents implements storage.Events.
func (s *Store) OrganisationEvents(ctx context.Context, organisationID string, limit int) ([]storage.ReceivedEvent, error) {
	var rows []eventRow
	if err := s.reader().list(ctx, &rows, selectOrganisationEventsSQL, organisationID, limit); err != nil {
		return nil, s.toFault(err)
	}
	var events []storage.ReceivedEvent
	for _, r := range rows {
		events = append(events, storage.ReceivedEvent{
			ID: r.ID, Type: r.Type, OrganisationID: r.OrganisationID, Outcome: storage.EventOutcome(r.Outcome), ReceivedAt: r.ReceivedAt.time,
		})
	}
	return events, nil
}

// SweepEvents implements storage.Events.
func (s *Store) SweepEvents(ctx context.Context, before time.Time, limit int) (int, error) {
	return s.execSweep(ctx, sweepEventsSQL, newTimestamp(before), limit)
}
