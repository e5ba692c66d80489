package sqlstorage

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	operationTable                  = newTable[operationRow]("operations")
	insertOperationSQL              = operationTable.insertSQL() + " ON CONFLICT DO NOTHING"
	selectOperationSQL              = operationTable.selectSQL("WHERE key = ?")
	selectPendingOperationSQL       = operationTable.selectSQL("WHERE organisation_id = ? AND kind = ? AND settled_at IS NULL")
	selectPendingOperationsByAgeSQL = operationTable.selectSQL(`WHERE settled_at IS NULL
		AND (began_at <= ? OR began_at >= ?) ORDER BY created_at, key LIMIT ?`)
)

const (
	// settleOperationSQL deletes the actions, which will not be executed any more, and the entry, which the same transaction
	// adds to the audit log.
	settleOperationSQL        = "UPDATE operations SET settled_at = ?, result = ?, actions = '', entry = '' WHERE key = ? AND settled_at IS NULL"
	countSettledOperationsSQL = `SELECT COUNT(*) FROM operations WHERE organisation_id = ? AND kind = ? AND result = ? AND result <> ''
		AND fingerprint = ? AND settled_at IS NOT NULL`
	// The first condition must equal that of the index.
	sweepOperationsSQL = `DELETE FROM operations WHERE key IN
		(SELECT key FROM operations WHERE settled_at IS NOT NULL AND settled_at < ? ORDER BY settled_at LIMIT ?)`
	selectRevisionSQL   = "SELECT revision FROM organisations WHERE id = ?"
	increaseRevisionSQL = "UPDATE organisations SET revision = revision + 1 WHERE id = ?"
)

// maxBeginAttempts limits the attempts of BeginOperation to insert an operation. An attempt fails if another operation is
// pending. It is repeated if the pending operation was settled before it could be read.
const maxBeginAttempts = 3

// operationRow is an operation at the payment provider.
type operationRow struct {
	Key            string    `db:"key"`
	OrganisationID string    `db:"organisation_id"`
	Kind           string    `db:"kind"`
	Fingerprint    string    `db:"fingerprint"`
	Actions        string    `db:"actions"` // JSON; "" for none
	Entry          string    `db:"entry"`   // JSON; "" for none
	CreatedAt      timestamp `db:"created_at"`
	BeganAt        timestamp `db:"began_at"` // by the database's clock
	SettledAt      timestamp `db:"settled_at"`
	Result         string    `db:"result"`
}

func newOperationRow(o billing.Operation) (operationRow, error) {
	actionsJSON, err := marshalActions(o.Actions)
	entryJSON := ""
	if o.Entry != nil {
		entryJSON = marshalDocument(*o.Entry)
	}
	return operationRow{
		Key: o.Key, OrganisationID: o.OrganisationID, Kind: string(o.Kind),
		Fingerprint: o.Fingerprint, Actions: actionsJSON, Entry: entryJSON, CreatedAt: newTimestamp(o.CreatedAt),
	}, err
}

// operation returns the pending operation with its age. now is the time of the database's clock.
func (r operationRow) operation(now time.Time) (storage.PendingOperation, error) {
	actions, err := unmarshalActions(r.Actions)
	if err != nil {
		return storage.PendingOperation{}, err
	}
	entry, err := r.auditEntry()
	return storage.PendingOperation{
		Operation: billing.Operation{
			Key: r.Key, OrganisationID: r.OrganisationID, Kind: billing.OperationKind(r.Kind),
			Fingerprint: r.Fingerprint, Actions: actions, CreatedAt: r.CreatedAt.time, SettledAt: r.SettledAt.time, Result: r.Result,
			Entry: entry,
		},
		Age: now.Sub(r.BeganAt.time),
	}, err
}

// auditEntry returns the entry about the request of an operator, or nil.
func (r operationRow) auditEntry() (*audit.Entry, error) {
	if r.Entry == "" {
		return nil, nil
	}
	entry, err := unmarshalDocument[audit.Entry](r.Entry)
	return &entry, err
}

