package operation

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// withTrialCard calls start. If the action starts a trial, and each card may have only one, it first records the method
// of the trial. It returns Conflict for a method that had a trial elsewhere. savedCard is the card that the operation has
// saved, or zero.
func (s actionSender) withTrialCard(
	ctx context.Context, organisationID string, action billing.Action, savedCard billing.PaymentMethod,
	start func() (billing.Subscription, error),
) (billing.Subscription, error) {
	if action.TrialDays == 0 || !s.trialCards.OneTrialPerCard {
		return start()
	}
	method, err := s.trialMethod(ctx, action, savedCard)
	if err != nil {
		return billing.Subscription{}, err
	}
	if err := s.trialCards.Claim(ctx, organisationID, method); err != nil {
		return billing.Subscription{}, err
	}
	sub, err := start()
	if err != nil && !IsOutcomeUnknown(err) {
		s.trialCards.Release(ctx, organisationID, method)
	}
	return sub, err
}

// trialMethod returns the payment method of the trial, or the zero value if the customer saves one later.
func (s actionSender) trialMethod(
	ctx context.Context, action billing.Action, savedCard billing.PaymentMethod,
) (billing.PaymentMethod, error) {
	if savedCard.ID != "" {
		return savedCard, nil
	}
	if action.MethodID == "" {
		customer, err := s.provider.Customer(ctx, action.CustomerID)
		if err != nil || customer.Default == nil {
			return billing.PaymentMethod{}, err
		}
		return *customer.Default, nil
	}
	cards, err := s.provider.Cards(ctx, action.CustomerID)
	if err != nil {
		return billing.PaymentMethod{}, err
	}
	for _, card := range cards {
		if card.ID == action.MethodID {
			return card, nil
		}
	}
	return billing.PaymentMethod{}, fault.New(fault.NotFound, "This card is not saved.")
}
