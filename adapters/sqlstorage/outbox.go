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
	selectDueLetters = letters.selects("WHERE due_at <= ? ORDER BY created_at, id LIMIT ?")
	claimLetters     = "UPDATE letters SET attempts = attempts + 1, due_at = ? WHERE id IN (?)"
	postponeLetter   = "UPDATE letters SET due_at = ? WHERE id = ?"
	deleteLetter     = "DELETE FROM letters WHERE id = ?"
)

// addLetter puts a letter for the user into the outbox.
func (c conn) addLetter(ctx context.Context, m mail.Message, userID string, now time.Time) error {
	return c.put(ctx, insertLetter, letterColumnsOf(m, userID, now))
}

// ClaimLetters implements storage.Outbox.
func (s *Store) ClaimLetters(ctx context.Context, now, until time.Time, limit int) ([]storage.Letter, error) {
	if limit <= 0 {
		return nil, nil
	}
	var due []letterRow
	err := s.write(ctx, func(c conn) error {
		due = nil
		if err := c.list(ctx, &due, selectDueLetters+c.lockFree, at(now), limit); err != nil || len(due) == 0 {
			return err
		}
		return c.hideLetters(ctx, due, until)
	})
	if err != nil {
		return nil, err
	}
	return claimed(due), nil
}

func (c conn) hideLetters(ctx context.Context, due []letterRow, until time.Time) error {
	ids := make([]int64, len(due))
	for i, row := range due {
		ids[i] = row.ID
	}
	statement, args, err := sqlx.In(claimLetters, at(until), ids)
	if err != nil {
		return err
	}
	_, err = c.exec(ctx, statement, args...)
	return err
}

func claimed(due []letterRow) []storage.Letter {
	var out []storage.Letter
	for _, row := range due {
		out = append(out, row.claimed())
	}
	return out
}

// FinishLetter implements storage.Outbox. A letter that is gone already is harmless: two
// deliveries may have overlapped.
func (s *Store) FinishLetter(ctx context.Context, id string) error {
	return s.changeLetter(ctx, id, deleteLetter)
}

// PostponeLetter implements storage.Outbox. A letter that is gone already is harmless.
func (s *Store) PostponeLetter(ctx context.Context, id string, due time.Time) error {
	return s.changeLetter(ctx, id, postponeLetter, at(due))
}

// changeLetter runs a statement whose last argument is the letter's number.
func (s *Store) changeLetter(ctx context.Context, id, statement string, args ...any) error {
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
