package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

// Order is the purchase of a new subscription.
type Order struct {
	ID        string // of the subscription
	MadeBy    string // key of the request
	Price     catalogue.PriceRef
	Amount    int64  // of one period
	TrialDays int    // 0 for none
	Source    Source // is charged, or saved for a trial
}

// Subscribe adds a subscription.
//
// If the customer pays by transfer, it starts now, with its first invoice, if the account is approved; otherwise it waits
// for Approve as incomplete, for 30 days. During a trial the first invoice is for the period after it, and not due
// before its end. Conflict while an invoice is unpaid.
//
// Otherwise its first invoice is charged now, and the subscription is incomplete until it is paid, for 23 hours. A trial
// starts at once; with a token it begins an attempt to save the method. A saved method in the order becomes the
// default one. NotFound if the account does not have that; Conflict for an account on hold.
func (a *Account) Subscribe(o Order) error { return a.collection().subscribe(a, o) }

// SetEnding makes a subscription end when its period or trial ends, or renew after all. See Subscription.CheckEnding.
func (a *Account) SetEnding(subscriptionID string, ending bool) error {
	s, err := a.Subscription(subscriptionID)
	if err != nil {
		return err
	}
	if err := s.CheckEnding(ending); err != nil {
		return err
	}
	s.Subscription = s.SetEnding(ending)
	a.put(s)
	return nil
}

// End ends a subscription now, or withdraws its order. What the customer owes for the current period stays owed,
// unless void is set; the invoices of a first payment, of a pending change and of the period after a trial are always
// given back. While a payment of the subscription is open, the subscription is Stopping until that is canceled, and
// stays if it is paid instead. A subscription that has ended stays as it is. Conflict if a payment that is on its way would
// have to be stopped.
func (a *Account) End(subscriptionID string, void bool) error {
	s, err := a.Subscription(subscriptionID)
	switch {
	case err != nil:
		return err
	case s.Status.Ended():
		return nil
	case void:
		return a.stop(s, StopPlanUnpaid)
	}
	return a.stop(s, StopPlan)
}

// end ends a live subscription now.
func (a *Account) end(s AccountSubscription, void bool) {
	a.cancelSetup(&s)
	a.void(a.Invoice(s.Pending.Invoice))
	a.releasePrepaid(&s)
	if inv, open := a.OpenInvoice(s); open && void {
		a.void(inv)
	}
	a.put(s.withEnd(billing.Canceled, a.Now))
}

// ExtendTrial moves the end of a trial, and the date when the first invoice is due by the same time. See
// Subscription.CheckTrialExtension.
func (a *Account) ExtendTrial(subscriptionID string, until time.Time) error {
	s, err := a.Subscription(subscriptionID)
	if err != nil {
		return err
	}
	if err := s.CheckTrialExtension(until); err != nil {
		return err
	}
	longer := until.Sub(s.TrialEnd)
	s.Subscription = s.ExtendTrial(until)
	a.put(s)
	if inv := a.Invoice(s.Prepaid); inv.ID != "" {
		inv.Lines, inv.DueAt = s.Renew().PeriodLines(), inv.DueAt.Add(longer)
		a.putInvoice(inv)
	}
	return nil
}
