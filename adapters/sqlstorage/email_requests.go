package sqlstorage

import (
	"context"
	"strconv"
	"time"

	"github.com/vc-admin/diy/ports/storage"
)

var (
	emailRequests         = tableOf[emailRequestRow]("email_requests")
	insertEmailRequest    = tableOf[emailRequestColumns]("email_requests").inserts()
	selectDueEmailRequest = emailRequests.selects("WHERE due_at <= ? ORDER BY requested_at, id LIMIT 1")
	hideEmailRequest      = "UPDATE email_requests SET due_at = ? WHERE id = ?"
	deleteEmailRequest    = "DELETE FROM email_requests WHERE id = ?"
)

// emailRequestRow is a request for an email.
type emailRequestRow struct {
	ID int64 `db:"id"`
	emailRequestColumns
}

type emailRequestColumns struct {
	Kind        string  `db:"kind"`
	Email       string  `db:"email"`
	RequestedAt instant `db:"requested_at"`
	DueAt       instant `db:"due_at"`
}

// AddEmailRequest implements storage.EmailRequests.
func (s *Store) AddEmailRequest(ctx context.Context, r storage.EmailRequest) error {
	row := emailRequestColumns{
		Kind: string(r.Kind), Email: r.Email, RequestedAt: at(r.RequestedAt), DueAt: at(r.RequestedAt),
	}
	return s.write(ctx, func(c conn) error { return c.put(ctx, insertEmailRequest, row) })
}

// ClaimEmailRequest implements storage.EmailRequests. Servers that claim at the same time skip each
// other's rows.
func (s *Store) ClaimEmailRequest(ctx context.Context, now, until time.Time) (storage.EmailRequest, error) {
	var row emailRequestRow
	err := s.write(ctx, func(c conn) error {
		if err := c.get(ctx, "request", &row, selectDueEmailRequest+c.lockFree, at(now)); err != nil {
			return err
		}
		_, err := c.exec(ctx, hideEmailRequest, at(until), row.ID)
		return err
	})
	if err != nil {
		return storage.EmailRequest{}, err
	}
	return storage.EmailRequest{
		ID: strconv.FormatInt(row.ID, 10), Kind: storage.EmailKind(row.Kind), Email: row.Email, RequestedAt: row.RequestedAt.t,
	}, nil
}

// FinishEmailRequest implements storage.EmailRequests.
func (s *Store) FinishEmailRequest(ctx context.Context, id string) error {
	return s.write(ctx, func(c conn) error {
		_, err := c.exec(ctx, deleteEmailRequest, rowNumber(id))
		return err
	})
}