// actionRecord is the JSON of an action.
type actionRecord struct {
	Kind              string                `json:"kind"`
	Key               string                `json:"key"`
	CustomerID        string                `json:"customer,omitempty"`
	SubscriptionID    string                `json:"subscription,omitempty"`
	InvoiceID         string                `json:"invoice,omitempty"`
	MethodID          string                `json:"method,omitempty"`
	Amount            int64                 `json:"amount,omitempty"`
	Currency          string                `json:"currency,omitempty"` // of the amount
	Quoted            billing.QuotedAmounts `json:"quoted,omitzero"`
	From              catalogue.PriceRef    `json:"from,omitzero"`
	Price             catalogue.PriceRef    `json:"price,omitzero"`
	TrialDays         int                   `json:"trial_days,omitempty"`
	FirstSubscription bool                  `json:"first_subscription,omitempty"`
	KeepDefault       bool                  `json:"keep_default,omitempty"`
	NewMethod         bool                  `json:"new_method,omitempty"`
	EndTrial          bool                  `json:"end_trial,omitempty"`
	SubscriptionEnded bool                  `json:"subscription_ended,omitempty"`
	ProrationDate     time.Time             `json:"proration_date,omitzero"`
	VoidInvoices      bool                  `json:"void_invoices,omitempty"`
	Details           string                `json:"details,omitempty"`
	Email             string                `json:"email,omitempty"`
	IfDeclined        bool                  `json:"if_declined,omitempty"`
	Until             time.Time             `json:"until,omitzero"`
}

func marshalActions(actions []billing.Action) (string, error) {
	if len(actions) == 0 {
		return "", nil
	}
	records := make([]actionRecord, len(actions))
	for i, action := range actions {
		records[i] = actionRecord{
			Kind: string(action.Kind), Key: action.Key, CustomerID: action.CustomerID, SubscriptionID: action.SubscriptionID,
			InvoiceID: action.InvoiceID, MethodID: action.MethodID,
			Amount: action.Amount.Minor(), Currency: action.Amount.Currency().Code, Quoted: action.Quoted,
			From: action.From, Price: action.Price, TrialDays: action.TrialDays, FirstSubscription: action.FirstSubscription,
			KeepDefault: action.KeepDefault, NewMethod: action.NewMethod, EndTrial: action.EndTrial, SubscriptionEnded: action.SubscriptionEnded,
			ProrationDate: action.ProrationDate.UTC(), VoidInvoices: action.VoidInvoices, Details: action.Details, Email: action.Email, IfDeclined: action.IfDeclined,
			Until: action.Until.UTC(),
		}
	}
	text, err := json.Marshal(records)
	return string(text), err
}

func unmarshalActions(text string) ([]billing.Action, error) {
	if text == "" {
		return nil, nil
	}
	var records []actionRecord
	if err := json.Unmarshal([]byte(text), &records); err != nil {
		return nil, fmt.Errorf("invalid actions of an operation: %w", err)
	}
	actions := make([]billing.Action, len(records))
	for i, r := range records {
		action := billing.Action{
			Kind: billing.ActionKind(r.Kind), Key: r.Key, CustomerID: r.CustomerID, SubscriptionID: r.SubscriptionID,
			InvoiceID: r.InvoiceID, MethodID: r.MethodID, Quoted: r.Quoted,
			From: r.From, Price: r.Price, TrialDays: r.TrialDays, FirstSubscription: r.FirstSubscription,
			KeepDefault: r.KeepDefault, NewMethod: r.NewMethod, EndTrial: r.EndTrial, SubscriptionEnded: r.SubscriptionEnded,
			ProrationDate: r.ProrationDate,
			VoidInvoices:  r.VoidInvoices, Details: r.Details, Email: r.Email, IfDeclined: r.IfDeclined, Until: r.Until,
		}
		if r.Currency != "" {
			var err error
			if action.Amount, err = money.New(r.Amount, r.Currency); err != nil {
				return nil, err
			}
		}
		actions[i] = action
	}
	return actions, nil
}

