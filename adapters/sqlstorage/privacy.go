package sqlstorage

import (
	"context"
	"encoding/json"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	erasureTable         = newTable[erasureRow]("erasures")
	insertErasureSQL     = erasureTable.insertSQL() + " ON CONFLICT DO NOTHING"
	selectErasureSQL     = erasureTable.selectSQL("WHERE organisation_id = ?")
	selectDueErasuresSQL = erasureTable.selectSQL("WHERE due_at <= ? AND organisation_id > ? ORDER BY organisation_id LIMIT ?")

	keptInvoiceTable      = newTable[keptInvoiceRow]("kept_invoices")
	insertKeptInvoiceSQL  = keptInvoiceTable.insertSQL() + " ON CONFLICT DO NOTHING"
	selectKeptInvoicesSQL = keptInvoiceTable.selectSQL("WHERE number = ?")
)

const (
	deleteErasureSQL         = "DELETE FROM erasures WHERE organisation_id = ?"
	countPendingOperationSQL = "SELECT COUNT(*) FROM operations WHERE organisation_id = ? AND settled_at IS NULL"
	sweepKeptInvoicesSQL     = "DELETE FROM kept_invoices WHERE keep_until <= ?"
)

type erasureRow struct {
	OrganisationID string    `db:"organisation_id"`
	RequestedBy    string    `db:"requested_by"`
	RequestedAt    timestamp `db:"requested_at"`
	DueAt          timestamp `db:"due_at"`
}

func (r erasureRow) erasure() account.Erasure {
	return account.Erasure{
		OrganisationID: r.OrganisationID, RequestedBy: r.RequestedBy, RequestedAt: r.RequestedAt.time, DueAt: r.DueAt.time,
	}
}

type keptInvoiceRow struct {
	OrganisationID string    `db:"organisation_id"`
	ID             string    `db:"id"`
	Number         string    `db:"number"`
	CustomerID     string    `db:"customer_id"`
	Document       string    `db:"document"`  // JSON of billing.Invoice.Summary
	Addressee      string    `db:"addressee"` // JSON of billing.Buyer
	KeepUntil      timestamp `db:"keep_until"`
}

// ExportOrganisation implements storage.Privacy. It reads the columns that dataMap marks as exported.
func (s *Store) ExportOrganisation(ctx context.Context, organisationID string) (storage.Export, error) {
	export := storage.Export{}
	err := s.read(ctx, func(c conn) error {
		clear(export)
		for _, table := range dataMap {
			query := table.exportSQL()
			if query == "" {
				continue
			}
			rows, err := c.listMaps(ctx, query, organisationID)
			if err != nil {
				return err
			}
			export[table.name] = rows
		}
		if len(export["organisations"]) == 0 {
			return fault.New(fault.NotFound, "There is no such organisation")
		}
		return nil
	})
	return export, err
}

