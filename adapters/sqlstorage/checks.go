package sqlstorage

import (
	"context"
	"time"
)

var (
	selectDueCheck  = "SELECT id FROM organisations WHERE check_at <= ? ORDER BY check_at, id LIMIT 1"
	putOffNextCheck = "UPDATE organisations SET check_at = ? WHERE id = ?"
)

// ClaimCheck implements storage.Organisations. Servers that claim together pass over each other's.
func (s *Store) ClaimCheck(ctx context.Context, now, until time.Time) (organisationID string, err error) {
	err = s.write(ctx, func(c conn) error {
		if err := c.get(ctx, "due organisation", &organisationID, selectDueCheck+c.lockFree, at(now)); err != nil {
			return err
		}
		_, err := c.exec(ctx, putOffNextCheck, at(until), organisationID)
		return err
	})
	if err != nil {
		return "", err
	}
	return organisationID, nil
}
