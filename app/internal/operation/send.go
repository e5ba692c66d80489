package operation

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/trialcards"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// actionProvider is the part of the provider that carries out actions.
type actionProvider interface {
	payment.Customers
	payment.Cards
	payment.Subscriptions
	payment.Support
	PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error)
}

// actionSender sends the actions of operations to the provider.
type actionSender struct {
	store          storage.Organisations
	clock          clock.Clock
	log            *slog.Logger
	provider       actionProvider
	capabilities   payment.Capabilities
	attemptLimiter attemptLimiter
	sync           *billingsync.Sync
	trialCards     trialcards.Guard
	// See Ports.ReturnURL and MethodReturnURL.
	returnURL, methodReturnURL string
}

// send sends the actions in order, exactly as they were decided, and stops at the first error. If a subscription that
// should end is live, the error is ErrAlreadySubscribed. After an action for which isUnpaid returns true, send sends only
// the actions with IfDeclined. A failure of one of these is only logged, because the
// customer can delete a card that was not detached.
func (s actionSender) send(ctx context.Context, organisationID string, actions []billing.Action) (Responses, error) {
	var resp Responses
	isDeclined := false
	for _, action := range actions {
		if action.IfDeclined != isDeclined {
			continue
		}
		err := s.sendOne(ctx, organisationID, action, &resp)
		switch {
		case fault.Is(err, fault.NotFound) && isDeclined:
			// The card was never saved: this provider saves a card only with a successful payment.
		case err != nil && isDeclined:
			s.log.WarnContext(ctx, "card of a declined payment not detached", "org", organisationID, "error", err)
			return resp, nil
		case err != nil:
			return resp, err
		}
		isDeclined = isDeclined || isUnpaid(action, resp.Subscription)
	}
	return resp, nil
}

// isUnpaid reports whether the action was a payment that was declined or has to be made on the provider's page. It
// returns false for a first payment on the provider's page, because that page also saves a method. It also returns false
// while the customer has to authenticate the card.
func isUnpaid(action billing.Action, sub billing.Subscription) bool {
	switch action.Kind {
	case billing.PayInvoiceAction:
		return sub.Next.Kind == billing.NewPaymentMethod || sub.Next.Kind == billing.Redirect && !sub.NeedsBankApproval()
	case billing.StartSubscriptionAction:
		return sub.Status == billing.Incomplete && sub.Next.Kind == billing.NewPaymentMethod
	default:
		return false
	}
}

// sendOne sends an action and adds the provider's response to resp.
func (s actionSender) sendOne(ctx context.Context, organisationID string, action billing.Action, resp *Responses) (err error) {
	switch action.Kind {
	case billing.CreateCustomerAction:
		resp.Customer, err = s.createCustomer(ctx, organisationID, action)
	case billing.UpdateCustomerAction:
		resp.Details, err = s.updateCustomer(ctx, organisationID, action)
	case billing.SaveCardAction, billing.SetDefaultCardAction, billing.DeleteCardAction:
		err = s.sendCard(ctx, organisationID, action, resp)
	case billing.SetUpMethodAction:
		resp.MethodPage, err = s.setUpMethod(ctx, organisationID, action, resp.Subscription.ID != "")
	case billing.EndUnpaidAction:
		err = s.endUnpaid(ctx, action, resp)
	case billing.StartSubscriptionAction:
		resp.Subscription, err = s.startSubscription(ctx, organisationID, action, resp.Card)
	case billing.PayInvoiceAction:
		resp.Subscription, err = s.pay(ctx, organisationID, action, resp.Card)
	case billing.ChangePlanAction, billing.ScheduleChangeAction:
		resp.Subscription, err = s.changePlan(ctx, organisationID, action)
	case billing.ExtendTrialAction, billing.RefundAction, billing.AddCreditAction, billing.LiftHoldAction:
		err = s.sendSupport(ctx, organisationID, action, resp)
	default:
		resp.Subscription, err = s.sendChange(ctx, organisationID, action)
	}
	return err
}

// sendSupport sends an action that an operator requests, and adds the provider's response to resp.
func (s actionSender) sendSupport(
	ctx context.Context, organisationID string, action billing.Action, resp *Responses,
) (err error) {
	switch action.Kind {
	case billing.ExtendTrialAction:
		resp.Subscription, err = s.provider.ExtendTrial(ctx,
			payment.TrialExtension{Key: action.Key, SubscriptionID: action.SubscriptionID, Until: action.Until})
	case billing.RefundAction:
		_, err = s.provider.Refund(ctx,
			payment.RefundRequest{Key: action.Key, InvoiceID: action.InvoiceID, Amount: action.Amount})
	case billing.AddCreditAction:
		resp.Customer, err = s.provider.AddCredit(ctx, payment.CreditGrant{
			Key: action.Key, CustomerID: action.CustomerID, Amount: action.Amount, Reason: "granted by support",
		})
	default:
		resp.Customer, err = s.liftHold(ctx, organisationID, action)
	}
	return err
}

