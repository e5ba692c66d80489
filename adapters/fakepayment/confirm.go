package fakepayment

import (
	"context"
	"crypto/subtle"
	"strings"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// Outcome is how the holder's authentication ends.
type Outcome string

// The outcomes. None is the first try of a confirmation, before anybody was asked.
const (
	NoOutcome Outcome = ""
	Complete  Outcome = "complete"
	Fail      Outcome = "fail"
)

// Confirmation is what the browser does with an intent.
type Confirmation struct {
	ClientSecret string
	Outcome      Outcome
	CardID       string // the card to use; "" for the one at hand
}

// Confirm does what Stripe's script does with a client secret, and returns the intent as it then
// is. Declined when the card does not do, NotFound for a secret or a card that does not belong,
// Conflict when the intent waits for nothing of the kind.
func (p *Provider) Confirm(ctx context.Context, in Confirmation) (billing.Intent, error) {
	after, _, err := p.confirm(ctx, in)
	if err != nil {
		return billing.Intent{}, err
	}
	return billing.Intent{ID: after.ID, Status: after.Status, ClientSecret: after.Secret}, nil
}

// confirm also returns the intent when the card was declined, and its card.
func (p *Provider) confirm(ctx context.Context, in Confirmation) (after intent, with card, err error) {
	err = p.act(ctx, func(t *tx) error {
		after, err = t.intentOf(in.ClientSecret)
		if err != nil {
			return err
		}
		after, err = t.confirm(after, in)
		with = t.cards.rows[after.Card]
		return err
	})
	return after, with, err
}

// look finds the intent of a client secret, and its card.
func (p *Provider) look(ctx context.Context, secret string) (found intent, with card, err error) {
	err = p.act(ctx, func(t *tx) error {
		found, err = t.intentOf(secret)
		with = t.cards.rows[found.Card]
		return err
	})
	return found, with, err
}

func (t *tx) intentOf(secret string) (intent, error) {
	id, _, _ := strings.Cut(secret, secretInfix)
	in, known := t.intents.get(id)
	if !known || subtle.ConstantTimeCompare([]byte(in.Secret), []byte(secret)) != 1 {
		return intent{}, fault.New(fault.NotFound, "There is no such intent.")
	}
	return in, nil
}

func (t *tx) confirm(in intent, by Confirmation) (intent, error) {
	waits := in.Status == billing.RequiresAction
	switch {
	case in.Status == billing.Succeeded:
		return in, nil
	case waits && by.Outcome != NoOutcome:
		in = t.authenticate(in, by.Outcome == Complete)
		t.settle(in)
		return in, nil
	case in.Status == billing.IntentCanceled, by.Outcome != NoOutcome:
		return in, fault.New(fault.Conflict, "This intent can't be confirmed: its status is "+string(in.Status)+".")
	case waits && by.CardID == "":
		return in, nil
	}
	return t.confirmWith(in, by.CardID)
}

// confirmWith tries the intent with a card, the customer's default one when none is named.
func (t *tx) confirmWith(in intent, cardID string) (intent, error) {
	c := t.customers.rows[in.Customer]
	if cardID == "" {
		cardID = c.Default
	} else if _, err := t.cardFor(c, cardID); err != nil {
		return in, err
	}
	in = t.attempt(in, cardID)
	t.settle(in)
	if in.Problem != nil {
		return in, in.Problem.declined()
	}
	return in, nil
}
