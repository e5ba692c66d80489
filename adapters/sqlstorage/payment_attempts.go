package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

var (
	paymentAttemptTable      = newTable[paymentAttemptRow]("payment_attempts")
	insertPaymentAttemptSQL  = paymentAttemptTable.insertSQL()
	selectPaymentAttemptsSQL = paymentAttemptTable.selectSQL(`WHERE organisation_id = ? AND invoice_id = ? AND card = ?
		ORDER BY attempted_at, key`)
)

const (
	selectPaymentAttemptExistsSQL = "SELECT EXISTS (SELECT 1 FROM payment_attempts WHERE key = ?)"
	selectOrganisationIDSQL       = "SELECT id FROM organisations WHERE id = ?"
	updateHardDeclineSQL          = "UPDATE payment_attempts SET hard_decline = ? WHERE key = ?"
	sweepPaymentAttemptsSQL       = "DELETE FROM payment_attempts WHERE attempted_at < ?"
)

type paymentAttemptRow struct {
	Key            string    `db:"key"`
	OrganisationID string    `db:"organisation_id"`
	InvoiceID      string    `db:"invoice_id"`
	Card           string    `db:"card"`
	AttemptedAt    timestamp `db:"attempted_at"`
	HardDecline    bool      `db:"hard_decline"`
}

// BeginPaymentAttempt implements storage.PaymentAttempts. It locks the organisation's row, so that
// concurrent attempts call check one after the other.
func (s *Store) BeginPaymentAttempt(
	ctx context.Context, a billing.PaymentAttempt, check func(earlier []billing.PaymentAttempt) error,
) error {
	return s.write(ctx, func(c conn) error {
		var id string
		if err := c.get(ctx, "organisation", &id, selectOrganisationIDSQL+c.forUpdate, a.OrganisationID); err != nil {
			return err
		}
		var exists bool
		if err := c.get(ctx, "payment attempt", &exists, selectPaymentAttemptExistsSQL, a.Key); err != nil || exists {
			return err
		}
		earlier, err := c.listEarlierAttempts(ctx, a)
		if err != nil {
			return err
		}
		if err := check(earlier); err != nil {
			return callerError{err}
		}
		return c.save(ctx, insertPaymentAttemptSQL, paymentAttemptRow{
			Key: a.Key, OrganisationID: a.OrganisationID, InvoiceID: a.InvoiceID, Card: a.Card,
			AttemptedAt: newTimestamp(a.At), HardDecline: a.HardDecline,
		})
	})
}

// listEarlierAttempts returns the stored attempts at the same invoice with the same card.
func (c conn) listEarlierAttempts(ctx context.Context, a billing.PaymentAttempt) ([]billing.PaymentAttempt, error) {
	var rows []paymentAttemptRow
	err := c.list(ctx, &rows, selectPaymentAttemptsSQL, a.OrganisationID, a.InvoiceID, a.Card)
	attempts := make([]billing.PaymentAttempt, 0, len(rows))
	for _, r := range rows {
		attempts = append(attempts, billing.PaymentAttempt{
			Key: r.Key, OrganisationID: r.OrganisationID, InvoiceID: r.InvoiceID, Card: r.Card,
			At: r.AttemptedAt.time, HardDecline: r.HardDecline,
		})
	}
	return attempts, err
}

// RecordHardDecline implements storage.PaymentAttempts.
func (s *Store) RecordHardDecline(ctx context.Context, key string) error {
	return s.execWrite(ctx, updateHardDeclineSQL, true, key)
}

// SweepPaymentAttempts implements storage.PaymentAttempts.
func (s *Store) SweepPaymentAttempts(ctx context.Context, before time.Time) error {
	return s.execWrite(ctx, sweepPaymentAttemptsSQL, newTimestamp(before))
}
