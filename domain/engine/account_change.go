package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// ErrCheaperNow is returned for a change that would be made now and creates credit. An account makes it at the renewal
// only.
var ErrCheaperNow = fault.New(fault.Unsupported, "A change to a cheaper price is made at the renewal.")

// ChangeOrder is the request to change the price of a subscription, now or at the renewal.
type ChangeOrder struct {
	Subscription string // id
	ChangedBy    string // key of the request
	From, To     catalogue.PriceRef
	Amount       int64     // of one period at the new price
	At           time.Time // the proration date; zero for now
	EndTrial     bool      // the change ends the trial
	AtRenewal    bool      // the change is made when the period or the trial ends
	Source       Source    // is charged for a change now
}

// ChangePrice changes the price of a subscription. A change now is pending until its invoice is paid, at most until it
// is due, for 23 hours if it is charged, or until the period ends; it is made at once if nothing is due. Conflict if the
// subscription has another price, has begun or ended its trial, or can't be changed, see Subscription.CheckChange, if the
// account is on hold, or if the payment would arrive after the end of the period. ErrCheaperNow if the customer pays by
// transfer.
func (a *Account) ChangePrice(o ChangeOrder) error {
	s, to, err := a.prepareChange(o)
	if err != nil {
		return err
	}
	s.ChangedBy = o.ChangedBy
	if o.AtRenewal {
		s.Subscription = s.Schedule(to)
		a.put(s)
		return nil
	}
	inv := a.bill(&s, Invoice{Created: a.Now, DueAt: a.changeDue(s), Lines: a.changeLines(s, to)})
	if inv.Status == billing.InvoicePaid {
		a.cancelSetup(&s)
		s.Subscription, s.Prepaid = s.Apply(to), ""
	} else {
		s.Subscription = s.Await(to, inv.ID, a.Now)
		if !inv.DueAt.IsZero() {
			s.Pending.Expires = inv.DueAt
		}
	}
	a.put(s)
	a.collection().collect(a, inv, o.Source)
	return nil
}

// changeDue returns when the invoice of a change that is requested now is due, at most at the end of the period.
func (a *Account) changeDue(s AccountSubscription) time.Time {
	if due := a.due(a.Now); due.Before(s.PeriodEnd) {
		return due
	}
	return s.PeriodEnd
}

// prepareChange returns the subscription and the change, or why it is refused.
func (a *Account) prepareChange(o ChangeOrder) (AccountSubscription, PriceChange, error) {
	to := PriceChange{Price: o.To, Amount: o.Amount, At: o.At, EndTrial: o.EndTrial}
	if o.At.IsZero() {
		to.At = a.Now
	}
	s, err := a.Subscription(o.Subscription)
	_, open := a.OpenInvoice(s)
	if err == nil && !o.AtRenewal {
		err = a.checkSource(o.Source)
	}
	switch {
	case err != nil:
		return s, to, err
	case a.Hold != billing.NoHold:
		return s, to, billing.ErrHold()
	case o.From != s.Price:
		return s, to, fault.New(fault.Conflict, "The subscription has another price by now.")
	case o.AtRenewal:
		return s, to, s.CheckSchedule(to, open)
	case o.EndTrial != (s.Status == billing.Trialing):
		return s, to, fault.New(fault.Conflict, "The trial of the subscription has begun or ended by now.")
	}
	if err := s.CheckChange(to, open); err != nil {
		return s, to, err
	}
	return s, to, a.collection().checkChange(a, s, to)
}

// changeLines returns the lines of the change's invoice. In a trial, the prepaid invoice is credited.
func (a *Account) changeLines(s AccountSubscription, to PriceChange) []Line {
	lines := s.ChangeLines(to)
	for _, line := range a.Invoice(s.Prepaid).Lines {
		line.Amount, line.Proration, line.Unused = -line.Amount, true, true
		lines = append(lines, line)
	}
	return lines
}

// DropPendingChange drops the pending change that waits for the invoice, and voids that. It does nothing if the change
// was made or dropped before. While the payment of the change is open, the change is Stopping until that is canceled.
// Conflict if the pending change waits for another invoice, and while its payment is on its way.
func (a *Account) DropPendingChange(subscriptionID, invoiceID string) error {
	s, err := a.Subscription(subscriptionID)
	switch {
	case err != nil:
		return err
	case a.Invoice(invoiceID).Subscription != s.ID, s.Pending.Invoice != "" && s.Pending.Invoice != invoiceID:
		return errPending()
	case s.Pending.Invoice == invoiceID:
		return a.stop(s, StopChange)
	}
	return nil
}

// dropChange drops the pending change and voids its invoice.
func (a *Account) dropChange(s AccountSubscription) {
	a.void(a.Invoice(s.Pending.Invoice))
	s.Subscription = s.DropChange()
	a.put(s)
}

// DropScheduledChange drops the change that is scheduled for the renewal, if any.
func (a *Account) DropScheduledChange(subscriptionID string) error {
	s, err := a.Subscription(subscriptionID)
	if err != nil {
		return err
	}
	s.Subscription = s.Unschedule()
	a.put(s)
	return nil
}
