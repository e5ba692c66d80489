package storage

import (
	"context"
	"time"
)

// TrialCards stores the cards and bank accounts with which trials began, so that operators see when several organisations
// had a trial with the same card. A card is a keyed hash of the provider's fingerprint.
type TrialCards interface {
	// ClaimTrialCard stores that the organisation's trial begins with the card. Before it commits, it calls check with the
	// trials that other organisations had with the card, oldest first. If check returns an error, ClaimTrialCard stores
	// nothing and returns the error unchanged. If the organisation has claimed the card before, it returns nil without
	// calling check. Of concurrent claims of a card, each sees those that were stored before. It may call check again. It
	// returns NotFound for an unknown organisation.
	ClaimTrialCard(ctx context.Context, c TrialCard, check func(elsewhere []TrialCard) error) error
	// ReleaseTrialCard deletes the claim of a trial that did not begin. It ignores an unknown claim.
	ReleaseTrialCard(ctx context.Context, organisationID, card string) error
	// SharedTrialCards returns the trials that other organisations had with the cards of the organisation's trial, oldest
	// first.
	SharedTrialCards(ctx context.Context, organisationID string) ([]TrialCard, error)
	// SweepTrialCards deletes the cards that were stored before the given time.
	SweepTrialCards(ctx context.Context, before time.Time) error
}

// TrialCard is a card with which a trial began.
type TrialCard struct {
	Card           string
	OrganisationID string
	At             time.Time
}
