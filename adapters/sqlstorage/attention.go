package sqlstorage

import (
	"context"
	"strconv"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

// The conditions must equal those of the partial indexes.
var (
	selectOverdueSQL       = "SELECT organisation_id FROM subscriptions WHERE status = 'past_due' ORDER BY organisation_id LIMIT ?"
	selectDelayedEmailsSQL = emailTable.selectSQL("WHERE attempts > 0 ORDER BY created_at, id LIMIT ?")
	selectFailedEmailsSQL  = selectAuditEntriesSQL + "a.kind = 'email.finished' AND a.outcome = 'refused' ORDER BY a.id DESC LIMIT ?"
)

// OverdueOrganisations implements storage.Attention.
func (s *Store) OverdueOrganisations(ctx context.Context, limit int) ([]account.Organisation, error) {
	return s.listOrganisations(ctx, selectOverdueSQL, limit)
}

// listOrganisations returns the organisations whose ids the query selects.
func (s *Store) listOrganisations(ctx context.Context, query string, args ...any) ([]account.Organisation, error) {
	var result []account.Organisation
	err := s.read(ctx, func(c conn) error {
		result = nil
		var ids []string
		if err := c.list(ctx, &ids, query, args...); err != nil {
			return err
		}
		for _, id := range ids {
			rows, err := c.readOrganisationRows(ctx, selectOrganisationSQL, id)
			if err != nil {
				return err
			}
			o, err := rows.organisation()
			if err != nil {
				return err
			}
			result = append(result, o)
		}
		return nil
	})
	return result, err
}

// DelayedEmails implements storage.Attention.
func (s *Store) DelayedEmails(ctx context.Context, limit int) (emails []storage.Email, err error) {
	var rows []emailRow
	if err := s.reader().list(ctx, &rows, selectDelayedEmailsSQL, limit); err != nil {
		return nil, s.toFault(err)
	}
	for _, r := range rows {
		emails = append(emails, storage.Email{
			ID: strconv.FormatInt(r.ID, 10), CreatedAt: r.CreatedAt.time, Attempts: r.Attempts, ExpiresAt: r.ExpiresAt.time,
			RefusedAt: r.RefusedAt.time, Notice: r.notice(), OrganisationID: r.OrganisationID.V, UserID: r.UserID.V,
		})
	}
	return emails, nil
}

// FailedEmails implements storage.Attention.
func (s *Store) FailedEmails(ctx context.Context, limit int) ([]audit.Entry, error) {
	return s.listAuditEntries(ctx, selectFailedEmailsSQL, limit)
}
