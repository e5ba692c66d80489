package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
)

// SubscribeRequest is the request to buy a new subscription.
type SubscribeRequest struct {
	ID        string // the id of the new subscription
	Key       string // the key of the request
	Price     catalogue.PriceRef
	Amount    int64  // the amount of one period
	TrialDays int    // 0 for none
	Source    Source // the method that is charged, or saved for a trial
	// SetupKey is the key of an attempt that saves the method of a trial, which becomes the default one; "" for none. Source
	// is then empty.
	SetupKey string
	// AuthenticateMethod states that the customer authenticates the saved method of Source when a trial begins.
	AuthenticateMethod bool
}

// start returns the subscription that the request starts now.
func (req SubscribeRequest) start(now time.Time) Subscription {
	return StartSubscription(req.Price, req.Amount, time.Duration(req.TrialDays)*day, now)
}

// Subscribe adds a subscription.
//
// These rules apply if the customer pays by transfer. In an approved account, the subscription starts now, with its
// first invoice. In any other account, the subscription is incomplete and waits up to 30 days for Approve. In a trial,
// the first invoice is for the period after the trial and is not due before that period. Subscribe returns Conflict
// while an invoice is unpaid.
//
// With Terms.ChargeTerms, the first invoice is charged now. The subscription is incomplete until the invoice is paid. If
// the invoice is not paid within 23 hours, the subscription expires. A trial starts immediately, and a token in the
// request then only saves the method. A saved method in the request becomes the default one. Subscribe returns NotFound
// if the account does not have that method, and Conflict while the account is on hold.
func (a *Account) Subscribe(req SubscribeRequest) error { return a.collector().subscribe(a, req) }

// ExtendTrial postpones the end of a trial. It postpones the due date of a prepaid invoice by the same time, in days
// rounded up. It returns the errors of Subscription.CheckTrialExtension.
func (a *Account) ExtendTrial(subscriptionID string, until time.Time) error {
	s, err := a.Subscription(subscriptionID)
	if err != nil {
		return err
	}
	if err := s.CheckTrialExtension(until); err != nil {
		return err
	}
	extensionDays := int((until.Sub(s.TrialEnd) + day - 1) / day)
	s.Subscription = s.ExtendTrial(until)
	a.putSubscription(s)
	if inv := a.Invoice(s.PrepaidInvoice); inv.ID != "" {
		inv.Lines, inv.DueAt = s.Renew().PeriodLines(), a.TimeZone.EndOfDay(inv.DueAt, extensionDays)
		a.putInvoice(inv)
	}
	return nil
}

// QuoteSubscribe returns the quote of Subscribe for an approved account. If the customer pays by transfer, DueNow is the
// total of the first invoice less credit, also in a trial.
func (a *Account) QuoteSubscribe(req SubscribeRequest) (Quote, error) {
	return a.collector().quoteSubscribe(a, req)
}
