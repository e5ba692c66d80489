package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

var (
	newCards       = newTable[newCardRow]("new_cards")
	insertNewCard  = newCards.insertSQL() + " ON CONFLICT DO NOTHING"
	selectNewCards = newCards.selectSQL("WHERE organisation_id = ? ORDER BY noted_at, id")
)

const (
	deleteNewCard    = "DELETE FROM new_cards WHERE organisation_id = ? AND id = ?"
	selectDueNewCard = "SELECT organisation_id FROM new_cards WHERE check_at <= ? ORDER BY check_at, organisation_id, id LIMIT 1"
	postponeNewCards = "UPDATE new_cards SET check_at = ? WHERE organisation_id = ?"
)

type newCardRow struct {
	ID             string    `db:"id"`
	OrganisationID string    `db:"organisation_id"`
	FormerDefault  string    `db:"former_default"`
	RecordedAt     timestamp `db:"noted_at"`
	CheckAt        timestamp `db:"check_at"`
}

// SaveNewCard implements storage.NewCards.
func (s *Store) SaveNewCard(ctx context.Context, card billing.NewCard) error {
	return s.write(ctx, func(c conn) error {
		return c.save(ctx, insertNewCard, newCardRow{
			ID: card.ID, OrganisationID: card.OrganisationID, FormerDefault: card.FormerDefault,
			RecordedAt: newTimestamp(card.RecordedAt), CheckAt: newTimestamp(card.CheckAt),
		})
	})
}

// NewCards implements storage.NewCards.
func (s *Store) NewCards(ctx context.Context, organisationID string) ([]billing.NewCard, error) {
	var rows []newCardRow
	if err := s.reader().list(ctx, &rows, selectNewCards, organisationID); err != nil {
		return nil, s.fault(err)
	}
	var cards []billing.NewCard
	for _, row := range rows {
		cards = append(cards, billing.NewCard{
			ID: row.ID, OrganisationID: row.OrganisationID, FormerDefault: row.FormerDefault,
			RecordedAt: row.RecordedAt.time, CheckAt: row.CheckAt.time,
		})
	}
	return cards, nil
}

// DeleteNewCard implements storage.NewCards.
func (s *Store) DeleteNewCard(ctx context.Context, organisationID, cardID string) error {
	return s.execWrite(ctx, deleteNewCard, organisationID, cardID)
}

// ClaimNewCardCheck implements storage.NewCards.
func (s *Store) ClaimNewCardCheck(ctx context.Context, now, until time.Time) (organisationID string, err error) {
	return s.claimDue(ctx, selectDueNewCard, postponeNewCards, now, until)
}
