package app

import (
	"cmp"
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// steps sends the steps of operations to the provider.
type steps struct {
	store     storage.Organisations
	provider  payment.Provider
	attempts  paymentAttempts
	sync      *billingSync
	returnURL string // see Ports.ReturnURL
}

// progress collects what the provider returned for the steps of an operation.
type progress struct {
	subscription billing.Subscription   // started, paid, changed or ended by its customer
	ended        []billing.Subscription // ended, or still live if it was paid just before
	card         billing.PaymentMethod  // saved
	details      account.BillingDetails // sent
}

// send sends the steps in order, exactly as they were planned, and stops at the first error. If a
// subscription that should end is live, the error is AlreadySubscribed.
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
		_, err = s.provider.SetDefaultCard(ctx, savedCard(step))
	case billing.DeleteCardStep:
		err = s.deleteCard(ctx, organisationID, step)
	case billing.EndUnpaidStep:
		err = s.endUnpaid(ctx, step, done)
	case billing.StartSubscriptionStep:
		in := newSubscription(step)
		in.ReturnTo = s.returnTo()
		done.subscription, err = s.provider.Subscribe(ctx, in)
	case billing.PayInvoiceStep:
		done.subscription, err = s.pay(ctx, organisationID, step, done.card)
	case billing.ChangePlanStep:
		done.subscription, err = s.changePlan(ctx, organisationID, step)
	case billing.UpdateCustomerStep:
		done.details, err = s.updateCustomer(ctx, organisationID, step)
	default:
		done.subscription, err = s.sendChange(ctx, organisationID, step)
	}
	return err
}

// sendChange sends a step that changes how the subscription continues and charges nothing.
func (s steps) sendChange(ctx context.Context, organisationID string, step billing.Step) (billing.Subscription, error) {
	switch step.Kind {
	case billing.CancelPendingChangeStep:
		return s.provider.CancelPendingChange(ctx, payment.PendingCancellation{
			Key: step.Key, SubscriptionID: step.SubscriptionID, InvoiceID: step.InvoiceID,
		})
	case billing.ScheduleChangeStep:
		return s.provider.ChangePlan(ctx, planChangeRequest(step))
	case billing.CancelScheduledChangeStep:
		return s.provider.CancelScheduledChange(ctx, payment.ScheduleCancellation{Key: step.Key, SubscriptionID: step.SubscriptionID})
	case billing.EndAtPeriodEndStep, billing.ResumeStep:
		return s.provider.SetEndAtPeriodEnd(ctx, payment.EndRequest{
			Key: step.Key, SubscriptionID: step.SubscriptionID, End: step.Kind == billing.EndAtPeriodEndStep,
		})
	case billing.EndNowStep:
		return s.endNow(ctx, organisationID, step)
	case billing.WithdrawOrderStep:
		return s.provider.CancelSubscription(ctx, payment.Cancellation{Key: step.Key, SubscriptionID: step.SubscriptionID, IfUnpaid: true})
	}
	return billing.Subscription{}, fault.Newf(fault.Internal, "Unknown step %q.", step.Kind)
}

// endNow ends a past due subscription. It first stores whether its invoice is voided or stays owed, so that this
// is known whenever the subscription has ended.
func (s steps) endNow(ctx context.Context, organisationID string, step billing.Step) (billing.Subscription, error) {
	_, err := s.sync.store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		o.Billing.NoteEnd(step, s.sync.clock.Now())
		return nil
	})
	if err != nil {
		return billing.Subscription{}, err
	}
	return s.provider.CancelSubscription(ctx, payment.Cancellation{
		Key: step.Key, SubscriptionID: step.SubscriptionID, IfOverdue: true, VoidInvoices: step.VoidInvoices,
	})
}

// returnTo returns the page to which the provider sends the customer back, "" if it has no page of its own.
func (s steps) returnTo() string {
	if !s.redirects() {
		return ""
	}
	return s.returnURL
}

// redirects reports whether the customer pays on the provider's page unless a saved method is named.
func (s steps) redirects() bool { return s.provider.Capabilities().Entry == payment.EntryRedirect }

