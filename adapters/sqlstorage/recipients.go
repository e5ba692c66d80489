package sqlstorage

import (
	"context"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

var (
	declinedNoticeTable      = newTable[declinedNoticeRow]("declined_notices")
	insertDeclinedNoticeSQL  = declinedNoticeTable.insertSQL() + " ON CONFLICT DO NOTHING"
	selectDeclinedNoticesSQL = declinedNoticeTable.selectSQL("WHERE organisation_id = ? AND email = ? ORDER BY kind")
)

const (
	deleteDeclinedNoticeSQL  = "DELETE FROM declined_notices WHERE organisation_id = ? AND email = ? AND kind = ?"
	deleteDeclinedNoticesSQL = "DELETE FROM declined_notices WHERE organisation_id = ? AND email = ?"
	copyDeclinedNoticesSQL   = `INSERT INTO declined_notices (organisation_id, email, kind)
		SELECT organisation_id, CAST(? AS TEXT), kind FROM declined_notices WHERE organisation_id = ? AND email = ? ON CONFLICT DO NOTHING`
)

type declinedNoticeRow struct {
	OrganisationID string `db:"organisation_id"`
	Email          string `db:"email"`
	Kind           string `db:"kind"`
}

// DeclinedNotices implements storage.EmailPreferences.
func (s *Store) DeclinedNotices(ctx context.Context, organisationID, email string) ([]billing.NoticeKind, error) {
	var rows []declinedNoticeRow
	if err := s.reader().list(ctx, &rows, selectDeclinedNoticesSQL, organisationID, email); err != nil {
		return nil, s.toFault(err)
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
	return s.write(ctx, func(c conn) error { return c.save(ctx, insertDeclinedNoticeSQL, row) })
}

// moveDeclinedNotices makes the preferences of a member's previous address those of the new one.
func (c conn) moveDeclinedNotices(ctx context.Context, organisationID, previous, email string) error {
	previousKey, key := account.EmailKey(previous), account.EmailKey(email)
	if _, err := c.exec(ctx, copyDeclinedNoticesSQL, key, organisationID, previousKey); err != nil {
		return err
	}
	return c.deleteDeclinedNotices(ctx, organisationID, previousKey)
}

// deleteDeclinedNotices deletes the preferences of an address, unless the organisation's emails about billing are still
// sent to it. The addresses of the organisation must already be stored.
func (c conn) deleteDeclinedNotices(ctx context.Context, organisationID, email string) error {
	rows, err := c.readOrganisationRows(ctx, selectOrganisationSQL, organisationID)
	if err != nil {
		return err
	}
	org, err := rows.organisation()
	if err != nil {
		return err
	}
	key := account.EmailKey(email)
	if slices.ContainsFunc(org.BillingRecipients(), func(r string) bool { return account.EmailKey(r) == key }) {
		return nil
	}
	_, err = c.exec(ctx, deleteDeclinedNoticesSQL, organisationID, key)
	return err
}

// AcceptNotice implements storage.EmailPreferences.
func (s *Store) AcceptNotice(ctx context.Context, organisationID, email string, kind billing.NoticeKind) error {
	return s.execWrite(ctx, deleteDeclinedNoticeSQL, organisationID, email, string(kind))
}

var (
	unreachableEmailTable      = newTable[unreachableEmailRow]("unreachable_emails")
	insertUnreachableEmailSQL  = unreachableEmailTable.insertSQL() + " ON CONFLICT DO NOTHING"
	selectUnreachableEmailsSQL = unreachableEmailTable.selectSQL("WHERE organisation_id = ? AND email IN (?)")
)

const (
	deleteUnreachableEmailSQL = "DELETE FROM unreachable_emails WHERE email = ?"
	sweepUnreachableEmailsSQL = "DELETE FROM unreachable_emails WHERE since < ?"
)

type unreachableEmailRow struct {
	OrganisationID string    `db:"organisation_id"`
	Email          string    `db:"email"`
	Since          timestamp `db:"since"`
}

// MarkUnreachable implements storage.UnreachableEmails.
func (s *Store) MarkUnreachable(ctx context.Context, organisationID, email string, at time.Time) error {
	row := unreachableEmailRow{organisationID, email, newTimestamp(at)}
	return s.write(ctx, func(c conn) error { return c.save(ctx, insertUnreachableEmailSQL, row) })
}

// MarkReachable implements storage.UnreachableEmails.
func (s *Store) MarkReachable(ctx context.Context, email string) error {
	return s.execWrite(ctx, deleteUnreachableEmailSQL, email)
}

// SweepUnreachable implements storage.UnreachableEmails.
func (s *Store) SweepUnreachable(ctx context.Context, before time.Time) error {
	return s.execWrite(ctx, sweepUnreachableEmailsSQL, newTimestamp(before))
}

// Unreachable implements storage.UnreachableEmails.
func (s *Store) Unreachable(ctx context.Context, organisationID string, emails ...string) ([]string, error) {
	if len(emails) == 0 {
		return nil, nil
	}
	query, args, err := sqlx.In(selectUnreachableEmailsSQL, organisationID, emails)
	if err != nil {
		return nil, err
	}
	var rows []unreachableEmailRow
	if err := s.reader().list(ctx, &rows, query, args...); err != nil {
		return nil, s.toFault(err)
	}
	unreachable := map[string]bool{}
	for _, row := range rows {
		unreachable[row.Email] = true
	}
	return slices.DeleteFunc(slices.Clone(emails), func(email string) bool { return !unreachable[email] }), nil
}
