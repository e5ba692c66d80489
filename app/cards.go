package app

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/app/internal/trialcards"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// cardReader reads the customer's saved cards from the provider.
type cardReader interface {
	Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error)
}

// containsCard reports whether a card with the id is among the cards.
func containsCard(cards []billing.PaymentMethod, id string) bool {
	return slices.ContainsFunc(cards, func(m billing.PaymentMethod) bool { return m.ID == id })
}

// ListCards lists the organisation's saved cards.
type ListCards struct {
	store    storage.Organisations
	provider interface {
		cardReader
		customerReader
	}
	trialCards trialcards.Guard
}

// Do returns the cards, newest first. An organisation without a customer has no cards. Of duplicates of the same card, Do
// returns the default one, otherwise the newest. During a trial, Do records the cards.
func (u *ListCards) Do(ctx context.Context, caller identity.Identity) ([]billing.PaymentMethod, error) {
	if err := caller.Require(account.Read); err != nil {
		return nil, err
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil || org.Billing.CustomerID == "" {
		return nil, err
	}
	cards, err := u.provider.Cards(ctx, org.Billing.CustomerID)
	if fault.Is(err, fault.NotFound) { // CreateCustomer replaces the customer
		return nil, nil
	}
	u.trialCards.Record(ctx, org, cards...)
	if err != nil || len(billing.UniqueMethods(cards, "")) == len(cards) {
		return cards, err
	}
	customer, err := u.provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil {
		return nil, err
	}
	return billing.UniqueMethods(cards, customer.DefaultID()), nil
}

// AddCard saves a card that the browser has entered at the provider, makes it the default card and
// pays an overdue invoice with it.
type AddCard struct {
	defaultCardChanger
	createCustomer *CreateCustomer
}

// AddCardResult contains the saved card and the payment that was made with the card.
type AddCardResult struct {
	billing.PaymentMethod
	Payment *OverduePaymentResult // the payment of the overdue invoice; nil when none is overdue
}

// Do returns the saved card. If the card is declined, it returns Declined with the provider's message. If the provider
// does not know the organisation's customer, Do replaces the customer as ShowCustomer does, and saves the card to the new
// one.
func (u *AddCard) Do(ctx context.Context, caller identity.Identity, cardID string) (AddCardResult, error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return AddCardResult{}, err
	}
	save := func() (defaultCardResult, error) {
		return u.changeDefaultCard(ctx, caller, []string{"card", cardID}, billing.SaveCard("", cardID))
	}
	result, err := save()
	if fault.Is(err, fault.NotFound) {
		isReplaced, replaceErr := u.createCustomer.replaceIfUnknown(ctx, caller.OrganisationID)
		if replaceErr != nil {
			return AddCardResult{}, replaceErr
		}
		if isReplaced {
			result, err = save()
		}
	}
	return AddCardResult{PaymentMethod: result.card, Payment: result.payment}, err
}

// SetUpMethod opens the provider's page on which the customer saves a payment method without a payment. AddCard with
// the id of the saved method makes it the default one and pays an overdue invoice.
type SetUpMethod struct {
	store storage.Organisations
	ops   *operation.Runner
}

// Do returns a redirect to the page. From there the customer returns to Ports.MethodReturnURL. Do returns Unsupported
// when the provider has no such page.
func (u *SetUpMethod) Do(ctx context.Context, caller identity.Identity) (billing.NextAction, error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return billing.NextAction{}, err
	}
	ctx, cancel := operation.Detach(ctx, timeouts.Request)
	defer cancel()
	outcome, err := u.ops.Run(ctx, operation.Request{
		OrganisationID: caller.OrganisationID, Kind: billing.SubscriptionOperation, Parameters: []string{"set up method"},
		Decide: func(ctx context.Context) (account.Organisation, []billing.Action, error) {
			org, err := organisationWithCustomer(ctx, u.store, caller)
			return org, []billing.Action{billing.SetUpMethod(org.Billing.CustomerID)}, err
		},
	})
	if err != nil {
		return billing.NextAction{}, err
	}
	return outcome.MethodPage, nil
}

// SetDefaultCard makes a saved card the default card and pays an overdue invoice with it.
type SetDefaultCard struct{ defaultCardChanger }

// SetDefaultCardResult contains the customer with its new default card and the payment that was made with the card.
type SetDefaultCardResult struct {
	billing.Customer
	Payment *OverduePaymentResult // the payment of the overdue invoice; nil when none is overdue
}

