package sqlstorage

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
)

var (
	declinedNotices       = newTable[declinedNoticeRow]("declined_notices")
	insertDeclinedNotice  = declinedNotices.insertSQL() + " ON CONFLICT DO NOTHING"
	selectDeclinedNotices = declinedNotices.selectSQL("WHERE organisation_id = ? AND email = ? ORDER BY kind")
)

const deleteDeclinedNotice = "DELETE FROM declined_notices WHERE organisation_id = ? AND email = ? AND kind = ?"

type declinedNoticeRow struct {
	OrganisationID string `db:"organisation_id"`
	Email          string `db:"email"`
	Kind           string `db:"kind"`
}

// DeclinedNotices implements storage.EmailPreferences.
func (s *Store) DeclinedNotices(ctx context.Context, organisationID, email string) ([]billing.NoticeKind, error) {
	var rows []declinedNoticeRow
	if err := s.reader().list(ctx, &rows, selectDeclinedNotices, organisationID, email); err != nil {
		return nil, s.fault(err)
	}
	var kinds []billing.NoticeKind
	for _, row := range rows {
		kinds = append(kinds, billing.NoticeKind(row.Kind))
	}
	return kinds, nil
}

// DeclineNotice implements storage.EmailPreferences.
func (s *Store) DeclineNotice(ctx context.Context, organisationID, email string, kind billing.NoticeKind) error {
	row := declinedNoticeRow{organisationID, email, string(kind)}
	return s.write(ctx, func(c conn) error { return c.save(ctx, insertDeclinedNotice, row) })
}

// AcceptNotice implements storage.EmailPreferences.
func (s *Store) AcceptNotice(ctx context.Context, organisationID, email string, kind billing.NoticeKind) error {
	return s.execWrite(ctx, deleteDeclinedNotice, organisationID, email, string(kind))
}
