package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// transferCollector collects invoices that the customer pays by transfer.
type transferCollector struct{}

func (transferCollector) subscribe(a *Account, req SubscribeRequest) error {
	if err := a.checkNoOpenInvoice(); err != nil {
		return err
	}
	s := AccountSubscription{ID: req.ID, StartKey: req.Key, TrialDays: req.TrialDays}
	s.Subscription = StartSubscription(req.Price, req.Amount, 0, a.Now)
	a.Currency = req.Price.Currency
	a.putSubscription(s)
	if a.Approved {
		a.startOrder(s)
	}
	return nil
}

func (transferCollector) quoteSubscribe(a *Account, req SubscribeRequest) (Quote, error) {
	if err := a.checkNoOpenInvoice(); err != nil {
		return Quote{}, err
	}
	s, inv := a.newSubscriptionWithInvoice(req.Price, req.Amount, req.TrialDays)
	if s.Status == billing.Trialing {
		s = s.Renew()
	}
	q := s.quote(NewInvoiceDraft(inv.Lines, a.Credit, 0), a.Now, 0)
	if a.Approved {
		q.DueAt = inv.DueAt
	} else {
		q.ApprovalDueDays = a.ApprovalDueDays(req.TrialDays)
	}
	return q, nil
}

// ApprovalDueDays returns the number of days from the approval of an order to the due date of its invoice. The invoice of
// a trial is not due before the end of the trial.
func (a *Account) ApprovalDueDays(trialDays int) int { return max(a.Terms.DueDays, trialDays) }

// checkNoOpenInvoice returns Conflict while an invoice is open.
func (a *Account) checkNoOpenInvoice() error {
	i := slices.IndexFunc(a.Invoices, func(inv Invoice) bool { return inv.Status == billing.InvoiceOpen })
	if i < 0 {
		return nil
	}
	inv := a.Invoices[i]
	return fault.Newf(fault.Conflict, "Invoice %s of %s is not paid yet. Please pay it first, or contact us.",
		a.Terms.InvoiceNumber(inv.Number), mustAmount(inv.AmountRemaining(), inv.Currency).FormatWithSymbolAndCode())
}

// Approve starts the subscriptions that wait for an approval, and returns their number.
func (a *Account) Approve() (count int) {
	for _, s := range a.Subscriptions {
		if s.Status == billing.Incomplete {
			a.startOrder(s)
			count++
		}
	}
	return count
}

// startOrder starts the subscription now and issues its first invoice.
func (a *Account) startOrder(s AccountSubscription) {
	startedSub, inv := a.newSubscriptionWithInvoice(s.Price, s.Amount, s.TrialDays)
	startedSub.Created = s.Created // the time of the order
	s.Subscription, s.TrialDays = startedSub, 0
	inv = a.issueInvoice(&s, inv)
	if s.Status == billing.Trialing {
		s.LatestInvoice, s.PrepaidInvoice = inv.ID, inv.ID
		a.putSubscription(s)
	}
}

// newSubscriptionWithInvoice returns a subscription that starts now, and its first invoice. In a trial, the invoice is
// for the period after the trial.
func (a *Account) newSubscriptionWithInvoice(price catalogue.PriceRef, amount int64, trialDays int) (Subscription, Invoice) {
	s := StartSubscription(price, amount, time.Duration(trialDays)*day, a.Now)
	inv := Invoice{Created: a.Now, DueAt: a.dueDate(a.Now)}
	if s.Status == billing.Trialing {
		inv.DueAt = laterTime(inv.DueAt, a.TimeZone.EndOfDay(s.TrialEnd, 0))
		inv.Lines = s.Renew().PeriodLines()
		return s, inv
	}
	s.Status = billing.Active
	inv.Lines = s.PeriodLines()
	return s, inv
}

// checkChangeNow refuses a cheaper price, and a change on the day on which the period ends, because no whole day is left to
// pay for it.
func (transferCollector) checkChangeNow(a *Account, s AccountSubscription, change PriceChange) error {
	inv := a.changeInvoice(s, change)
	switch {
	case Total(inv.Lines) <= 0:
		return ErrChangeToCheaperPrice
	case a.draftInvoice(s, inv).AmountDue > 0 && !a.changeDueDate(s, a.Now).After(a.Now):
		return errNoTimeToPayChange()
	}
	return nil
}

// collect does nothing: the customer transfers the money.
func (transferCollector) collect(*Account, Invoice, Source) {}

// collectRenewal does nothing: the customer transfers the money.
func (transferCollector) collectRenewal(*Account, Invoice) {}

// applyInvoicePayment makes a pending change, or makes a past due subscription active. If the subscription has ended,
// the unused part of the period becomes credit.
func (transferCollector) applyInvoicePayment(a *Account, s AccountSubscription, inv Invoice) {
	switch {
	case s.Pending.Invoice == inv.ID:
		s.Subscription, s.PrepaidInvoice = s.ApplyChange(s.Pending), ""
	case s.Status == billing.PastDue:
		s.Status = billing.Active
	case s.Status.Ended():
		var unusedAmount int64
		for _, line := range inv.Lines {
			unusedAmount += Prorate(max(line.Amount, 0), s.EndedAt, line.Start, line.End)
		}
		a.convertToCredit(inv, unusedAmount)
	}
	a.putSubscription(s)
}

func (transferCollector) nextAttemptAt(*Account, AccountSubscription) time.Time { return time.Time{} }

func (transferCollector) nextStep(a *Account, s AccountSubscription) accountStep {
	switch {
	case s.Status == billing.Incomplete:
		return accountStep{s.ApprovalEndsAt(), (*Account).expire}
	case !s.Status.Live():
		return accountStep{}
	}
	var unpaidStep accountStep
	if inv, found := a.OpenInvoice(s); found && s.Status == billing.PastDue {
		unpaidStep = accountStep{a.GraceEndsAt(inv), (*Account).endWithOpenInvoice}
	} else if found {
		unpaidStep = accountStep{inv.DueAt, (*Account).becomePastDue}
	}
	if periodStep := nextPeriodStep(s); !unpaidStep.isBefore(periodStep) {
		return periodStep
	}
	return unpaidStep
}

// becomePastDue marks the subscription as past due when its invoice is due.
func (a *Account) becomePastDue(s AccountSubscription, _ time.Time) {
	s.Status = billing.PastDue
	a.putSubscription(s)
}

// endWithOpenInvoice ends the subscription. Its invoice stays owed.
func (a *Account) endWithOpenInvoice(s AccountSubscription, at time.Time) {
	a.putSubscription(s.withEnd(billing.Canceled, at))
}
