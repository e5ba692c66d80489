package sqlstorage

import (
	"cmp"
	"context"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
	"github.com/vc-admin/diy/ports/trace"
)

var (
	auditTable          = newTable[auditRow]("audit")
	auditNoteTable      = table{name: "audit_notes", columns: []string{"entry_id", "note"}}
	insertAuditEntrySQL = newTable[auditColumns]("audit").insertSQL() + " ON CONFLICT DO NOTHING RETURNING id"

	selectAuditEntriesSQL = "SELECT " + auditTable.aliasedColumns("a") + `, COALESCE(n.note, '') AS note
		FROM audit a LEFT JOIN audit_notes n ON n.entry_id = a.id WHERE `
	selectAuditOfOrganisationSQL = selectAuditEntriesSQL + "a.organisation_id = ? AND a.id < ? ORDER BY a.id DESC LIMIT ?"
	selectAuditOfKindsSQL        = selectAuditEntriesSQL + "a.organisation_id = ? AND a.id < ? AND a.kind IN (?) ORDER BY a.id DESC LIMIT ?"
)

const insertAuditNoteSQL = "INSERT INTO audit_notes (entry_id, note) VALUES (?, ?)"

// auditRow is an entry of the audit log.
type auditRow struct {
	ID int64 `db:"id"`
	auditColumns
}

type auditColumns struct {
	At             timestamp `db:"at"`
	Class          string    `db:"class"`
	OrganisationID string    `db:"organisation_id"`
	ActorKind      string    `db:"actor_kind"`
	Actor          string    `db:"actor"`
	Kind           string    `db:"kind"`
	Subject        string    `db:"subject"`
	Outcome        string    `db:"outcome"`
	Data           string    `db:"data"` // JSON; "" for none
	Cause          string    `db:"cause"`
	RequestID      string    `db:"request_id"`
}

// notedAuditRow is an entry with its note.
type notedAuditRow struct {
	Entry auditRow `db:"a"`
	Note  string   `db:"note"`
}

func newAuditColumns(e audit.Entry) auditColumns {
	columns := auditColumns{
		At: newTimestamp(e.At), Class: string(e.Class()), OrganisationID: e.OrganisationID, ActorKind: string(e.Actor.Kind),
		Actor: e.Actor.ID, Kind: string(e.Kind), Subject: e.Subject, Outcome: string(e.Outcome), Cause: e.Cause,
		RequestID: e.RequestID,
	}
	if len(e.Data) > 0 {
		columns.Data = marshalDocument(e.Data)
	}
	return columns
}

func (r notedAuditRow) entry() (audit.Entry, error) {
	c := r.Entry
	e := audit.Entry{
		ID: c.ID, At: c.At.time, OrganisationID: c.OrganisationID, Actor: audit.Actor{Kind: audit.ActorKind(c.ActorKind), ID: c.Actor},
		Kind: audit.Kind(c.Kind), Subject: c.Subject, Outcome: audit.Outcome(c.Outcome), Cause: c.Cause, RequestID: c.RequestID,
		Note: r.Note,
	}
	var err error
	if c.Data != "" {
		e.Data, err = unmarshalDocument[audit.Data](c.Data)
	}
	return e, err
}