// endUnpaid ends a subscription whose first payment is open or that is unpaid. If it was paid at the same time, the
// error is AlreadySubscribed.
func (s steps) endUnpaid(ctx context.Context, step billing.Step, done *progress) error {
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

// changePlan changes the plan now. If the change is pending, the provider has charged the default card once
// without success, which counts as a payment attempt.
func (s steps) changePlan(ctx context.Context, organisationID string, step billing.Step) (billing.Subscription, error) {
	in := planChangeRequest(step)
	in.ReturnTo = s.returnTo()
	changed, err := s.provider.ChangePlan(ctx, in)
	if err != nil || changed.Pending == nil {
		return changed, err
	}
	if card, err := defaultCard(ctx, s.provider, step.CustomerID); err == nil {
		s.attempts.record(ctx, organisationID, step.Key, card, changed)
	}
	return changed, nil
}

// pay charges an invoice to the card that an earlier step saved, or else to the default card, if the
// provider saves cards. Without a saved card, a provider that redirects charges nothing.
func (s steps) pay(ctx context.Context, organisationID string, step billing.Step, card billing.PaymentMethod) (billing.Subscription, error) {
	in := payment.InvoicePayment{
		Key: step.Key, InvoiceID: step.InvoiceID, Amount: step.Amount, ReturnTo: s.returnTo(), Ended: step.Ended,
	}
	if s.redirects() && card.ID == "" {
		return s.provider.PayInvoice(ctx, in)
	}
	if card.ID == "" && s.provider.Capabilities().Has(payment.SavedMethods) {
		var err error
		if card, err = defaultCard(ctx, s.provider, step.CustomerID); err != nil {
			return billing.Subscription{}, err
		}
	}
	if step.CardID != "" || s.redirects() {
		in.MethodID = card.ID // the id under which the provider saved it, which may differ from step.CardID
	}
	return s.attempts.charge(ctx, organisationID, step.InvoiceID, step.Key, card, func() (billing.Subscription, error) {
		return s.provider.PayInvoice(ctx, in)
	})
}

// defaultCard returns the customer's default card; Invalid when there is none.
func defaultCard(ctx context.Context, provider payment.Customers, customerID string) (billing.PaymentMethod, error) {
	customer, err := provider.Customer(ctx, customerID)
	if err == nil && customer.Default == nil {
		err = fault.New(fault.Invalid, "There is no card to charge. Please add one first.")
	}
	if err != nil {
		return billing.PaymentMethod{}, err
	}
	return *customer.Default, nil
}

// deleteCard deletes a card. It refreshes our copy before it deletes the default card, and returns
// Conflict while a subscription is live or open.
func (s steps) deleteCard(ctx context.Context, organisationID string, step billing.Step) error {
	customer, err := s.provider.Customer(ctx, step.CustomerID)
	if err == nil && customer.Default != nil && customer.Default.ID == step.CardID {
		var org account.Organisation
		org, err = s.sync.refresh(ctx, organisationID)
		if err == nil && (org.Billing.Live() != nil || org.Billing.Open() != nil) {
			err = fault.New(fault.Conflict, "Your subscription is paid with this card. Make another card the default first.")
		}
	}
	if err != nil {
		return err
	}
	return s.provider.DeleteCard(ctx, savedCard(step))
}

// updateCustomer sends the billing details of the step, without an unconfirmed email, and stores them as those that
// the customer has. Repeats have the same result.
func (s steps) updateCustomer(ctx context.Context, organisationID string, step billing.Step) (account.BillingDetails, error) {
	details, err := account.DecodeBillingDetails(step.Details)
	if err != nil {
		return details, fault.Wrap(err, fault.Internal, "The billing details of an operation can't be read.")
	}
	sent := details
	sent.UnconfirmedEmail = ""
	_, err = s.provider.UpdateCustomer(ctx, payment.CustomerUpdate{Key: step.Key, CustomerID: step.CustomerID, Details: sent})
	if fault.Is(err, fault.Invalid) && len(fault.FieldsOf(err)) == 0 && details.TaxID != nil {
		var fields fault.Fields
		fields.Add("taxId", cmp.Or(fault.MessageOf(err), "This tax id was not accepted"))
		err = fields.Err()
	}
	if err != nil {
		return details, err
	}
	_, err = s.store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		o.SetDetails(details, step.CustomerID)
		return nil
	})
	return details, err
}

// newSubscription returns the request of a step that starts a subscription.
func newSubscription(step billing.Step) payment.NewSubscription {
	return payment.NewSubscription{
		Key: step.Key, CustomerID: step.CustomerID, CardID: step.CardID, Price: step.Price,
		TrialDays: step.TrialDays, Sole: true, First: step.First,
	}
}

// planChangeRequest returns the request of a step that changes the plan now or schedules the change.
func planChangeRequest(step billing.Step) payment.PlanChange {
	in := payment.PlanChange{
		Key: step.Key, SubscriptionID: step.SubscriptionID, From: step.From, To: step.Price, At: step.At, EndTrial: step.EndTrial,
	}
	if step.Kind == billing.ScheduleChangeStep {
		in.When = payment.AtRenewal
	}
	return in
}

// savedCard returns the request of a step about a saved card.
func savedCard(step billing.Step) payment.SavedCard {
	return payment.SavedCard{Key: step.Key, CustomerID: step.CustomerID, CardID: step.CardID}
}