// databaseTime returns the time of the database's clock. SQLite runs on this machine and shares its clock.
func (s *Store) databaseTime(ctx context.Context, c conn) (time.Time, error) {
	switch {
	case s.now != nil:
		return s.now(), nil
	case s.dialect.selectNow == "":
		return time.Now(), nil //nolint:forbidigo // ages are real time, independent of the development clock
	}
	var now time.Time
	err := c.get(ctx, "clock", &now, s.dialect.selectNow)
	return now, err
}

// BeginOperation implements storage.Operations.
func (s *Store) BeginOperation(ctx context.Context, op billing.Operation, revision int64) (storage.PendingOperation, error) {
	row, err := newOperationRow(op)
	if err != nil {
		return storage.PendingOperation{}, s.toFault(err)
	}
	var result storage.PendingOperation
	err = s.write(ctx, func(c conn) error {
		now, err := s.databaseTime(ctx, c)
		if err != nil {
			return err
		}
		row.BeganAt = newTimestamp(now)
		storedRow, err := c.beginOperation(ctx, row, revision)
		if err != nil {
			return err
		}
		result, err = storedRow.operation(now)
		return err
	})
	if err != nil {
		return storage.PendingOperation{}, err
	}
	if result.Key == op.Key {
		result.Age = max(result.Age, 0)
	}
	return result, nil
}

// beginOperation inserts the row, or returns the pending operation of the same organisation and kind. A
// unique index allows one pending operation of each kind.
func (c conn) beginOperation(ctx context.Context, row operationRow, revision int64) (operationRow, error) {
	isCurrent, err := c.lockAndCheckRevision(ctx, row.OrganisationID, revision)
	if err != nil {
		return operationRow{}, err
	}
	for range maxBeginAttempts {
		if isCurrent {
			insertedRows, err := c.execNamed(ctx, insertOperationSQL, row)
			if err != nil {
				return row, err
			}
			if insertedRows == 1 {
				return row, c.addAuditEntries(audit.WithDefaultActor(ctx, audit.System), newOperationEntry(audit.OperationBegun, row))
			}
		}
		var rows []operationRow
		err = c.list(ctx, &rows, selectPendingOperationSQL, row.OrganisationID, row.Kind)
		if err != nil {
			return operationRow{}, err
		}
		if len(rows) == 1 {
			return rows[0], nil
		}
		if !isCurrent {
			return operationRow{}, fault.Wrap(storage.ErrRevisionChanged, fault.Conflict, "The organisation has changed")
		}
	}
	return operationRow{}, fault.New(fault.Conflict, "The operation's key was used before")
}

// newOperationEntry returns an entry of the audit log, whose cause is the key of the operation.
func newOperationEntry(kind audit.Kind, row operationRow) audit.Entry {
	e := audit.Entry{OrganisationID: row.OrganisationID, Kind: kind, Cause: audit.Code(row.Key), Data: audit.Data{"kind": row.Kind}}
	if row.Result != "" {
		e.Data["result"] = audit.Code(row.Result)
	}
	return e
}

// lockAndCheckRevision locks the organisation and reports whether it is at the revision.
func (c conn) lockAndCheckRevision(ctx context.Context, organisationID string, revision int64) (bool, error) {
	var currentRevision int64
	err := c.get(ctx, "organisation", &currentRevision, selectRevisionSQL+c.forUpdate, organisationID)
	return currentRevision == revision, err
}

// PendingOperation implements storage.Operations.
func (s *Store) PendingOperation(ctx context.Context, organisationID string, kind billing.OperationKind) (storage.PendingOperation, error) {
	var row operationRow
	if err := s.reader().get(ctx, "operation", &row, selectPendingOperationSQL, organisationID, string(kind)); err != nil {
		return storage.PendingOperation{}, s.toFault(err)
	}
	now, err := s.databaseTime(ctx, s.reader())
	if err != nil {
		return storage.PendingOperation{}, s.toFault(err)
	}
	op, err := row.operation(now)
	return op, s.toFault(err)
}

