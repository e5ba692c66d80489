// Package trialcards recognises cards and bank accounts that had a trial with another organisation. An organisation has one
// trial, but a person can register several organisations.
//
// The Guard stores a keyed hash of the provider's fingerprint, which identifies the card number without revealing it. If
// a card may have only one trial, the Guard stores the hash before the trial begins. Otherwise it stores the hash when
// the application first reads the card during the trial. It also does this for a card that is saved later, for example on
// a gateway's page.
package trialcards

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// Guard records the cards with which trials begin.
type Guard struct {
	Store           storage.TrialCards
	Clock           clock.Clock
	Log             *slog.Logger
	Key             []byte // of the hashes
	OneTrialPerCard bool   // Claim refuses a card with a trial elsewhere; otherwise operators see the other organisations
}

// Claim records that the organisation's trial begins with the method, before it begins. If OneTrialPerCard is set and another
// organisation had a trial with the same card, it records nothing and returns Conflict. A method without a fingerprint has no
// effect.
func (g Guard) Claim(ctx context.Context, organisationID string, m billing.PaymentMethod) error {
	card := g.hash(m)
	if card == "" {
		return nil
	}
	return g.Store.ClaimTrialCard(ctx, storage.TrialCard{Card: card, OrganisationID: organisationID, At: g.Clock.Now()},
		func(elsewhere []storage.TrialCard) error {
			if g.OneTrialPerCard && len(elsewhere) > 0 {
				return fault.Newf(fault.Conflict, "This %s was already used for a free trial. Please use another one, or contact us.", noun(m))
			}
			return nil
		})
}

// Release reverts Claim if the trial has not begun. It logs a failure: operators then see a trial that was not made.
func (g Guard) Release(ctx context.Context, organisationID string, m billing.PaymentMethod) {
	card := g.hash(m)
	if card == "" {
		return
	}
	if err := g.Store.ReleaseTrialCard(ctx, organisationID, card); err != nil {
		g.Log.WarnContext(ctx, "trial card not released", "org", organisationID, "error", err)
	}
}

// Record records methods of the organisation during its trial, whether or not other organisations had a trial with them. It
// logs a failure.
func (g Guard) Record(ctx context.Context, org account.Organisation, methods ...billing.PaymentMethod) {
	if sub := org.Billing.LiveSubscription(); sub == nil || sub.Status != billing.Trialing {
		return
	}
	recorder := g
	recorder.OneTrialPerCard = false
	for _, m := range methods {
		if err := recorder.Claim(ctx, org.ID, m); err != nil {
			g.Log.WarnContext(ctx, "trial card not recorded", "org", org.ID, "error", err)
		}
	}
}

// hash returns the hash of the card number or the bank account, or "" if the provider has no fingerprint.
func (g Guard) hash(m billing.PaymentMethod) string {
	fingerprint := cmp.Or(m.Card.Fingerprint, m.Fingerprint)
	if fingerprint == "" {
		return ""
	}
	mac := hmac.New(sha256.New, g.Key)
	mac.Write([]byte(fingerprint))
	return hex.EncodeToString(mac.Sum(nil))
}

func noun(m billing.PaymentMethod) string {
	switch m.Kind {
	case billing.CardMethod:
		return "card"
	case billing.BankDebitMethod:
		return "bank account"
	case billing.OtherMethod:
	}
	return "payment method"
}
