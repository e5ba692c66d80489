package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// ListCards lists the organisation's saved cards.
type ListCards struct {
	store    storage.Organisations
	provider payment.Cards
	cards    savedCards
}

// Do returns the cards, newest first; none for an organisation without a customer. Cards of failed
// payments and older copies of the same card are removed first.
func (u *ListCards) Do(ctx context.Context, caller identity.Identity) ([]billing.PaymentMethod, error) {
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil || org.Billing.CustomerID == "" {
		return nil, err
	}
	u.cards.cleanUpIfRecorded(ctx, org)
	cards, err := u.provider.Cards(ctx, org.Billing.CustomerID)
	if err != nil || org.Billing.PaymentInProgress() || !billing.HasDuplicates(cards) {
		return cards, err
	}
	u.cards.tryCleanUp(ctx, org.ID)
	return u.provider.Cards(ctx, org.Billing.CustomerID)
}

// AddCard saves a card that the browser has entered at the provider, makes it the default card and
// pays an overdue invoice with it.
type AddCard struct{ defaultCardChange }

// AddedCard is a saved card.
type AddedCard struct {
	billing.PaymentMethod
	Payment *OverdueResult // the payment of the overdue invoice; nil when none is overdue
}

// Do returns the saved card. Declined, with the provider's message, when the card is declined. Of
// identical cards only the newest stays saved: when the customer has saved a newer copy of the card
// already, that copy becomes the default instead, and the card of the request is detached.
func (u *AddCard) Do(ctx context.Context, caller identity.Identity, cardID string) (AddedCard, error) {
	action := billing.SaveCard("", cardID) // decide sets the customer
	return changeDefault(ctx, u.defaultCardChange, caller, fingerprint("card", cardID), action,
		func(ctx context.Context, at attempt, action billing.Action) (AddedCard, error) {
			card, err := u.provider.AddCard(ctx, payment.NewCard{Key: action.Key, CustomerID: action.CustomerID, MethodID: action.MethodID})
			if err != nil {
				return AddedCard{}, err
			}
			return AddedCard{PaymentMethod: card, Payment: u.overdue.pay(ctx, at, card)}, nil
		})
}

// SetDefaultCard makes a saved card the default card and pays an overdue invoice with it.
type SetDefaultCard struct{ defaultCardChange }

// ChosenCard is a customer with its new default card.
type ChosenCard struct {
	billing.Customer
	Payment *OverdueResult // the payment of the overdue invoice; nil when none is overdue
}

// Do returns the customer with its new default card. NotFound for a card that is not the organisation's.
func (u *SetDefaultCard) Do(ctx context.Context, caller identity.Identity, cardID string) (ChosenCard, error) {
	action := billing.SetDefaultCard("", cardID) // decide sets the customer
	return changeDefault(ctx, u.defaultCardChange, caller, fingerprint("default card", cardID), action,
		func(ctx context.Context, at attempt, action billing.Action) (ChosenCard, error) {
			customer, err := u.provider.SetDefaultCard(ctx, savedCard(action))
			if err != nil || customer.Default == nil {
				return ChosenCard{Customer: customer}, err
			}
			return ChosenCard{Customer: customer, Payment: u.overdue.pay(ctx, at, *customer.Default)}, nil
		})
}

// defaultCardChange contains the common dependencies of AddCard and SetDefaultCard.
type defaultCardChange struct {
	store    storage.Organisations
	provider payment.Cards
	ops      operations
	overdue  overdueInvoice
	cards    savedCards
}

// changeDefault runs an action that makes a card the default one. It is a subscription operation, so that
// no subscription begins, changes or is paid at the same time. send sends the action and pays the overdue
// invoice.
func changeDefault[T any](
	ctx context.Context, u defaultCardChange, caller identity.Identity, fingerprint string, action billing.Action,
	send func(ctx context.Context, at attempt, action billing.Action) (T, error),
) (T, error) {
	org, err := organisationWithCustomer(ctx, u.store, caller)
	if err != nil {
		var zero T
		return zero, err
	}
	return run(ctx, u.ops, request[T]{
		organisationID: org.ID, kind: billing.SubscriptionOperation, fingerprint: fingerprint,
		decide: func(ctx context.Context, _ bool) (decision[T], error) {
			actions, fresh, err := u.overdue.decide(ctx, org.ID, action)
			return decision[T]{actions: actions, org: fresh}, err
		},
		do: func(ctx context.Context, at attempt) (T, error) {
			isRecorded := u.cards.cleanUpFailed(ctx, at, action.MethodID, nil)
			done, err := send(ctx, at, at.actions[0])
			if err != nil {
				return done, err
			}
			if isRecorded {
				u.cards.deleteRecord(ctx, at.org.ID, action.MethodID)
			}
			if action.Kind == billing.SaveCardAction {
				u.cards.cleanUpDuplicates(ctx, at)
			}
			return done, nil
		},
	})
}

// DeleteCard deletes a saved card.
type DeleteCard struct {
	store  storage.Organisations
	ops    operations
	sender sender
}

// Do deletes the card. NotFound for a card that is not the organisation's; Conflict for the default card
// while a subscription is live or waits for its first payment.
func (u *DeleteCard) Do(ctx context.Context, caller identity.Identity, cardID string) error {
	org, err := organisationWithCustomer(ctx, u.store, caller)
	if err != nil {
		return err
	}
	_, err = run(ctx, u.ops, request[struct{}]{
		organisationID: org.ID, kind: billing.SubscriptionOperation, fingerprint: fingerprint("delete card", cardID),
		actions: []billing.Action{billing.DeleteCard(org.Billing.CustomerID, cardID)},
		do: func(ctx context.Context, at attempt) (struct{}, error) {
			_, err := u.sender.send(ctx, at.org.ID, at.actions)
			return struct{}{}, err
		},
	})
	return err
}
