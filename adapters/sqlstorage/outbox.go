package sqlstorage

import (
	"context"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	selectDueEmails = emails.selects("WHERE due_at <= ? ORDER BY created_at, id LIMIT ?")
	claimEmails     = "UPDATE letters SET attempts = attempts + 1, due_at = ? WHERE id IN (?)"
	postponeEmail   = "UPDATE letters SET due_at = ? WHERE id = ?"
	deleteEmail     = "DELETE FROM letters WHERE id = ?"
)

// addEmail puts an email for the user into the outbox.
func (c conn) addEmail(ctx context.Context, m mail.Message, userID string, now time.Time) error {
	return c.put(ctx, insertEmail, emailColumnsOf(m, userID, now))
}

// ClaimEmails implements storage.Outbox.
func (s *Store) ClaimEmails(ctx context.Context, now, until time.Time, limit int) ([]storage.Email, error) {
	if limit <= 0 {
		return nil, nil
	}
	var due []emailRow
	err := s.write(ctx, func(c conn) error {
		due = nil
		if err := c.list(ctx, &due, selectDueEmails+c.lockFree, at(now), limit); err != nil || len(due) == 0 {
			return err
		}
		return c.hideEmails(ctx, due, until)
	})
	if err != nil {
		return nil, err
	}
	return claimed(due), nil
}

func (c conn) hideEmails(ctx context.Context, due []emailRow, until time.Time) error {
	ids := make([]int64, len(due))
	for i, row := range due {
		ids[i] = row.ID
	}
	statement, args, err := sqlx.In(claimEmails, at(until), ids)
	if err != nil {
		return err
	}
	_, err = c.exec(ctx, statement, args...)
	return err
}

func claimed(due []emailRow) []storage.Email {
	var out []storage.Email
	for _, row := range due {
		out = append(out, row.claimed())
	}
	return out
}

// FinishEmail implements storage.Outbox. An email that is gone already is harmless: two
// deliveries may have overlapped.
func (s *Store) FinishEmail(ctx context.Context, id string) error {
	return s.changeEmail(ctx, id, deleteEmail)
}

// PostponeEmail implements storage.Outbox. An email that is gone already is harmless.
func (s *Store) PostponeEmail(ctx context.Context, id string, due time.Time) error {
	return s.changeEmail(ctx, id, postponeEmail, at(due))
}

// changeEmail runs a statement whose last argument is the email's number.
func (s *Store) changeEmail(ctx context.Context, id, statement string, args ...any) error {
	return s.write(ctx, func(c conn) error {
		_, err := c.exec(ctx, statement, append(args, rowNumber(id))...)
		return err
	})
}

// rowNumber reads an id that the database counts; one that is no number is 0, which no row has.
func rowNumber(id string) int64 {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return 0
	}
	return number
}
