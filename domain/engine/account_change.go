package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// ErrChangeToCheaperPrice is the error for an immediate change that would create credit for a customer who pays by
// transfer.
var ErrChangeToCheaperPrice = fault.New(fault.Unsupported, "A change to a cheaper price is made at the renewal.")

// ChangeRequest is the request to change the price of a subscription, now or at the renewal.
type ChangeRequest struct {
	Subscription  string // the subscription's id
	Key           string // the key of the request
	From, To      catalogue.PriceRef
	Amount        int64     // the amount of one period at the new price
	ProrationDate time.Time // the time from which a change now is prorated; zero for Account.Now
	EndTrial      bool      // the change ends the trial
	AtRenewal     bool      // the change is made when the period or the trial ends
	Source        Source    // the method that is charged for a change now
}

// ChangePrice changes the price of a subscription, at the renewal or now. A change now is made immediately if nothing is
// due. Otherwise the change is pending until its invoice is paid. A pending change expires at the end of the period. It
// expires earlier if a transfer has not arrived by its due date, which is before the day on which the period ends, or if a
// charge has not succeeded within 23 hours.
//
// ChangePrice returns Conflict if the price or the trial of the subscription has changed since the request was decided,
// if Subscription.CheckChange refuses the change, if the account is on hold, and if the payment would arrive after the
// end of the period. It returns ErrChangeToCheaperPrice only if the customer pays by transfer.
func (a *Account) ChangePrice(req ChangeRequest) error {
	s, change, err := a.prepareChange(req)
	if err != nil {
		return err
	}
	s.ChangeKey = req.Key
	if req.AtRenewal {
		s.Subscription = s.ScheduleChange(change)
		a.putSubscription(s)
		return nil
	}
	inv := a.changeInvoice(s, change)
	inv.Created, inv.DueAt = a.Now, a.changeDueDate(s, a.Now)
	inv = a.issueInvoice(&s, inv)
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
	a.collector().collect(a, inv, req.Source)
	return nil
}

// prepareChange returns the subscription and its change. It returns an error with the reason if the request is refused.
func (a *Account) prepareChange(req ChangeRequest) (AccountSubscription, PriceChange, error) {
	change := PriceChange{Price: req.To, Amount: req.Amount, At: req.ProrationDate, EndTrial: req.EndTrial}
	if req.ProrationDate.IsZero() {
		change.At = a.Now
	}
	s, err := a.Subscription(req.Subscription)
	_, hasOpenInvoice := a.OpenInvoice(s)
	if err == nil && !req.AtRenewal {
		err = a.checkSource(req.Source)
	}
	switch {
	case err != nil:
		return s, change, err
	case a.Hold != billing.NoHold:
		return s, change, billing.HoldConflict()
	case req.From != s.Price:
		return s, change, fault.New(fault.Conflict, "The subscription has another price by now.")
	case req.AtRenewal:
		return s, change, s.CheckSchedule(change, hasOpenInvoice)
	case req.EndTrial != (s.Status == billing.Trialing):
		return s, change, fault.New(fault.Conflict, "The trial of the subscription has begun or ended by now.")
	}
	if err := s.CheckChange(change, hasOpenInvoice); err != nil {
		return s, change, err
	}
	return s, change, a.collector().checkChangeNow(a, s, change)
}

// changeInvoice returns an invoice with Subscription.ChangeLines and, in a trial, the lines that credit the prepaid
// invoice. It deducts the payments that were returned from the credit.
func (a *Account) changeInvoice(s AccountSubscription, change PriceChange) Invoice {
	lines := s.ChangeLines(change)
	for _, line := range a.Invoice(s.PrepaidInvoice).Lines {
		line.Amount, line.Proration, line.Unused = -line.Amount, true, true
		lines = append(lines, line)
	}
	lines, deductions := s.DeductReturned(lines, a.returnedPayments(s), change.At)
	return Invoice{Lines: lines, Deductions: deductions}
}

