package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
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

var (
	unconfirmedCardTable      = newTable[unconfirmedCardRow]("unconfirmed_cards")
	insertUnconfirmedCardSQL  = unconfirmedCardTable.insertSQL() + " ON CONFLICT DO NOTHING"
	selectUnconfirmedCardsSQL = unconfirmedCardTable.selectSQL("WHERE organisation_id = ? ORDER BY recorded_at, id")
)

const (
	deleteUnconfirmedCardSQL    = "DELETE FROM unconfirmed_cards WHERE organisation_id = ? AND id = ?"
	selectDueUnconfirmedCardSQL = `SELECT organisation_id FROM unconfirmed_cards WHERE check_at <= ?
		AND (claimed_until IS NULL OR claimed_until <= ? OR claimed_until > ?) ORDER BY check_at, organisation_id, id LIMIT 1`
	selectFarUnconfirmedCardSQL = `SELECT organisation_id FROM unconfirmed_cards WHERE check_at > ?
		AND (claimed_until IS NULL OR claimed_until <= ? OR claimed_until > ?) ORDER BY check_at, organisation_id, id LIMIT 1`
	claimUnconfirmedCardsSQL   = "UPDATE unconfirmed_cards SET check_at = ?, claimed_until = ? WHERE organisation_id = ?"
	releaseUnconfirmedCardsSQL = `UPDATE unconfirmed_cards SET check_at = ?, claimed_until = NULL
		WHERE organisation_id = ? AND claimed_until = ?`
)

type unconfirmedCardRow struct {
	ID             string    `db:"id"`
	OrganisationID string    `db:"organisation_id"`
	FormerDefault  string    `db:"former_default"`
	RecordedAt     timestamp `db:"recorded_at"`
	CheckAt        timestamp `db:"check_at"`
}

// SaveUnconfirmedCard implements storage.UnconfirmedCards.
func (s *Store) SaveUnconfirmedCard(ctx context.Context, card billing.UnconfirmedCard) error {
	return s.write(ctx, func(c conn) error {
		return c.save(ctx, insertUnconfirmedCardSQL, unconfirmedCardRow{
			ID: card.ID, OrganisationID: card.OrganisationID, FormerDefault: card.FormerDefault,
			RecordedAt: newTimestamp(card.RecordedAt), CheckAt: newTimestamp(card.CheckAt),
		})
	})
}

// UnconfirmedCards implements storage.UnconfirmedCards.
func (s *Store) UnconfirmedCards(ctx context.Context, organisationID string) ([]billing.UnconfirmedCard, error) {
	var rows []unconfirmedCardRow
	if err := s.reader().list(ctx, &rows, selectUnconfirmedCardsSQL, organisationID); err != nil {
		return nil, s.toFault(err)
	}
	var cards []billing.UnconfirmedCard
	for _, row := range rows {
		cards = append(cards, billing.UnconfirmedCard{
			ID: row.ID, OrganisationID: row.OrganisationID, FormerDefault: row.FormerDefault,
			RecordedAt: row.RecordedAt.time, CheckAt: row.CheckAt.time,
		})
	}
	return cards, nil
}

// DeleteUnconfirmedCard implements storage.UnconfirmedCards.
func (s *Store) DeleteUnconfirmedCard(ctx context.Context, organisationID, cardID string) error {
	return s.execWrite(ctx, deleteUnconfirmedCardSQL, organisationID, cardID)
}

// cardCheckStatements claim checks of unconfirmed cards.
var cardCheckStatements = checkStatements{
	selectDue: selectDueUnconfirmedCardSQL, selectFar: selectFarUnconfirmedCardSQL, claim: claimUnconfirmedCardsSQL,
	maxInterval: storage.MaxCardCheckInterval,
}

// ClaimUnconfirmedCardCheck implements storage.UnconfirmedCards.
func (s *Store) ClaimUnconfirmedCardCheck(ctx context.Context, now time.Time, lease time.Duration) (storage.Check, error) {
	return s.claimCheck(ctx, cardCheckStatements, now, lease)
}

// ReleaseUnconfirmedCardCheck implements storage.UnconfirmedCards.
func (s *Store) ReleaseUnconfirmedCardCheck(ctx context.Context, c storage.Check, next time.Time) error {
	return s.execWrite(ctx, releaseUnconfirmedCardsSQL, newTimestamp(next), c.OrganisationID, newTimestamp(c.ClaimedUntil))
}