// Do returns the customer with its new default card. It returns NotFound for a card that is not the organisation's.
func (u *SetDefaultCard) Do(ctx context.Context, caller identity.Identity, cardID string) (SetDefaultCardResult, error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return SetDefaultCardResult{}, err
	}
	result, err := u.changeDefaultCard(ctx, caller, []string{"default card", cardID}, billing.SetDefaultCard("", cardID))
	return SetDefaultCardResult{Customer: result.customer, Payment: result.payment}, err
}

// defaultCardChanger makes a card the default one. It uses a subscription operation, so that no subscription begins,
// changes or is paid at the same time.
type defaultCardChanger struct {
	ops                 *operation.Runner
	overdueInvoicePayer overdueInvoicePayer
}

// defaultCardResult contains the result of changeDefaultCard.
type defaultCardResult struct {
	card     billing.PaymentMethod
	customer billing.Customer      // of SetDefaultCard
	payment  *OverduePaymentResult // nil when no invoice is overdue
}

// changeDefaultCard sets the action's customer, runs the action and pays an overdue invoice. A failed payment is in the
// result and is not an error. Requests with the same parameters are repeats of each other.
func (c defaultCardChanger) changeDefaultCard(
	ctx context.Context, caller identity.Identity, parameters []string, action billing.Action,
) (defaultCardResult, error) {
	ctx, cancel := operation.Detach(ctx, timeouts.Request)
	defer cancel()
	outcome, err := c.ops.Run(ctx, operation.Request{
		OrganisationID: caller.OrganisationID, Kind: billing.SubscriptionOperation, Parameters: parameters,
		Decide: func(ctx context.Context) (account.Organisation, []billing.Action, error) {
			return c.overdueInvoicePayer.decide(ctx, caller, action)
		},
		PaymentOptional: true,
	})
	result := defaultCardResult{card: outcome.Card, customer: outcome.Customer}
	if outcome.Card.ID != "" {
		result.payment = c.overdueInvoicePayer.result(ctx, outcome)
	}
	return result, err
}

// DeleteCard deletes a saved card.
type DeleteCard struct {
	store    storage.Organisations
	provider interface {
		cardReader
		customerReader
	}
	ops *operation.Runner
}

// Do deletes the card and its duplicates, which ListCards doesn't return. It returns NotFound for a card that is not the
// organisation's. It returns Conflict for the default card while a subscription is live or waits for its first payment.
func (u *DeleteCard) Do(ctx context.Context, caller identity.Identity, cardID string) error {
	if err := caller.Require(account.ManageBilling); err != nil {
		return err
	}
	ctx, cancel := operation.Detach(ctx, timeouts.Request)
	defer cancel()
	_, err := u.ops.Run(ctx, operation.Request{
		OrganisationID: caller.OrganisationID, Kind: billing.SubscriptionOperation, Parameters: []string{"delete card", cardID},
		Decide: func(ctx context.Context) (account.Organisation, []billing.Action, error) {
			return u.decide(ctx, caller, cardID)
		},
	})
	return err
}

// decide returns the actions that delete the card and its duplicates.
func (u *DeleteCard) decide(
	ctx context.Context, caller identity.Identity, cardID string,
) (account.Organisation, []billing.Action, error) {
	org, err := organisationWithCustomer(ctx, u.store, caller)
	if err != nil {
		return org, nil, err
	}
	actions := []billing.Action{billing.DeleteCard(org.Billing.CustomerID, cardID)}
	duplicates, err := u.duplicatesOf(ctx, org.Billing.CustomerID, cardID)
	for _, m := range duplicates {
		actions = append(actions, billing.DeleteCard(org.Billing.CustomerID, m.ID))
	}
	return org, actions, err
}

// duplicatesOf returns the duplicates of the card that ListCards doesn't return. It returns none if the default card is a
// duplicate, because ListCards then returns the default card.
func (u *DeleteCard) duplicatesOf(ctx context.Context, customerID, cardID string) ([]billing.PaymentMethod, error) {
	cards, err := u.provider.Cards(ctx, customerID)
	duplicates := billing.DuplicatesOf(cardID, cards)
	if err != nil || len(duplicates) == 0 {
		return nil, err
	}
	customer, err := u.provider.Customer(ctx, customerID)
	if err != nil || containsCard(duplicates, customer.DefaultID()) {
		return nil, err
	}
	return duplicates, nil
}