// liftHold lifts the hold of the organisation's customer at the provider, and the stored holds of former customers.
func (s actionSender) liftHold(
	ctx context.Context, organisationID string, action billing.Action,
) (customer billing.Customer, err error) {
	if action.CustomerID != "" {
		customer, err = s.provider.LiftHold(ctx, payment.HoldLift{Key: action.Key, CustomerID: action.CustomerID})
		if err != nil {
			return customer, err
		}
	}
	_, err = s.store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		o.Billing.LiftHoldsOfFormerCustomers()
		return nil
	})
	return customer, err
}

// sendChange sends an action that changes or ends the subscription and charges nothing.
func (s actionSender) sendChange(
	ctx context.Context, organisationID string, action billing.Action,
) (billing.Subscription, error) {
	switch action.Kind {
	case billing.CancelPendingChangeAction:
		return s.provider.CancelPendingChange(ctx, payment.PendingChangeCancellation{
			Key: action.Key, SubscriptionID: action.SubscriptionID, InvoiceID: action.InvoiceID,
		})
	case billing.CancelScheduledChangeAction:
		return s.provider.CancelScheduledChange(ctx,
			payment.ScheduledChangeCancellation{Key: action.Key, SubscriptionID: action.SubscriptionID})
	case billing.EndAtPeriodEndAction, billing.ResumeAction:
		return s.provider.SetEndAtPeriodEnd(ctx, payment.EndRequest{
			Key: action.Key, SubscriptionID: action.SubscriptionID, End: action.Kind == billing.EndAtPeriodEndAction,
		})
	case billing.EndNowAction:
		return s.endNow(ctx, organisationID, action)
	case billing.WithdrawOrderAction:
		return s.provider.CancelSubscription(ctx,
			payment.Cancellation{Key: action.Key, SubscriptionID: action.SubscriptionID, IfUnpaid: true})
	}
	return billing.Subscription{}, fault.Newf(fault.Internal, "Unknown action %q.", action.Kind)
}

// endNow ends a past due subscription. It first stores whether the invoice is voided or stays owed, so that the record
// exists even if the server crashes after the subscription has ended.
func (s actionSender) endNow(ctx context.Context, organisationID string, action billing.Action) (billing.Subscription, error) {
	_, err := s.store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		o.Billing.RecordEnd(action, s.clock.Now())
		return nil
	})
	if err != nil {
		return billing.Subscription{}, err
	}
	return s.provider.CancelSubscription(ctx, payment.Cancellation{
		Key: action.Key, SubscriptionID: action.SubscriptionID, IfOverdue: true, VoidInvoices: action.VoidInvoices,
	})
}

// redirects reports whether the customer pays on the provider's page if the request names no saved method.
func (s actionSender) redirects() bool { return s.capabilities.Redirects() }

// endUnpaid ends a subscription that is unpaid or waits for its first payment. If it was paid at the same time, the
// error is ErrAlreadySubscribed.
func (s actionSender) endUnpaid(ctx context.Context, action billing.Action, resp *Responses) error {
	sub, err := s.provider.CancelSubscription(ctx, payment.Cancellation{
		Key: action.Key, SubscriptionID: action.SubscriptionID, IfUnpaid: true,
	})
	if err != nil {
		return err
	}
	resp.endedSubs = append(resp.endedSubs, sub)
	if sub.Status.Live() {
		return billing.ErrAlreadySubscribed(sub.Status)
	}
	return nil
}

// startSubscription starts a subscription. A failed first charge counts as a payment attempt; see recordAttempt.
func (s actionSender) startSubscription(
	ctx context.Context, organisationID string, action billing.Action, savedCard billing.PaymentMethod,
) (billing.Subscription, error) {
	req := NewSubscriptionRequest(action)
	req.ReturnTo = s.returnURL
	sub, err := s.withTrialCard(ctx, organisationID, action, savedCard, func() (billing.Subscription, error) {
		return s.provider.Subscribe(ctx, req)
	})
	if err != nil || sub.Status != billing.Incomplete || sub.LatestInvoice == nil || sub.LatestInvoice.Payment == nil {
		return sub, err
	}
	s.recordAttempt(ctx, organisationID, sub.LatestInvoice.ID+"-first", action.MethodID, sub)
	return sub, nil
}

// changePlan changes the plan now, or schedules the change. If the change is then pending, the provider has charged the
// default card without success. This charge counts as a payment attempt.
func (s actionSender) changePlan(
	ctx context.Context, organisationID string, action billing.Action,
) (billing.Subscription, error) {
	req := NewPriceChangeRequest(action)
	req.ReturnTo = s.returnURL
	sub, err := s.provider.ChangePlan(ctx, req)
	if fault.Is(err, fault.Conflict) {
		sub, err = s.findConcurrentChange(ctx, req, err)
	}
	if err != nil || req.When != billing.ChangeNow || sub.Pending == nil {
		return sub, err
	}
	s.recordAttempt(ctx, organisationID, action.Key, "", sub)
	return sub, nil
}

