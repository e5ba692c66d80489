package sqlstorage

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
)

var (
	endings      = newTable[endingRow]("endings")
	insertEnding = endings.insertSQL() + ` ON CONFLICT (organisation_id, subscription_id) DO UPDATE
		SET requested_at = excluded.requested_at, reason = excluded.reason, comment = excluded.comment`
	selectEndings = endings.selectSQL("WHERE organisation_id = ? ORDER BY requested_at DESC, subscription_id")
)

type endingRow struct {
	OrganisationID string    `db:"organisation_id"`
	SubscriptionID string    `db:"subscription_id"`
	RequestedAt    timestamp `db:"requested_at"`
	Reason         string    `db:"reason"`
	Comment        string    `db:"comment"`
}

// RecordEnding implements storage.Endings.
func (s *Store) RecordEnding(ctx context.Context, e billing.Ending) error {
	return s.write(ctx, func(c conn) error {
		return c.save(ctx, insertEnding, endingRow{
			OrganisationID: e.OrganisationID, SubscriptionID: e.SubscriptionID,
			RequestedAt: newTimestamp(e.RequestedAt), Reason: string(e.Reason), Comment: e.Comment,
		})
	})
}

// Endings implements storage.Endings.
func (s *Store) Endings(ctx context.Context, organisationID string) ([]billing.Ending, error) {
	var rows []endingRow
	if err := s.reader().list(ctx, &rows, selectEndings, organisationID); err != nil {
		return nil, s.fault(err)
	}
	var found []billing.Ending
	for _, r := range rows {
		found = append(found, billing.Ending{
			OrganisationID: r.OrganisationID, SubscriptionID: r.SubscriptionID, RequestedAt: r.RequestedAt.time,
			Reason: billing.EndReason(r.Reason), Comment: r.Comment,
		})
	}
	return found, nil
}
