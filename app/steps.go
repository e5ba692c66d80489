package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// steps sends the steps of operations to the provider, each exactly as it was planned.
type steps struct {
	provider payment.Provider
	attempts paymentAttempts
	sync     *syncBilling
}

// progress is what the steps of an operation have led to so far.
type progress struct {
	made  billing.Subscription   // by a step that starts, pays or changes one
	ended []billing.Subscription // or spared, because it was paid at that very moment
	card  billing.PaymentMethod  // saved by a step
}

// send sends the steps in their order. It stops at the first one that fails, and at a subscription
// that was to be ended and is live.
func (s steps) send(ctx context.Context, organisationID string, all []billing.Step) (progress, error) {
	var done progress
	for _, step := range all {
		if err := s.sendOne(ctx, organisationID, step, &done); err != nil {
			return done, err
		}
	}
	return done, nil
}

func (s steps) sendOne(ctx context.Context, organisationID string, step billing.Step, done *progress) (err error) {
	switch step.Kind {
	case billing.SaveCardStep:
		done.card, err = s.provider.AddCard(ctx, payment.NewCard{
			Key: step.Key, CustomerID: step.CustomerID, CardID: step.CardID, KeepDefault: step.KeepDefault,
		})
	case billing.SetDefaultCardStep:
		_, err = s.provider.SetDefaultCard(ctx, payment.SavedCard{Key: step.Key, CustomerID: step.CustomerID, CardID: step.CardID})
	case billing.DeleteCardStep:
		err = s.deleteCard(ctx, organisationID, step)
	case billing.EndUnpaidStep:
		err = s.end(ctx, step, done)
	case billing.StartSubscriptionStep:
		done.made, err = s.provider.Subscribe(ctx, payment.NewSubscription{
			Key: step.Key, CustomerID: step.CustomerID, CardID: step.CardID, Price: step.Price,
			TrialDays: step.TrialDays, Sole: true, First: step.First,
		})
	case billing.PayInvoiceStep:
		done.made, err = s.pay(ctx, organisationID, step, done.card)
	case billing.ChangePlanStep:
		done.made, err = s.change(ctx, organisationID, step)
	case billing.DropChangeStep:
		done.made, err = s.provider.CancelPendingChange(ctx, payment.PendingCancellation{
			Key: step.Key, SubscriptionID: step.SubscriptionID, InvoiceID: step.InvoiceID,
		})
	default:
		err = fault.Newf(fault.Internal, "There is no step %q here.", step.Kind)
	}
	return err
}

func (s steps) end(ctx context.Context, step billing.Step, done *progress) error {
	ended, err := s.provider.CancelSubscription(ctx, payment.Cancellation{
		Key: step.Key, SubscriptionID: step.SubscriptionID, IfUnpaid: true,
	})
	if err != nil {
		return err
	}
	done.ended = append(done.ended, ended)
	if ended.Status.Live() {
		return billing.AlreadySubscribed(ended.Status)
	}
	return nil
}

// change changes the plan. When it is left pending, the default card has been tried once for it.
func (s steps) change(ctx context.Context, organisationID string, step billing.Step) (billing.Subscription, error) {
	made, err := s.provider.ChangePlan(ctx, payment.PlanChange{
		Key: step.Key, SubscriptionID: step.SubscriptionID, From: step.From, To: step.Price, At: step.At, EndTrial: step.EndTrial,
	})
	if err != nil || made.Pending == nil {
		return made, err
	}
	if card, err := defaultCard(ctx, s.provider, step.CustomerID); err == nil {
		s.attempts.note(ctx, organisationID, step.Key, card, made)
	}
	return made, nil
}

// pay charges an invoice with the card that was just saved, or with the present default one.
func (s steps) pay(ctx context.Context, organisationID string, step billing.Step, card billing.PaymentMethod) (billing.Subscription, error) {
	if card.ID == "" {
		var err error
		if card, err = defaultCard(ctx, s.provider, step.CustomerID); err != nil {
			return billing.Subscription{}, err
		}
	}
	in := payment.InvoicePayment{Key: step.Key, InvoiceID: step.InvoiceID, Amount: step.Amount}
	if step.CardID != "" {
		in.MethodID = card.ID // the saved one's: it may differ from the id that the browser was given
	}
	return s.attempts.charge(ctx, organisationID, step.InvoiceID, step.Key, card, func() (billing.Subscription, error) {
		return s.provider.PayInvoice(ctx, in)
	})
}

// deleteCard deletes a card, but not the default one while anything is paid with it, also a
// subscription that our copy does not know yet.
func (s steps) deleteCard(ctx context.Context, organisationID string, step billing.Step) error {
	customer, err := s.provider.Customer(ctx, step.CustomerID)
	if err == nil && customer.Default != nil && customer.Default.ID == step.CardID {
		var org account.Organisation
		org, err = s.sync.do(ctx, organisationID)
		if err == nil && (org.Billing.Live() != nil || org.Billing.Open() != nil) {
			err = fault.New(fault.Conflict, "Your subscription is paid with this card. Make another card the default first.")
		}
	}
	if err != nil {
		return err
	}
	return s.provider.DeleteCard(ctx, payment.SavedCard{Key: step.Key, CustomerID: step.CustomerID, CardID: step.CardID})
}
