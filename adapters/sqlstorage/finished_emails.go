package sqlstorage

import (
	"context"
	"strconv"
	"time"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	finishedEmailTable      = newTable[finishedEmailRow]("finished_emails")
	insertFinishedEmailSQL  = finishedEmailTable.insertSQL()
	selectFinishedEmailSQL  = finishedEmailTable.selectSQL("WHERE id = ? AND organisation_id = ?")
	selectFinishedEmailsSQL = finishedEmailTable.selectSQL("WHERE organisation_id = ? AND finished_at >= ? ORDER BY id DESC LIMIT ?")
)

const sweepFinishedEmailsSQL = "DELETE FROM finished_emails WHERE finished_at < ?"

type finishedEmailRow struct {
	ID              int64     `db:"id"`
	OrganisationID  string    `db:"organisation_id"`
	Recipient       string    `db:"recipient"`
	Subject         string    `db:"subject"`
	Text            string    `db:"text"`
	HTML            string    `db:"html"`
	Unsubscribe     string    `db:"unsubscribe"`
	NoticeKind      string    `db:"notice_kind"`
	NoticeSubjectID string    `db:"notice_subject_id"`
	NoticePeriod    string    `db:"notice_period"`
	FinishedAt      timestamp `db:"finished_at"`
}

// keepFinishedEmail stores an email about billing that was deleted from the outbox.
func (c conn) keepFinishedEmail(ctx context.Context, email emailRow, outcome storage.EmailOutcome) error {
	if !email.NoticeKind.Valid {
		return nil
	}
	finishedAt := outcome.SentAt
	if finishedAt.IsZero() {
		finishedAt = c.now()
	}
	return c.save(ctx, insertFinishedEmailSQL, finishedEmailRow{
		ID: email.ID, OrganisationID: email.OrganisationID.V, Recipient: email.Recipient, Subject: email.Subject, Text: email.Text,
		HTML: email.HTML, Unsubscribe: email.Unsubscribe, NoticeKind: email.NoticeKind.V, NoticeSubjectID: email.NoticeSubjectID.V,
		NoticePeriod: email.NoticePeriod.V, FinishedAt: newTimestamp(finishedAt),
	})
}

// FinishedEmails implements storage.FinishedEmails.
func (s *Store) FinishedEmails(
	ctx context.Context, organisationID string, since time.Time, limit int,
) (emails []storage.FinishedEmail, err error) {
	var rows []finishedEmailRow
	if err := s.reader().list(ctx, &rows, selectFinishedEmailsSQL, organisationID, newTimestamp(since), limit); err != nil {
		return nil, s.toFault(err)
	}
	for _, r := range rows {
		emails = append(emails, storage.FinishedEmail{
			ID: strconv.FormatInt(r.ID, 10), Recipient: r.Recipient, Subject: r.Subject, FinishedAt: r.FinishedAt.time,
			Notice: billing.Notice{Kind: billing.NoticeKind(r.NoticeKind), SubjectID: r.NoticeSubjectID, Period: r.NoticePeriod},
		})
	}
	return emails, nil
}

// ResendEmail implements storage.FinishedEmails.
func (s *Store) ResendEmail(ctx context.Context, organisationID, id string, now time.Time, entry audit.Entry) error {
	return s.write(ctx, func(c conn) error {
		var r finishedEmailRow
		if err := c.get(ctx, "email", &r, selectFinishedEmailSQL, parseRowID(id), organisationID); err != nil {
			return err
		}
		row := newEmailColumns(
			mail.Message{To: r.Recipient, Subject: r.Subject, Text: r.Text, HTML: r.HTML, Unsubscribe: r.Unsubscribe}, now)
		row.noticeColumns = noticeColumns{
			notNull(r.OrganisationID), notNull(r.NoticeKind), notNull(r.NoticeSubjectID), notNull(r.NoticePeriod),
		}
		if err := c.save(ctx, insertEmailSQL, row); err != nil {
			return err
		}
		return c.addAuditEntries(ctx, entry)
	})
}

// SweepFinishedEmails implements storage.FinishedEmails.
func (s *Store) SweepFinishedEmails(ctx context.Context, before time.Time) error {
	return s.execWrite(ctx, sweepFinishedEmailsSQL, newTimestamp(before))
}
