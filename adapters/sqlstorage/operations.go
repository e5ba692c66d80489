package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

var (
	selectOperation  = operations.selects("WHERE key = ?")
	selectLastInLane = operations.selects(`WHERE organisation_id = ? AND lane = ? AND settled_at IS NOT NULL AND result <> ''
		ORDER BY settled_at DESC, created_at DESC LIMIT 1`)
	selectPending = operations.selects(`WHERE settled_at IS NULL AND created_at < ?
		ORDER BY created_at, key LIMIT ?`)
	settleOperation = "UPDATE operations SET settled_at = ?, result = ? WHERE key = ? AND settled_at IS NULL"
)

// SettleOperation implements storage.Operations. An unknown key is NotFound.
func (s *Store) SettleOperation(ctx context.Context, key, result string, now time.Time) error {
	return s.write(ctx, func(c conn) error {
		settled, err := c.exec(ctx, settleOperation, at(now), result, key)
		if err != nil || settled == 1 {
			return err
		}
		var before operationRow
		return c.get(ctx, "operation", &before, selectOperation, key)
	})
}

// LastOperation implements storage.Operations.
func (s *Store) LastOperation(
	ctx context.Context, organisationID string, lane billing.Lane,
) (billing.Operation, error) {
	var row operationRow
	err := s.reader().get(ctx, "operation", &row, selectLastInLane, organisationID, string(lane))
	if err != nil {
		return billing.Operation{}, s.fault(err)
	}
	return row.operation(), nil
}

// PendingOperations implements storage.Operations.
func (s *Store) PendingOperations(ctx context.Context, before time.Time, limit int) ([]billing.Operation, error) {
	var rows []operationRow
	if err := s.reader().list(ctx, &rows, selectPending, at(before), max(limit, 0)); err != nil {
		return nil, s.fault(err)
	}
	var pending []billing.Operation
	for _, row := range rows {
		pending = append(pending, row.operation())
	}
	return pending, nil
}