// SettleOperation implements storage.Operations.
func (s *Store) SettleOperation(
	ctx context.Context, key string, settlement billing.Settlement, now time.Time,
) (settled bool, err error) {
	err = s.write(ctx, func(c conn) error {
		settled, err = c.settleOperation(ctx, key, settlement, newTimestamp(now))
		return err
	})
	return settled && err == nil, err
}

func (c conn) settleOperation(ctx context.Context, key string, settlement billing.Settlement, now timestamp) (settled bool, err error) {
	var row operationRow
	if err := c.get(ctx, "operation", &row, selectOperationSQL, key); err != nil {
		return false, err
	}
	if row.Entry != "" { // BeginOperation also locks the organisation before the operation
		if _, err := c.lockAndCheckRevision(ctx, row.OrganisationID, 0); err != nil {
			return false, err
		}
	}
	updatedRows, err := c.exec(ctx, settleOperationSQL, now, settlement.Result, key)
	if err != nil || updatedRows == 0 {
		return false, err
	}
	row.Result = settlement.Result
	entry := newOperationEntry(audit.OperationSettled, row)
	entry.Outcome = settlement.Outcome
	if settlement.Reason != "" {
		entry.Data["reason"] = settlement.Reason
	}
	if err := c.addAuditEntries(audit.WithDefaultActor(ctx, audit.System), entry); err != nil || row.Entry == "" {
		return true, err
	}
	return true, c.addOperatorEntry(ctx, row, settlement)
}

// addOperatorEntry adds the entry about the request of an operator to the audit log. It increases the organisation's
// revision, so that a concurrent request that did not read this entry is decided again.
func (c conn) addOperatorEntry(ctx context.Context, row operationRow, settlement billing.Settlement) error {
	entry, err := row.auditEntry()
	if err != nil {
		return err
	}
	entry.OrganisationID, entry.Cause, entry.Outcome = row.OrganisationID, audit.Code(row.Key), settlement.Outcome
	if settlement.Reason != "" {
		data := audit.Data{"refusal": settlement.Reason}
		maps.Copy(data, entry.Data)
		entry.Data = data
	}
	if err := c.addAuditEntries(ctx, *entry); err != nil {
		return err
	}
	_, err = c.exec(ctx, increaseRevisionSQL, row.OrganisationID)
	return err
}

// OperationSucceeded implements storage.Operations.
func (s *Store) OperationSucceeded(ctx context.Context, query storage.OperationQuery) (bool, error) {
	var count int
	err := s.reader().get(ctx, "operation", &count, countSettledOperationsSQL,
		query.OrganisationID, string(query.Kind), query.Result, query.Fingerprint)
	return count > 0, s.toFault(err)
}

// PendingOperations implements storage.Operations.
func (s *Store) PendingOperations(ctx context.Context, minAge time.Duration, limit int) ([]storage.PendingOperation, error) {
	now, err := s.databaseTime(ctx, s.reader())
	if err != nil {
		return nil, s.toFault(err)
	}
	var rows []operationRow
	err = s.reader().list(ctx, &rows, selectPendingOperationsByAgeSQL,
		newTimestamp(now.Add(-minAge)), newTimestamp(now.Add(minAge)), max(limit, 0))
	if err != nil {
		return nil, s.toFault(err)
	}
	var result []storage.PendingOperation
	for _, row := range rows {
		op, err := row.operation(now)
		if err != nil {
			return nil, s.toFault(err)
		}
		result = append(result, op)
	}
	return result, nil
}

// SweepOperations implements storage.Operations.
func (s *Store) SweepOperations(ctx context.Context, before time.Time, limit int) (int, error) {
	return s.execSweep(ctx, sweepOperationsSQL, newTimestamp(before), limit)
}
