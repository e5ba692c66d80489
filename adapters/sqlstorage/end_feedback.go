package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

var (
	endFeedbackTable     = newTable[endFeedbackRow]("end_feedback")
	upsertEndFeedbackSQL = endFeedbackTable.insertSQL() + ` ON CONFLICT (organisation_id, subscription_id) DO UPDATE
		SET requested_at = excluded.requested_at, reason = excluded.reason, comment = excluded.comment`
	selectEndFeedbackSQL = endFeedbackTable.selectSQL("WHERE organisation_id = ? ORDER BY requested_at DESC, subscription_id")
)

const sweepEndFeedbackSQL = "UPDATE end_feedback SET comment = '' WHERE comment <> '' AND requested_at < ?"

type endFeedbackRow struct {
	OrganisationID string    `db:"organisation_id"`
	SubscriptionID string    `db:"subscription_id"`
	RequestedAt    timestamp `db:"requested_at"`
	Reason         string    `db:"reason"`
	Comment        string    `db:"comment"`
}

// RecordEndFeedback implements storage.EndFeedback.
func (s *Store) RecordEndFeedback(ctx context.Context, e billing.EndFeedback) error {
	return s.write(ctx, func(c conn) error {
		return c.save(ctx, upsertEndFeedbackSQL, endFeedbackRow{
			OrganisationID: e.OrganisationID, SubscriptionID: e.SubscriptionID,
			RequestedAt: newTimestamp(e.RequestedAt), Reason: string(e.Reason), Comment: e.Comment,
		})
	})
}

// EndFeedback implements storage.EndFeedback.
func (s *Store) EndFeedback(ctx context.Context, organisationID string) ([]billing.EndFeedback, error) {
	var rows []endFeedbackRow
	if err := s.reader().list(ctx, &rows, selectEndFeedbackSQL, organisationID); err != nil {
		return nil, s.toFault(err)
	}
	var result []billing.EndFeedback
	for _, r := range rows {
		result = append(result, billing.EndFeedback{
			OrganisationID: r.OrganisationID, SubscriptionID: r.SubscriptionID, RequestedAt: r.RequestedAt.time,
			Reason: billing.EndReason(r.Reason), Comment: r.Comment,
		})
	}
	return result, nil
}

// SweepEndFeedback implements storage.EndFeedback.
func (s *Store) SweepEndFeedback(ctx context.Context, before time.Time) error {
	return s.execWrite(ctx, sweepEndFeedbackSQL, newTimestamp(before))
}
