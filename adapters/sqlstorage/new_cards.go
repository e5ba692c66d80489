package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

var (
	newCards         = tableOf[newCardRow]("new_cards")
	insertNewCard    = newCards.inserts() + " ON CONFLICT DO NOTHING"
	selectNewCards   = newCards.selects("WHERE organisation_id = ? ORDER BY noted_at, id")
	deleteNewCard    = "DELETE FROM new_cards WHERE organisation_id = ? AND id = ?"
	selectDueNewCard = "SELECT organisation_id FROM new_cards WHERE check_at <= ? ORDER BY check_at, organisation_id, id LIMIT 1"
	postponeNewCards = "UPDATE new_cards SET check_at = ? WHERE organisation_id = ?"
)

type newCardRow struct {
	ID             string  `db:"id"`
	OrganisationID string  `db:"organisation_id"`
	FormerDefault  string  `db:"former_default"`
	NotedAt        instant `db:"noted_at"`
	CheckAt        instant `db:"check_at"`
}

// NoteNewCard implements storage.CardNotes.
func (s *Store) NoteNewCard(ctx context.Context, card billing.NewCard) error {
	return s.write(ctx, func(c conn) error {
		return c.put(ctx, insertNewCard, newCardRow{
			ID: card.ID, OrganisationID: card.OrganisationID, FormerDefault: card.FormerDefault,
			NotedAt: at(card.NotedAt), CheckAt: at(card.CheckAt),
		})
	})
}

// NewCards implements storage.CardNotes.
func (s *Store) NewCards(ctx context.Context, organisationID string) ([]billing.NewCard, error) {
	var rows []newCardRow
	if err := s.reader().list(ctx, &rows, selectNewCards, organisationID); err != nil {
		return nil, s.fault(err)
	}
	var cards []billing.NewCard
	for _, row := range rows {
		cards = append(cards, billing.NewCard{
			ID: row.ID, OrganisationID: row.OrganisationID, FormerDefault: row.FormerDefault,
			NotedAt: row.NotedAt.t, CheckAt: row.CheckAt.t,
		})
	}
	return cards, nil
}

// ForgetNewCard implements storage.CardNotes.
func (s *Store) ForgetNewCard(ctx context.Context, organisationID, cardID string) error {
	return s.write(ctx, func(c conn) error {
		_, err := c.exec(ctx, deleteNewCard, organisationID, cardID)
		return err
	})
}

// ClaimNewCards implements storage.CardNotes. Servers that claim together skip each other's rows.
func (s *Store) ClaimNewCards(ctx context.Context, now, until time.Time) (organisationID string, err error) {
	err = s.write(ctx, func(c conn) error {
		if err := c.get(ctx, "new card that is due", &organisationID, selectDueNewCard+c.lockFree, at(now)); err != nil {
			return err
		}
		_, err := c.exec(ctx, postponeNewCards, at(until), organisationID)
		return err
	})
	if err != nil {
		return "", err
	}
	return organisationID, nil
}
