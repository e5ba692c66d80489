package sqlstorage

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

var (
	insertOperation   = operations.inserts() + " ON CONFLICT DO NOTHING"
	selectPendingLane = operations.selects("WHERE organisation_id = ? AND lane = ? AND settled_at IS NULL")
)

// beginTries is how often an operation tries to begin when the one that stood in its way was
// settled before it could be read.
const beginTries = 3

// BeginOperation implements storage.Operations. Beginning a pending operation again returns it;
// a key that was used before is Conflict.
func (s *Store) BeginOperation(ctx context.Context, op billing.Operation) (billing.Operation, error) {
	var pending operationRow
	err := s.write(ctx, func(c conn) (err error) {
		pending, err = c.beginOperation(ctx, pendingRowOf(op))
		return err
	})
	if err != nil {
		return billing.Operation{}, err
	}
	return pending.operation(), nil
}

// beginOperation lets the database decide who is first: only one pending row fits into a lane.
func (c conn) beginOperation(ctx context.Context, wanted operationRow) (operationRow, error) {
	for range beginTries {
		added, err := c.offer(ctx, insertOperation, wanted)
		if err != nil || added == 1 {
			return wanted, err
		}
		var pending []operationRow
		err = c.list(ctx, &pending, selectPendingLane, wanted.OrganisationID, wanted.Lane)
		if err != nil {
			return operationRow{}, err
		}
		if len(pending) == 1 {
			return pending[0], nil
		}
	}
	return operationRow{}, fault.New(fault.Conflict, "The operation's key was used before")
}
