package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// transfers is the collection of invoices that the customer pays by transfer.
type transfers struct{}

func (transfers) subscribe(a *Account, o Order) error {
	if err := a.checkUnpaid(); err != nil {
		return err
	}
	s := AccountSubscription{ID: o.ID, MadeBy: o.MadeBy, TrialDays: o.TrialDays}
	s.Subscription = Start(o.Price, o.Amount, 0, a.Now)
	a.Currency = o.Price.Currency
	a.put(s)
	if a.Approved {
		a.begin(s)
	}
	return nil
}

func (transfers) quoteSubscribe(a *Account, o Order) (Quote, error) {
	if err := a.checkUnpaid(); err != nil {
		return Quote{}, err
	}
	started, inv := a.firstInvoice(o.Price, o.Amount, o.TrialDays)
	if started.Status == billing.Trialing {
		started = started.Renew()
	}
	return started.quote(NewBill(inv.Lines, a.Credit, 0), a.Now, 0), nil
}

func (a *Account) checkUnpaid() error {
	i := slices.IndexFunc(a.Invoices, func(inv Invoice) bool { return inv.Status == billing.InvoiceOpen })
	if i < 0 {
		return nil
	}
	inv := a.Invoices[i]
	return fault.Newf(fault.Conflict, "Invoice %s of %s is not paid yet. Please pay it first, or contact us.",
		a.Terms.Number(inv.Number), amountIn(inv.Balance(), inv.Currency).FormatWithSymbol())
}

// Approve starts the subscriptions that wait for it, and returns how many there were.
func (a *Account) Approve() (started int) {
	for _, s := range a.Subscriptions {
		if s.Status == billing.Incomplete {
			a.begin(s)
			started++
		}
	}
	return started
}

// begin starts the subscription now and issues its first invoice.
func (a *Account) begin(s AccountSubscription) {
	started, inv := a.firstInvoice(s.Price, s.Amount, s.TrialDays)
	started.Created = s.Created
	s.Subscription, s.TrialDays = started, 0
	inv = a.bill(&s, inv)
	if started.Status == billing.Trialing {
		s.Invoice, s.Prepaid = inv.ID, inv.ID
		a.put(s)
	}
}

// firstInvoice returns a subscription that starts now, and its first invoice.
func (a *Account) firstInvoice(price catalogue.PriceRef, amount int64, trialDays int) (Subscription, Invoice) {
	started := Start(price, amount, time.Duration(trialDays)*day, a.Now)
	inv := Invoice{Created: a.Now, DueAt: a.due(a.Now)}
	if started.Status == billing.Trialing {
		inv.Lines = started.Renew().PeriodLines()
		if inv.DueAt.Before(started.TrialEnd) {
			inv.DueAt = started.TrialEnd
		}
		return started, inv
	}
	started.Status = billing.Active
	inv.Lines = started.PeriodLines()
	return started, inv
}

func (transfers) checkChange(a *Account, s AccountSubscription, to PriceChange) error {
	if Total(a.changeLines(s, to)) <= 0 {
		return ErrCheaperNow
	}
	return nil
}

func (transfers) collect(*Account, Invoice, Source) {}

func (transfers) collectRenewal(*Account, Invoice) {}

// settle implements collection. If the subscription has ended, the unused part of the period becomes credit.
func (transfers) settle(a *Account, s AccountSubscription, inv Invoice) {
	switch {
	case s.Pending.Invoice == inv.ID:
		s.Subscription, s.Prepaid = s.Apply(s.Pending), ""
	case s.Status == billing.PastDue:
		s.Status = billing.Active
	case s.Status.Ended():
		var unused int64
		for _, line := range inv.Lines {
			unused += Prorate(max(line.Amount, 0), s.EndedAt, line.Start, line.End)
		}
		a.credit(inv, unused)
	}
	a.put(s)
}

func (transfers) nextStep(a *Account, s AccountSubscription) accountStep {
	switch s.Status {
	case billing.Incomplete:
		return accountStep{s.ApprovalEnds(), (*Account).expire}
	case billing.Trialing, billing.Active, billing.PastDue:
	default:
		return accountStep{}
	}
	next := nextPeriodStep(s)
	if inv, open := a.OpenInvoice(s); open && s.Status == billing.PastDue {
		next = earlierStep(next, accountStep{a.EndsUnpaid(inv), (*Account).endUnpaid})
	} else if open {
		next = earlierStep(next, accountStep{inv.DueAt, (*Account).becomePastDue})
	}
	return next
}

func (a *Account) becomePastDue(s AccountSubscription, _ time.Time) {
	s.Status = billing.PastDue
	a.put(s)
}

// endUnpaid ends the subscription. Its invoice stays owed.
func (a *Account) endUnpaid(s AccountSubscription, at time.Time) {
	a.put(s.withEnd(billing.Canceled, at))
}
