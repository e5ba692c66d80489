package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// ErrCheaperNow is returned for a change now that would create credit for a customer who pays by transfer.
var ErrCheaperNow = fault.New(fault.Unsupported, "A change to a cheaper price is made at the renewal.")

// ChangeOrder is the request to change the price of a subscription, now or at the renewal.
type ChangeOrder struct {
	Subscription  string // the subscription's id
	Key           string // the key of the request
	From, To      catalogue.PriceRef
	Amount        int64     // the amount of one period at the new price
	ProrationDate time.Time // the time from which a change now is prorated; zero for Account.Now
	EndTrial      bool      // the change ends the trial
	AtRenewal     bool      // the change is made when the period or the trial ends
	Source        Source    // the method that is charged for a change now
}

// ChangePrice changes the price of a subscription, at the renewal or now. A change now is made at once if nothing is due.
// Otherwise it is pending until its invoice is paid. It expires at the end of the period, or earlier: a transfer has to
// arrive by its due date, and a charge has to succeed within 23 hours.
//
// ChangePrice returns Conflict if the subscription has another price, if its trial has begun or ended since the request was
// decided, if it can't be changed (see Subscription.CheckChange), if the account is on hold, and if the payment would arrive
// after the end of the period. It returns ErrCheaperNow only if the customer pays by transfer.
func (a *Account) ChangePrice(o ChangeOrder) error {
	s, change, err := a.prepareChange(o)
	if err != nil {
		return err
	}
	s.ChangeKey = o.Key
	if o.AtRenewal {
		s.Subscription = s.ScheduleChange(change)
		a.putSubscription(s)
		return nil
	}
	inv := a.issueInvoice(&s, Invoice{Created: a.Now, DueAt: a.changeDueDate(s), Lines: a.linesOfChange(s, change)})
	if inv.Status == billing.InvoicePaid {
		a.cancelSetup(&s)
		s.Subscription, s.PrepaidInvoice = s.ApplyChange(change), ""
	} else {
		s.Subscription = s.SetPendingChange(change, inv.ID, a.Now)
		if !inv.DueAt.IsZero() {
			s.Pending.Expires = inv.DueAt
		}
	}
	a.putSubscription(s)
	a.collector().collect(a, inv, o.Source)
	return nil
}

// changeDueDate returns when the invoice of a change now is due: at the end of the period at the latest.
func (a *Account) changeDueDate(s AccountSubscription) time.Time {
	if dueAt := a.dueDate(a.Now); dueAt.Before(s.PeriodEnd) {
		return dueAt
	}
	return s.PeriodEnd
}

// prepareChange returns the subscription and its change, and the reason if the order is refused.
func (a *Account) prepareChange(o ChangeOrder) (AccountSubscription, PriceChange, error) {
	change := PriceChange{Price: o.To, Amount: o.Amount, At: o.ProrationDate, EndTrial: o.EndTrial}
	if o.ProrationDate.IsZero() {
		change.At = a.Now
	}
	s, err := a.Subscription(o.Subscription)
	_, hasOpenInvoice := a.OpenInvoice(s)
	if err == nil && !o.AtRenewal {
		err = a.checkSource(o.Source)
	}
	switch {
	case err != nil:
		return s, change, err
	case a.Hold != billing.NoHold:
		return s, change, billing.ErrHold()
	case o.From != s.Price:
		return s, change, fault.New(fault.Conflict, "The subscription has another price by now.")
	case o.AtRenewal:
		return s, change, s.CheckSchedule(change, hasOpenInvoice)
	case o.EndTrial != (s.Status == billing.Trialing):
		return s, change, fault.New(fault.Conflict, "The trial of the subscription has begun or ended by now.")
	}
	if err := s.CheckChange(change, hasOpenInvoice); err != nil {
		return s, change, err
	}
	return s, change, a.collector().checkChangeNow(a, s, change)
}

// linesOfChange returns the lines of the change's invoice. In a trial they credit the prepaid invoice.
func (a *Account) linesOfChange(s AccountSubscription, change PriceChange) []Line {
	lines := s.ChangeLines(change)
	for _, line := range a.Invoice(s.PrepaidInvoice).Lines {
		line.Amount, line.Proration, line.Unused = -line.Amount, true, true
		lines = append(lines, line)
	}
	return lines
}

// DropPendingChange drops the pending change that waits for the invoice, and voids the invoice. It does nothing if the
// change was made or dropped already. While the payment is open, the change is dropped as soon as the payment is canceled. It
// returns Conflict if the pending change waits for another invoice, and while the payment is processing.
func (a *Account) DropPendingChange(subscriptionID, invoiceID string) error {
	s, err := a.Subscription(subscriptionID)
	switch {
	case err != nil:
		return err
	case a.Invoice(invoiceID).Subscription != s.ID, s.Pending.Invoice != "" && s.Pending.Invoice != invoiceID:
		return errPending()
	case s.Pending.Invoice == invoiceID:
		return a.requestStop(s, StopChange)
	}
	return nil
}

// voidPendingChange drops the pending change and voids its invoice.
func (a *Account) voidPendingChange(s AccountSubscription) {
	a.voidInvoice(a.Invoice(s.Pending.Invoice))
	s.Subscription = s.DropChange()
	a.putSubscription(s)
}

// DropScheduledChange drops the change that is scheduled for the renewal, if any.
func (a *Account) DropScheduledChange(subscriptionID string) error {
	s, err := a.Subscription(subscriptionID)
	if err != nil {
		return err
	}
	s.Subscription = s.UnscheduleChange()
	a.putSubscription(s)
	return nil
}

// QuoteChange returns the quote for ChangePrice with the same order, or its error.
func (a *Account) QuoteChange(o ChangeOrder) (Quote, error) {
	s, change, err := a.prepareChange(o)
	if err != nil {
		return Quote{}, err
	}
	if o.AtRenewal {
		return a.quoteRenewalChange(s, change), nil
	}
	bill := a.billFor(s, a.linesOfChange(s, change))
	q := s.ApplyChange(change).quote(bill, change.At, a.Terms.chargeMinimum(s.Price.Currency))
	q.EndsTrial = o.EndTrial
	return q, nil
}

// quoteRenewalChange returns the quote for a change at the renewal, when the prepaid invoice of a trial becomes credit.
func (a *Account) quoteRenewalChange(s AccountSubscription, change PriceChange) Quote {
	credit := a.Credit
	if prepaidInvoice := a.Invoice(s.PrepaidInvoice); prepaidInvoice.ID != "" {
		credit += a.releasedCredit(prepaidInvoice)
	}
	q := s.QuoteSchedule(change, credit, a.Terms.chargeMinimum(s.Price.Currency))
	q.CreditBefore, q.CreditAfter = a.Credit, a.Credit
	return q
}