// recordAttempt stores that the provider has charged the subscription's invoice to the default card, or to a requested card
// that it has not saved. If the provider saves new cards before it charges them, it stores nothing for a requested card
// that was not saved, because that card can't be charged again. It only logs a failure, because the charge can't be
// undone.
func (s actionSender) recordAttempt(
	ctx context.Context, organisationID, key, requestedCardID string, sub billing.Subscription,
) {
	customer, err := s.provider.Customer(ctx, sub.CustomerID)
	if err == nil {
		var card billing.PaymentMethod // a new one
		switch {
		case customer.Default != nil && (requestedCardID == "" || requestedCardID == customer.Default.ID):
			card = *customer.Default
		case requestedCardID == "" || !s.capabilities.ChargesNewMethods:
			return
		}
		err = s.attemptLimiter.record(ctx, organisationID, key, card, sub)
	}
	if err != nil {
		s.log.WarnContext(ctx, "payment attempt not recorded", "org", organisationID, "error", err)
	}
}

// findConcurrentChange returns the subscription if a concurrent request with the same key has made the change. The
// provider refuses the later one of two such requests. Otherwise findConcurrentChange returns the refusal.
func (s actionSender) findConcurrentChange(
	ctx context.Context, req payment.PriceChange, refusal error,
) (billing.Subscription, error) {
	sub, err := s.currentSubscription(ctx, req.SubscriptionID)
	if change := (billing.Change{To: req.To, Timing: req.When}); err == nil && sub.ChangeKey == req.Key && change.IsMadeOrScheduled(&sub) {
		return sub, nil
	}
	return billing.Subscription{}, refusal
}

// pay charges an invoice to the new card of the action, or to the card that an earlier action of the operation saved.
// Without either, it charges the default card, or names no card if the provider redirects customers or saves no cards.
func (s actionSender) pay(
	ctx context.Context, organisationID string, action billing.Action, card billing.PaymentMethod,
) (billing.Subscription, error) {
	req := payment.InvoicePayment{
		Key: action.Key, InvoiceID: action.InvoiceID, Amount: action.Amount, ReturnTo: s.returnURL, Ended: action.SubscriptionEnded,
	}
	pay := func() (billing.Subscription, error) { return s.provider.PayInvoice(ctx, req) }
	if action.NewMethod { // the card is charged before it is saved, so nothing identifies it
		req.MethodID, req.KeepDefault = action.MethodID, action.KeepDefault
		return s.attemptLimiter.charge(ctx, organisationID, action.InvoiceID, action.Key, billing.PaymentMethod{}, pay)
	}
	if s.redirects() && card.ID == "" {
		return pay()
	}
	if card.ID == "" && s.capabilities.Has(payment.SavedMethods) {
		var err error
		if card, err = defaultCard(ctx, s.provider, action.CustomerID); err != nil {
			return billing.Subscription{}, err
		}
	}
	if action.MethodID != "" || s.redirects() {
		req.MethodID = card.ID // the id under which the provider saved it, which may differ from action.MethodID
	}
	return s.attemptLimiter.charge(ctx, organisationID, action.InvoiceID, action.Key, card, pay)
}

// defaultCard returns the customer's default card. It returns Invalid when there is none.
func defaultCard(ctx context.Context, provider payment.Customers, customerID string) (billing.PaymentMethod, error) {
	customer, err := provider.Customer(ctx, customerID)
	if err == nil && customer.Default == nil {
		err = fault.New(fault.Invalid, "There is no payment method to charge. Please add one first.")
	}
	if err != nil {
		return billing.PaymentMethod{}, err
	}
	return *customer.Default, nil
}

// NewSubscriptionRequest returns the request of an action that starts a subscription.
func NewSubscriptionRequest(action billing.Action) payment.NewSubscription {
	return payment.NewSubscription{
		Key: action.Key, CustomerID: action.CustomerID, MethodID: action.MethodID, Price: action.Price,
		TrialDays: action.TrialDays, Sole: true, First: action.FirstSubscription, Quoted: action.Quoted,
	}
}

// NewPriceChangeRequest returns the request of an action that changes the plan now or schedules the change.
func NewPriceChangeRequest(action billing.Action) payment.PriceChange {
	req := payment.PriceChange{
		Key: action.Key, SubscriptionID: action.SubscriptionID, From: action.From, To: action.Price, At: action.ProrationDate,
		EndTrial: action.EndTrial, Quoted: action.Quoted,
	}
	if action.Kind == billing.ScheduleChangeAction {
		req.When = billing.ChangeAtRenewal
	}
	return req
}
