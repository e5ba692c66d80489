package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

var (
	paymentAttempts       = tableOf[paymentAttemptRow]("payment_attempts")
	insertPaymentAttempt  = paymentAttempts.inserts()
	selectPaymentAttempts = paymentAttempts.selects(`WHERE organisation_id = ? AND invoice_id = ? AND card = ?
		ORDER BY attempted_at, key`)
	selectAttemptKnown   = "SELECT EXISTS (SELECT 1 FROM payment_attempts WHERE key = ?)"
	selectOrganisationID = "SELECT id FROM organisations WHERE id = ?"
	updateHardDecline    = "UPDATE payment_attempts SET hard_decline = ? WHERE key = ?"
	sweepPaymentAttempts = "DELETE FROM payment_attempts WHERE attempted_at < ?"
)

type paymentAttemptRow struct {
	Key            string  `db:"key"`
	OrganisationID string  `db:"organisation_id"`
	InvoiceID      string  `db:"invoice_id"`
	Card           string  `db:"card"`
	AttemptedAt    instant `db:"attempted_at"`
	HardDecline    bool    `db:"hard_decline"`
}

func (r paymentAttemptRow) attempt() billing.PaymentAttempt {
	return billing.PaymentAttempt{
		Key: r.Key, OrganisationID: r.OrganisationID, InvoiceID: r.InvoiceID, Card: r.Card,
		At: r.AttemptedAt.t, HardDecline: r.HardDecline,
	}
}

// BeginPaymentAttempt implements storage.PaymentAttempts. The organisation's row is locked, so that
// attempts on several servers are counted one after the other.
func (s *Store) BeginPaymentAttempt(
	ctx context.Context, a billing.PaymentAttempt, check func(earlier []billing.PaymentAttempt) error,
) error {
	return s.write(ctx, func(c conn) error {
		var id string
		if err := c.get(ctx, "organisation", &id, selectOrganisationID+c.lock, a.OrganisationID); err != nil {
			return err
		}
		var known bool
		if err := c.get(ctx, "payment attempt", &known, selectAttemptKnown, a.Key); err != nil || known {
			return err
		}
		var rows []paymentAttemptRow
		if err := c.list(ctx, &rows, selectPaymentAttempts, a.OrganisationID, a.InvoiceID, a.Card); err != nil {
			return err
		}
		earlier := make([]billing.PaymentAttempt, 0, len(rows))
		for _, row := range rows {
			earlier = append(earlier, row.attempt())
		}
		if err := check(earlier); err != nil {
			return callersError{err}
		}
		return c.put(ctx, insertPaymentAttempt, paymentAttemptRow{
			Key: a.Key, OrganisationID: a.OrganisationID, InvoiceID: a.InvoiceID, Card: a.Card,
			AttemptedAt: at(a.At), HardDecline: a.HardDecline,
		})
	})
}

// RecordHardDecline implements storage.PaymentAttempts.
func (s *Store) RecordHardDecline(ctx context.Context, key string) error {
	return s.write(ctx, func(c conn) error {
		_, err := c.exec(ctx, updateHardDecline, true, key)
		return err
	})
}

// SweepPaymentAttempts implements storage.PaymentAttempts.
func (s *Store) SweepPaymentAttempts(ctx context.Context, before time.Time) error {
	return s.write(ctx, func(c conn) error {
		_, err := c.exec(ctx, sweepPaymentAttempts, at(before))
		return err
	})
}
