package sqlstorage

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
)

var (
	operatorActions       = newTable[operatorActionRow]("operator_actions")
	insertOperatorAction  = operatorActions.insertSQL()
	selectOperatorActions = operatorActions.selectSQL("WHERE organisation_id = ? ORDER BY at DESC, id DESC")
)

type operatorActionRow struct {
	ID             string    `db:"id"`
	OrganisationID string    `db:"organisation_id"`
	At             timestamp `db:"at"`
	Operator       string    `db:"operator"`
	Kind           string    `db:"kind"`
	Reason         string    `db:"reason"`
}

// RecordAction implements storage.OperatorActions.
func (s *Store) RecordAction(ctx context.Context, a account.OperatorAction) error {
	return s.write(ctx, func(c conn) error {
		return c.save(ctx, insertOperatorAction, operatorActionRow{
			ID: a.ID, OrganisationID: a.OrganisationID, At: newTimestamp(a.At), Operator: a.Operator, Kind: string(a.Kind), Reason: a.Reason,
		})
	})
}

// Actions implements storage.OperatorActions.
func (s *Store) Actions(ctx context.Context, organisationID string) ([]account.OperatorAction, error) {
	var rows []operatorActionRow
	if err := s.reader().list(ctx, &rows, selectOperatorActions, organisationID); err != nil {
		return nil, s.fault(err)
	}
	var found []account.OperatorAction
	for _, r := range rows {
		found = append(found, account.OperatorAction{
			ID: r.ID, OrganisationID: r.OrganisationID, At: r.At.time, Operator: r.Operator, Kind: account.OperatorActionKind(r.Kind), Reason: r.Reason,
		})
	}
	return found, nil
}