// listMaps reads all rows of a query by the names of their columns.
func (c conn) listMaps(ctx context.Context, query string, args ...any) (result []map[string]any, err error) {
	rows, err := c.db.QueryxContext(ctx, c.rebind(query), args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	result = []map[string]any{}
	for rows.Next() {
		row := map[string]any{}
		if err := rows.MapScan(row); err != nil {
			return nil, err
		}
		for column, value := range row {
			row[column] = exportedValue(column, value)
		}
		result = append(result, row)
	}
	return result, rows.Err()
}

// exportedValue returns a document as JSON, a time in UTC, and text as a string.
func exportedValue(column string, value any) any {
	if text, ok := value.([]byte); ok {
		value = string(text)
	}
	switch v := value.(type) {
	case time.Time:
		return v.UTC()
	case string:
		if (column == "document" || column == "details" || column == "data") && json.Valid([]byte(v)) {
			return json.RawMessage(v)
		}
	}
	return value
}

// ErasureState implements storage.Privacy.
func (s *Store) ErasureState(ctx context.Context, organisationID string) (state storage.ErasureState, err error) {
	err = s.read(ctx, func(c conn) error {
		state, err = c.readErasureState(ctx, organisationID, "")
		return err
	})
	return state, err
}

// readErasureState locks the organisation if lock is conn.forUpdate.
func (c conn) readErasureState(ctx context.Context, organisationID, lock string) (state storage.ErasureState, err error) {
	rows, err := c.readOrganisationRows(ctx, selectOrganisationSQL+lock, organisationID)
	if err != nil {
		return state, err
	}
	if state.Organisation, err = rows.organisation(); err != nil {
		return state, err
	}
	if state.Invoices, err = c.listInvoices(ctx, organisationID); err != nil {
		return state, err
	}
	var operations int
	if err := c.get(ctx, "operation", &operations, countPendingOperationSQL, organisationID); err != nil {
		return state, err
	}
	state.IsOperationPending = operations > 0
	var erasure erasureRow
	err = c.get(ctx, "request for an erasure", &erasure, selectErasureSQL, organisationID)
	state.Erasure = erasure.erasure()
	return state, fault.ReplaceNotFound(err, nil)
}

// RequestErasure implements storage.Privacy.
func (s *Store) RequestErasure(
	ctx context.Context, e account.Erasure, check func(storage.ErasureState) error, emails []mail.Message, entry audit.Entry,
) error {
	return s.write(ctx, func(c conn) error {
		state, err := c.readErasureState(ctx, e.OrganisationID, c.forUpdate)
		if err != nil {
			return err
		}
		if err := check(state); err != nil {
			return callerError{err}
		}
		count, err := c.execNamed(ctx, insertErasureSQL,
			erasureRow{e.OrganisationID, e.RequestedBy, newTimestamp(e.RequestedAt), newTimestamp(e.DueAt)})
		if err != nil {
			return err
		}
		if count == 0 {
			return fault.New(fault.Conflict, "The deletion has been requested already.")
		}
		return c.addErasureEffects(ctx, notNull(e.OrganisationID), e.RequestedAt, emails, entry)
	})
}

// WithdrawErasure implements storage.Privacy.
func (s *Store) WithdrawErasure(
	ctx context.Context, organisationID string, now time.Time, emails []mail.Message, entry audit.Entry,
) error {
	return s.write(ctx, func(c conn) error {
		count, err := c.exec(ctx, deleteErasureSQL, organisationID)
		if err != nil {
			return err
		}
		if count == 0 {
			return fault.New(fault.NotFound, "The deletion has not been requested.")
		}
		return c.addErasureEffects(ctx, notNull(organisationID), now, emails, entry)
	})
}

// addErasureEffects stores the emails, which an erasure deletes with the organisation, and the entry.
func (c conn) addErasureEffects(
	ctx context.Context, organisationID nullString, at time.Time, emails []mail.Message, entry audit.Entry,
) error {
	for _, email := range emails {
		row := newEmailColumns(email, at)
		row.OrganisationID = organisationID
		if err := c.save(ctx, insertEmailSQL, row); err != nil {
			return err
		}
	}
	return c.addAuditEntries(ctx, entry)
}

// DueErasures implements storage.Privacy.
func (s *Store) DueErasures(
	ctx context.Context, now time.Time, afterOrganisationID string, limit int,
) (result []account.Erasure, err error) {
	var rows []erasureRow
	if err := s.reader().list(ctx, &rows, selectDueErasuresSQL, newTimestamp(now), afterOrganisationID, limit); err != nil {
		return nil, s.toFault(err)
	}
	for _, row := range rows {
		result = append(result, row.erasure())
	}
	return result, nil
}

// EraseOrganisation implements storage.Privacy. It deletes the rows that dataMap marks as erased. Locks are taken as
// storage.Teams requires: the organisation, then its users.
func (s *Store) EraseOrganisation(
	ctx context.Context, e storage.OrganisationErasure, check func(storage.ErasureState) error,
) error {
	return s.write(ctx, func(c conn) error {
		state, err := c.readErasureState(ctx, e.OrganisationID, c.forUpdate)
		if err != nil {
			return err
		}
		if err := check(state); err != nil {
			return callerError{err}
		}
		if err := c.lockMembers(ctx, e.OrganisationID); err != nil {
			return err
		}
		for _, invoice := range e.Invoices {
			if err := c.save(ctx, insertKeptInvoiceSQL, newKeptInvoiceRow(invoice)); err != nil {
				return err
			}
		}
		for _, table := range dataMap {
			if statement := table.eraseSQL(); statement != "" {
				if _, err := c.exec(ctx, statement, table.eraseArgs(e.OrganisationID)...); err != nil {
					return err
				}
			}
		}
		return c.addErasureEffects(ctx, nullString{}, e.At, e.Emails, e.Entry)
	})
}

// lockMembers locks the users of an organisation. A concurrent transaction that adds one of them to another organisation
// either commits first, and is visible to this transaction, or waits and then fails because the user is deleted.
func (c conn) lockMembers(ctx context.Context, organisationID string) error {
	members, err := c.readMembers(ctx, organisationID)
	if err != nil {
		return err
	}
	for _, member := range members {
		var user userRow
		if err := c.get(ctx, "user", &user, selectUserSQL+c.forUpdate, member.UserID); err != nil {
			return err
		}
	}
	return nil
}

func newKeptInvoiceRow(k storage.KeptInvoice) keptInvoiceRow {
	return keptInvoiceRow{
		OrganisationID: k.OrganisationID, ID: k.Invoice.ID, Number: k.Invoice.Number, CustomerID: k.CustomerID,
		Document: marshalDocument(k.Invoice), Addressee: marshalDocument(k.Addressee), KeepUntil: newTimestamp(k.KeepUntil),
	}
}

// KeptInvoices implements storage.Privacy.
func (s *Store) KeptInvoices(ctx context.Context, number string) (result []storage.KeptInvoice, err error) {
	var rows []keptInvoiceRow
	if err := s.reader().list(ctx, &rows, selectKeptInvoicesSQL, number); err != nil {
		return nil, s.toFault(err)
	}
	for _, row := range rows {
		kept := storage.KeptInvoice{OrganisationID: row.OrganisationID, CustomerID: row.CustomerID, KeepUntil: row.KeepUntil.time}
		if kept.Invoice, err = unmarshalDocument[billing.Invoice](row.Document); err != nil {
			return nil, s.toFault(err)
		}
		if kept.Addressee, err = unmarshalDocument[billing.Buyer](row.Addressee); err != nil {
			return nil, s.toFault(err)
		}
		result = append(result, kept)
	}
	return result, nil
}

// SweepKeptInvoices implements storage.Privacy.
func (s *Store) SweepKeptInvoices(ctx context.Context, now time.Time) (count int, err error) {
	return s.execSweep(ctx, sweepKeptInvoicesSQL, newTimestamp(now))
}
