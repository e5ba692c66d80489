package sqlstorage

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/ports/storage"
)

var (
	trialCardTable            = newTable[trialCardRow]("trial_cards")
	insertTrialCardSQL        = trialCardTable.insertSQL() + " ON CONFLICT DO NOTHING"
	selectTrialCardsSQL       = trialCardTable.selectSQL("WHERE card = ?")
	selectSharedTrialCardsSQL = "SELECT " + trialCardTable.aliasedColumns("t") + ` FROM trial_cards own
		JOIN trial_cards t ON t.card = own.card AND t.organisation_id <> own.organisation_id WHERE own.organisation_id = ?`
)

const (
	selectTrialCardExistsSQL = "SELECT EXISTS (SELECT 1 FROM trial_cards WHERE card = ? AND organisation_id = ?)"

	deleteTrialCardSQL = "DELETE FROM trial_cards WHERE card = ? AND organisation_id = ?"
	sweepTrialCardsSQL = "DELETE FROM trial_cards WHERE claimed_at < ?"
)

type trialCardRow struct {
	Card           string    `db:"card"`
	OrganisationID string    `db:"organisation_id"`
	ClaimedAt      timestamp `db:"claimed_at"`
	IsFirst        bool      `db:"is_first"`
}

// ClaimTrialCard implements storage.TrialCards. The unique index of first claims makes a concurrent claim of the same card
// wait for this transaction. A repeated claim only reads.
func (s *Store) ClaimTrialCard(ctx context.Context, card storage.TrialCard, check func([]storage.TrialCard) error) error {
	row := trialCardRow{Card: card.Card, OrganisationID: card.OrganisationID, ClaimedAt: newTimestamp(card.At), IsFirst: true}
	var isClaimed bool
	if err := s.reader().get(ctx, "claim", &isClaimed, selectTrialCardExistsSQL, row.Card, row.OrganisationID); err != nil || isClaimed {
		return s.toFault(err)
	}
	return s.write(ctx, func(c conn) error {
		isStored, err := c.insertTrialCard(ctx, row)
		if err != nil || !isStored {
			return err
		}
		var rows []trialCardRow
		if err := c.list(ctx, &rows, selectTrialCardsSQL, row.Card); err != nil {
			return err
		}
		elsewhere := rows[:0]
		for _, r := range rows {
			if r.OrganisationID != row.OrganisationID {
				elsewhere = append(elsewhere, r)
			}
		}
		if err := check(sortTrialCards(elsewhere)); err != nil {
			return callerError{err}
		}
		return nil
	})
}

// insertTrialCard reports whether it has inserted the row, which is false if the organisation has claimed the card before.
func (c conn) insertTrialCard(ctx context.Context, row trialCardRow) (bool, error) {
	for _, row.IsFirst = range []bool{true, false} {
		count, err := c.execNamed(ctx, insertTrialCardSQL, row)
		if err != nil || count > 0 {
			return count > 0, err
		}
	}
	return false, nil
}

// sortTrialCards returns the cards, oldest first.
func sortTrialCards(rows []trialCardRow) []storage.TrialCard {
	var cards []storage.TrialCard
	for _, r := range rows {
		cards = append(cards, storage.TrialCard{Card: r.Card, OrganisationID: r.OrganisationID, At: r.ClaimedAt.time})
	}
	slices.SortFunc(cards, func(a, b storage.TrialCard) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.OrganisationID, b.OrganisationID))
	})
	return cards
}

// ReleaseTrialCard implements storage.TrialCards.
func (s *Store) ReleaseTrialCard(ctx context.Context, organisationID, card string) error {
	return s.execWrite(ctx, deleteTrialCardSQL, card, organisationID)
}

// SharedTrialCards implements storage.TrialCards.
func (s *Store) SharedTrialCards(ctx context.Context, organisationID string) ([]storage.TrialCard, error) {
	var rows []struct {
		Card trialCardRow `db:"t"`
	}
	if err := s.reader().list(ctx, &rows, selectSharedTrialCardsSQL, organisationID); err != nil {
		return nil, s.toFault(err)
	}
	var shared []trialCardRow
	for _, row := range rows {
		shared = append(shared, row.Card)
	}
	return sortTrialCards(shared), nil
}

// SweepTrialCards implements storage.TrialCards.
func (s *Store) SweepTrialCards(ctx context.Context, before time.Time) error {
	return s.execWrite(ctx, sweepTrialCardsSQL, newTimestamp(before))
}
