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
}

// ChangePrice changes the price of a subscription. A change now is pending until its invoice is paid, at most until it
// is due or the period ends; it is made at once if credit pays it. Conflict if the subscription has another price, has
// begun or ended its trial, or can't be changed, see Subscription.CheckChange; ErrCheaperNow.
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
	expires := a.changeExpires(s)
	inv := a.bill(s, Invoice{Created: a.Now, DueAt: expires, Lines: a.changeLines(s, to)})
	s.Invoice = inv.ID
	if inv.Status == billing.InvoicePaid {
		s.Subscription, s.Prepaid = s.Apply(to), ""
	} else {
		s.Subscription = s.Await(to, inv.ID, a.Now)
		s.Pending.Expires = expires
	}
	a.put(s)
	return nil
}

// changeExpires returns when a change that is requested now is dropped if it is not paid.
func (a *Account) changeExpires(s AccountSubscription) time.Time {
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
	switch {
	case err != nil:
		return s, to, err
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
	if Total(a.changeLines(s, to)) <= 0 {
		return s, to, ErrCheaperNow
	}
	return s, to, nil
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
// was made or dropped before. Conflict if the pending change waits for another invoice.
func (a *Account) DropPendingChange(subscriptionID, invoiceID string) error {
	s, err := a.Subscription(subscriptionID)
	switch {
	case err != nil:
		return err
	case a.Invoice(invoiceID).Subscription != s.ID, s.Pending.Invoice != "" && s.Pending.Invoice != invoiceID:
		return errPending()
	case s.Pending.Invoice == invoiceID:
		a.dropChange(s)
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
