package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	insertOperation   = operations.inserts() + " ON CONFLICT DO NOTHING"
	selectOperation   = operations.selects("WHERE key = ?")
	selectPendingKind = operations.selects("WHERE organisation_id = ? AND lane = ? AND settled_at IS NULL")
	selectPending     = operations.selects(`WHERE settled_at IS NULL
		AND (COALESCE(began_at, created_at) <= ? OR COALESCE(began_at, created_at) >= ?) ORDER BY created_at, key LIMIT ?`)
	// The steps are needed while they may be sent, and not kept longer.
	settleOperation = "UPDATE operations SET settled_at = ?, result = ?, steps = '' WHERE key = ? AND settled_at IS NULL"
	selectMade      = `SELECT COUNT(*) FROM operations WHERE organisation_id = ? AND lane = ? AND result = ? AND result <> ''
		AND fingerprint = ? AND settled_at IS NOT NULL`
)

// beginTries is how often an operation tries to begin when the one that stood in its way was
// settled before it could be read.
const beginTries = 3

// UseClock has the ages of operations counted by another clock than the database's. It is for
// tests.
func (s *Store) UseClock(now func() time.Time) { s.now = now }

// ageNow is the present time by the database's clock. SQLite has none but the server's.
func (s *Store) ageNow(ctx context.Context, c conn) (time.Time, error) {
	switch {
	case s.now != nil:
		return s.now(), nil
	case s.dialect.now == "":
		return time.Now(), nil //nolint:forbidigo // the age of an operation is real time, wherever the development clock is
	}
	var now time.Time
	err := c.get(ctx, "clock", &now, s.dialect.now)
	return now, err
}

// BeginOperation implements storage.Operations.
func (s *Store) BeginOperation(ctx context.Context, op billing.Operation) (billing.Operation, error) {
	wanted, err := pendingRowOf(op)
	if err != nil {
		return billing.Operation{}, s.fault(err)
	}
	var begun billing.Operation
	err = s.write(ctx, func(c conn) error {
		now, err := s.ageNow(ctx, c)
		if err != nil {
			return err
		}
		wanted.BeganAt = at(now)
		row, err := c.beginOperation(ctx, wanted, op.Revision)
		if err != nil {
			return err
		}
		begun, err = row.operation(now)
		return err
	})
	if err != nil {
		return billing.Operation{}, err
	}
	if begun.Key == op.Key {
		begun.Revision, begun.Age = op.Revision, max(begun.Age, 0)
	}
	return begun, nil
}

// beginOperation lets the database decide who is first: only one pending row fits into a lane.
func (c conn) beginOperation(ctx context.Context, wanted operationRow, planned *int64) (operationRow, error) {
	fits, err := c.fits(ctx, wanted.OrganisationID, planned)
	if err != nil {
		return operationRow{}, err
	}
	for range beginTries {
		if fits {
			added, err := c.offer(ctx, insertOperation, wanted)
			if err != nil || added == 1 {
				return wanted, err
			}
		}
		var pending []operationRow
		err = c.list(ctx, &pending, selectPendingKind, wanted.OrganisationID, wanted.Kind)
		if err != nil {
			return operationRow{}, err
		}
		if len(pending) == 1 {
			return pending[0], nil
		}
		if !fits {
			return operationRow{}, fault.Wrap(storage.ErrPlanOutdated, fault.Conflict, "The organisation has changed")
		}
	}
	return operationRow{}, fault.New(fault.Conflict, "The operation's key was used before")
}

// fits reports whether the organisation is as it was when the operation was planned, and keeps it
// so until the transaction ends.
func (c conn) fits(ctx context.Context, organisationID string, planned *int64) (bool, error) {
	if planned == nil {
		return true, nil
	}
	var revision int64
	err := c.get(ctx, "organisation", &revision, "SELECT revision FROM organisations WHERE id = ?"+c.lock, organisationID)
	return revision == *planned, err
}

// PendingOperation implements storage.Operations.
func (s *Store) PendingOperation(ctx context.Context, organisationID string, kind billing.OperationKind) (billing.Operation, error) {
	var row operationRow
	if err := s.reader().get(ctx, "operation", &row, selectPendingKind, organisationID, string(kind)); err != nil {
		return billing.Operation{}, s.fault(err)
	}
	now, err := s.ageNow(ctx, s.reader())
	if err != nil {
		return billing.Operation{}, s.fault(err)
	}
	op, err := row.operation(now)
	return op, s.fault(err)
}

// SettleOperation implements storage.Operations. An unknown key is NotFound.
func (s *Store) SettleOperation(ctx context.Context, key, result string, now time.Time) (won bool, err error) {
	err = s.write(ctx, func(c conn) error {
		settled, err := c.exec(ctx, settleOperation, at(now), result, key)
		won = settled == 1
		if err != nil || won {
			return err
		}
		var before operationRow
		return c.get(ctx, "operation", &before, selectOperation, key)
	})
	return won && err == nil, err
}

// OperationMade implements storage.Operations.
func (s *Store) OperationMade(ctx context.Context, of storage.Made) (bool, error) {
	var found int
	err := s.reader().get(ctx, "operation", &found, selectMade, of.OrganisationID, string(of.Kind), of.Result, of.Fingerprint)
	return found > 0, s.fault(err)
}

// PendingOperations implements storage.Operations.
func (s *Store) PendingOperations(ctx context.Context, olderThan time.Duration, limit int) ([]billing.Operation, error) {
	now, err := s.ageNow(ctx, s.reader())
	if err != nil {
		return nil, s.fault(err)
	}
	var rows []operationRow
	err = s.reader().list(ctx, &rows, selectPending, at(now.Add(-olderThan)), at(now.Add(olderThan)), max(limit, 0))
	if err != nil {
		return nil, s.fault(err)
	}
	var pending []billing.Operation
	for _, row := range rows {
		op, err := row.operation(now)
		if err != nil {
			return nil, s.fault(err)
		}
		pending = append(pending, op)
	}
	return pending, nil
}