// returnedPayments returns the subscription's paid invoices with returned payments, oldest first.
func (a *Account) returnedPayments(s AccountSubscription) (payments []PeriodPayment) {
	for _, inv := range slices.Backward(a.Invoices) {
		if inv.Subscription == s.ID && inv.Status == billing.InvoicePaid && inv.Refund.Amount+inv.Dispute.Amount > 0 {
			payments = append(payments, PeriodPayment{inv.ID, inv.Lines, inv.Refund, inv.Dispute})
		}
	}
	return payments
}

// applyDeductions records the deductions of an invoice that is paid, and returns the invoice without them. If a returned
// payment was withdrawn or won back since the invoice was issued, the customer gets the deducted amount as credit.
func (a *Account) applyDeductions(inv Invoice) Invoice {
	for _, d := range inv.Deductions {
		target := a.Invoice(d.Invoice)
		var surplus int64
		target.Refund, target.Dispute, surplus = d.Apply(target.Refund, target.Dispute)
		a.putInvoice(target)
		a.adjustCredit(surplus)
	}
	inv.Deductions = nil
	return inv
}

// CancelPendingChange cancels the pending change that waits for the invoice, and voids the invoice. If the payment is
// open, it first cancels the payment, and the change is canceled when the payment is canceled. It does nothing if the
// change was already made or canceled. It returns Conflict if the pending change waits for another invoice, and while the
// payment is processing.
func (a *Account) CancelPendingChange(subscriptionID, invoiceID string) error {
	s, err := a.Subscription(subscriptionID)
	switch {
	case err != nil:
		return err
	case a.Invoice(invoiceID).Subscription != s.ID, s.Pending.Invoice != "" && s.Pending.Invoice != invoiceID:
		return errChangePending()
	case s.Pending.Invoice == invoiceID:
		return a.requestStop(s, StopPendingChange)
	}
	return nil
}

// voidPendingChange cancels the pending change and voids its invoice.
func (a *Account) voidPendingChange(s AccountSubscription) {
	a.voidInvoice(a.Invoice(s.Pending.Invoice))
	s.Subscription = s.CancelPendingChange()
	a.putSubscription(s)
}

// CancelScheduledChange cancels the change that is scheduled for the renewal, if any.
func (a *Account) CancelScheduledChange(subscriptionID string) error {
	s, err := a.Subscription(subscriptionID)
	if err != nil {
		return err
	}
	s.Subscription = s.CancelScheduledChange()
	a.putSubscription(s)
	return nil
}

// QuoteChange returns the quote for ChangePrice with the same request, or its error.
func (a *Account) QuoteChange(req ChangeRequest) (Quote, error) {
	s, change, err := a.prepareChange(req)
	if err != nil {
		return Quote{}, err
	}
	if req.AtRenewal {
		return a.quoteRenewalChange(s, change), nil
	}
	draft := a.draftInvoice(s, a.changeInvoice(s, change))
	q := s.ApplyChange(change).quote(draft, change.At, a.Terms.chargeMinimum(s.Price.Currency))
	q.EndsTrial = req.EndTrial
	if q.DueNow > 0 {
		q.DueAt = a.changeDueDate(s, change.At)
	}
	return q, nil
}

// quoteRenewalChange returns the quote for a change at the renewal. In a trial, the prepaid invoice becomes credit at
// that time.
func (a *Account) quoteRenewalChange(s AccountSubscription, change PriceChange) Quote {
	credit := a.Credit
	if prepaidInvoice := a.Invoice(s.PrepaidInvoice); prepaidInvoice.ID != "" {
		credit += a.creditOfPaidInvoice(prepaidInvoice)
	}
	q := s.QuoteSchedule(change, credit, a.Terms.chargeMinimum(s.Price.Currency))
	q.CreditBefore, q.CreditAfter = a.Credit, a.Credit
	return q
}
