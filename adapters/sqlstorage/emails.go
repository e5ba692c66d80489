package sqlstorage

import (
	"context"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// The database assigns ascending ids, so that emails of the same time keep their order. Emails about accounts precede
// notices, because a user is waiting for them.
var (
	emailTable         = newTable[emailRow]("emails")
	insertEmailSQL     = newTable[emailColumns]("emails").insertSQL()
	selectDueEmailsSQL = emailTable.selectSQL("WHERE due_at <= ? ORDER BY notice_kind IS NOT NULL, created_at, id LIMIT ?")

	emailRequestTable        = newTable[emailRequestRow]("email_requests")
	insertEmailRequestSQL    = newTable[emailRequestColumns]("email_requests").insertSQL()
	selectDueEmailRequestSQL = emailRequestTable.selectSQL("WHERE due_at <= ? ORDER BY requested_at, id LIMIT 1")
)

const (
	claimEmailsSQL   = "UPDATE emails SET attempts = attempts + 1, due_at = ? WHERE id IN (?)"
	postponeEmailSQL = "UPDATE emails SET due_at = ? WHERE id = ?"
	deleteEmailSQL   = "DELETE FROM emails WHERE id = ?"

	claimEmailRequestSQL  = "UPDATE email_requests SET due_at = ? WHERE id = ?"
	deleteEmailRequestSQL = "DELETE FROM email_requests WHERE id = ?"
)

// emailRow is an email in the outbox.
type emailRow struct {
	ID int64 `db:"id"`
	emailColumns
}

type emailColumns struct {
	Recipient string `db:"recipient"`
	Subject   string `db:"subject"`
	Text      string `db:"text"`
	HTML      string `db:"html"`
	// Unsubscribe is '' for emails that recipients can't turn off.
	Unsubscribe string     `db:"unsubscribe"`
	Attempts    int        `db:"attempts"`
	CreatedAt   timestamp  `db:"created_at"`
	DueAt       timestamp  `db:"due_at"`
	UserID      nullString `db:"user_id"`
	noticeColumns
}

// noticeColumns contains the notice that an email is about. The columns are NULL for other emails.
type noticeColumns struct {
	OrganisationID  nullString `db:"organisation_id"`
	NoticeKind      nullString `db:"notice_kind"`
	NoticeSubjectID nullString `db:"notice_subject_id"`
	NoticePeriod    nullString `db:"notice_period"`
}

func (c noticeColumns) notice() billing.Notice {
	return billing.Notice{Kind: billing.NoticeKind(c.NoticeKind.V), SubjectID: c.NoticeSubjectID.V, Period: c.NoticePeriod.V}
}

func newEmailColumns(m mail.Message, now time.Time) emailColumns {
	return emailColumns{
		Recipient: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML, Unsubscribe: m.Unsubscribe,
		CreatedAt: newTimestamp(now), DueAt: newTimestamp(now),
	}
}

// addEmail puts an email for the user into the outbox.
func (c conn) addEmail(ctx context.Context, m mail.Message, userID string, now time.Time) error {
	row := newEmailColumns(m, now)
	row.UserID = nullIfEmpty(userID)
	return c.save(ctx, insertEmailSQL, row)
}

// ClaimEmails implements storage.Outbox. Concurrent claims skip each other's rows.
func (s *Store) ClaimEmails(ctx context.Context, now, until time.Time, limit int) ([]storage.Email, error) {
	if limit <= 0 {
		return nil, nil
	}
	var rows []emailRow
	err := s.write(ctx, func(c conn) error {
		if err := c.list(ctx, &rows, selectDueEmailsSQL+c.forUpdateSkipLocked, newTimestamp(now), limit); err != nil || len(rows) == 0 {
			return err
		}
		ids := make([]int64, len(rows))
		for i, row := range rows {
			ids[i] = row.ID
		}
		statement, args, err := sqlx.In(claimEmailsSQL, newTimestamp(until), ids)
		if err != nil {
			return err
		}
		_, err = c.exec(ctx, statement, args...)
		return err
	})
	if err != nil {
		return nil, err
	}
	var result []storage.Email
	for _, r := range rows {
		result = append(result, storage.Email{
			ID:       strconv.FormatInt(r.ID, 10),
			Message:  mail.Message{To: r.Recipient, Subject: r.Subject, Text: r.Text, HTML: r.HTML, Unsubscribe: r.Unsubscribe},
			Attempts: r.Attempts + 1, Notice: r.notice(), OrganisationID: r.OrganisationID.V,
		})
	}
	return result, nil
}

// FinishEmail implements storage.Outbox.
func (s *Store) FinishEmail(ctx context.Context, id string) error {
	return s.execWrite(ctx, deleteEmailSQL, parseRowID(id))
}

// PostponeEmail implements storage.Outbox.
func (s *Store) PostponeEmail(ctx context.Context, id string, dueAt time.Time) error {
	return s.execWrite(ctx, postponeEmailSQL, newTimestamp(dueAt), parseRowID(id))
}

// parseRowID returns the number of a row. For an id that is not a number it returns 0, which no row has.
func parseRowID(id string) int64 {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return 0
	}
	return number
}

type emailRequestRow struct {
	ID int64 `db:"id"`
	emailRequestColumns
}

type emailRequestColumns struct {
	Kind        string    `db:"kind"`
	Email       string    `db:"email"`
	RequestedAt timestamp `db:"requested_at"`
	DueAt       timestamp `db:"due_at"`
}

// AddEmailRequest implements storage.EmailRequests.
func (s *Store) AddEmailRequest(ctx context.Context, r storage.EmailRequest) error {
	row := emailRequestColumns{
		Kind: string(r.Kind), Email: r.Email, RequestedAt: newTimestamp(r.RequestedAt), DueAt: newTimestamp(r.RequestedAt),
	}
	return s.write(ctx, func(c conn) error { return c.save(ctx, insertEmailRequestSQL, row) })
}

// ClaimEmailRequest implements storage.EmailRequests. Concurrent claims skip each other's rows.
func (s *Store) ClaimEmailRequest(ctx context.Context, now, until time.Time) (storage.EmailRequest, error) {
	var row emailRequestRow
	err := s.write(ctx, func(c conn) error {
		if err := c.get(ctx, "request", &row, selectDueEmailRequestSQL+c.forUpdateSkipLocked, newTimestamp(now)); err != nil {
			return err
		}
		_, err := c.exec(ctx, claimEmailRequestSQL, newTimestamp(until), row.ID)
		return err
	})
	if err != nil {
		return storage.EmailRequest{}, err
	}
	return storage.EmailRequest{
		ID: strconv.FormatInt(row.ID, 10), Kind: storage.EmailKind(row.Kind), Email: row.Email, RequestedAt: row.RequestedAt.time,
	}, nil
}

// FinishEmailRequest implements storage.EmailRequests.
func (s *Store) FinishEmailRequest(ctx context.Context, id string) error {
	return s.execWrite(ctx, deleteEmailRequestSQL, parseRowID(id))
}
