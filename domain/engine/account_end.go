package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// StopRequest is a request to end a subscription or to cancel its pending change. It is stored until the open payment of
// the subscription is canceled, and lapses if the payment succeeds first.
type StopRequest string

// The kinds of stop requests.
const (
	NoStop                  StopRequest = ""
	StopPendingChange       StopRequest = "change"      // cancel the pending change
	StopSubscription        StopRequest = "plan"        // end the subscription
	StopSubscriptionAndVoid StopRequest = "plan_unpaid" // end the subscription and void its invoice
)

// SetEndAtPeriodEnd makes a subscription end when its period or trial ends. With ending false, it cancels that end. It
// returns the errors of Subscription.CheckEndAtPeriodEnd.
func (a *Account) SetEndAtPeriodEnd(subscriptionID string, ending bool) error {
	s, err := a.Subscription(subscriptionID)
	if err != nil {
		return err
	}
	if err := s.CheckEndAtPeriodEnd(ending); err != nil {
		return err
	}
	s.Subscription = s.SetEndAtPeriodEnd(ending)
	a.putSubscription(s)
	return nil
}

// End ends a subscription now, or withdraws its order. The open invoice of the current period stays owed unless void is
// set. End always voids the invoices of a first payment, of a pending change and of the period after a trial; if such an
// invoice is paid, the payment becomes credit. If a payment is open, End cancels the payment first: the subscription
// ends when the payment is canceled, and continues if the payment succeeds. End does nothing if the subscription has
// ended. It returns Conflict if it would have to stop a payment that is processing.
func (a *Account) End(subscriptionID string, void bool) error {
	s, err := a.Subscription(subscriptionID)
	switch {
	case err != nil:
		return err
	case s.Status.Ended():
		return nil
	case void:
		return a.requestStop(s, StopSubscriptionAndVoid)
	}
	return a.requestStop(s, StopSubscription)
}

// requestStop cancels the payment of the subscription's latest invoice. It performs the request immediately, or stores it
// until an open payment is canceled. It returns Conflict if the payment can't be canceled.
func (a *Account) requestStop(s AccountSubscription, request StopRequest) error {
	isLive := s.Status.Live() && s.Pending.Invoice == "" && request == StopSubscription
	allCanceled, err := a.cancelAttempts(s.LatestInvoice, isLive)
	if err != nil {
		return err
	}
	if s, err = a.Subscription(s.ID); err != nil { // cancelAttempts has updated PaymentProcessing
		return err
	}
	s.StopRequest = request
	if !allCanceled {
		a.putSubscription(s)
		return nil
	}
	a.performStop(s, a.Now)
	return nil
}

// performStop performs the StopRequest of the subscription.
func (a *Account) performStop(s AccountSubscription, at time.Time) {
	request := s.StopRequest
	s.StopRequest = NoStop
	switch {
	case request == StopPendingChange:
		a.voidPendingChange(s)
	case s.Status == billing.Incomplete:
		a.expire(s, at)
	default:
		a.endLiveSubscription(s, request == StopSubscriptionAndVoid)
	}
}

// endLiveSubscription ends a live subscription now, and voids the open invoice of the period if void is set.
func (a *Account) endLiveSubscription(s AccountSubscription, void bool) {
	a.cancelSetup(&s)
	a.voidInvoice(a.Invoice(s.Pending.Invoice))
	a.voidOrCreditPrepaidInvoice(&s)
	if inv, found := a.OpenInvoice(s); found && void {
		a.voidInvoice(inv)
	}
	a.putSubscription(s.withEnd(billing.Canceled, a.Now))
}