// addAuditEntries completes the entries with the context and stores them.
func (c conn) addAuditEntries(ctx context.Context, entries ...audit.Entry) error {
	for _, e := range entries {
		if e.At.IsZero() {
			e.At = c.now()
		}
		e.Actor = cmp.Or(e.Actor, audit.ActorFromContext(ctx))
		e.Outcome = cmp.Or(e.Outcome, audit.Done)
		e.Cause = cmp.Or(e.Cause, audit.CauseFromContext(ctx))
		e.RequestID = cmp.Or(e.RequestID, trace.IDFromContext(ctx))
		if err := e.Validate(); err != nil {
			return fault.Wrap(err, fault.Internal, "The audit log refuses the entry")
		}
		if err := c.addAuditEntry(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// addAuditEntry stores an entry. It returns Conflict if the index audit_of_actions already contains it.
func (c conn) addAuditEntry(ctx context.Context, e audit.Entry) error {
	query, args, err := sqlx.Named(insertAuditEntrySQL, newAuditColumns(e))
	if err != nil {
		return err
	}
	var id int64
	if err := c.get(ctx, "entry", &id, query, args...); err != nil {
		return fault.ReplaceNotFound(err, fault.New(fault.Conflict, "This action was made before."))
	}
	if e.Note == "" {
		return nil
	}
	_, err = c.exec(ctx, insertAuditNoteSQL, id, e.Note)
	return err
}

// AddAuditEntries implements storage.AuditLog.
func (s *Store) AddAuditEntries(ctx context.Context, entries ...audit.Entry) error {
	return s.write(ctx, func(c conn) error { return c.addAuditEntries(ctx, entries...) })
}

// maxRowID is greater than or equal to every row id.
const maxRowID = 1<<63 - 1

// OrganisationAuditEntries implements storage.AuditLog.
func (s *Store) OrganisationAuditEntries(
	ctx context.Context, organisationID string, before int64, limit int, kinds ...audit.Kind,
) ([]audit.Entry, error) {
	before = cmp.Or(before, maxRowID)
	if len(kinds) == 0 {
		return s.listAuditEntries(ctx, selectAuditOfOrganisationSQL, organisationID, before, limit)
	}
	query, args, err := sqlx.In(selectAuditOfKindsSQL, organisationID, before, kinds, limit)
	if err != nil {
		return nil, s.toFault(err)
	}
	return s.listAuditEntries(ctx, query, args...)
}

// AuditEntries implements storage.AuditLog.
func (s *Store) AuditEntries(ctx context.Context, q storage.AuditQuery) ([]audit.Entry, error) {
	query, args := auditQuerySQL(q)
	return s.listAuditEntries(ctx, query, args...)
}

// auditQuerySQL returns the statement of a query with its arguments.
func auditQuerySQL(q storage.AuditQuery) (query string, args []any) {
	conditions, args := []string{"a.id > ?", "a.id <= ?"}, []any{q.AfterID, cmp.Or(q.UntilID, maxRowID)}
	restrict := func(isSet bool, condition string, values ...any) {
		if isSet {
			conditions, args = append(conditions, condition), append(args, values...)
		}
	}
	restrict(q.OrganisationID != "", "a.organisation_id = ?", q.OrganisationID)
	restrict(q.Actor != "", "a.actor = ?", q.Actor)
	// The second condition must equal that of the index.
	restrict(q.RequestID != "", "a.request_id = ? AND a.request_id <> ''", q.RequestID)
	restrict(q.Class != "", "a.class = ?", string(q.Class))
	restrict(q.Kind != "", "a.kind = ?", string(q.Kind))
	restrict(q.Cause != "", "a.cause = ?", q.Cause)
	restrict(!q.From.IsZero(), "a.at >= ?", newTimestamp(q.From))
	restrict(!q.Before.IsZero(), "a.at < ?", newTimestamp(q.Before))
	return selectAuditEntriesSQL + strings.Join(conditions, " AND ") + " ORDER BY a.id LIMIT ?", append(args, q.Limit)
}

func (s *Store) listAuditEntries(ctx context.Context, query string, args ...any) ([]audit.Entry, error) {
	entries, err := s.reader().listAuditEntries(ctx, query, args...)
	return entries, s.toFault(err)
}

func (c conn) listAuditEntries(ctx context.Context, query string, args ...any) ([]audit.Entry, error) {
	var rows []notedAuditRow
	if err := c.list(ctx, &rows, query, args...); err != nil {
		return nil, err
	}
	var entries []audit.Entry
	for _, row := range rows {
		e, err := row.entry()
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}
