package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// Order is the purchase of a new subscription.
type Order struct {
	ID        string // of the subscription
	MadeBy    string // key of the request
	Price     catalogue.PriceRef
	Amount    int64 // of one period
	TrialDays int   // 0 for none
}

// Subscribe adds a subscription. It starts now, with its first invoice, if the account is approved; otherwise it waits
// for Approve as incomplete, for 30 days. During a trial the first invoice is for the period after it, and not due
// before its end. Conflict while an invoice is unpaid.
func (a *Account) Subscribe(o Order) error {
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
	inv = a.bill(s, inv)
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
// unless void is set; the invoices of a pending change and of the period after a trial are always given back. A
// subscription that has ended stays as it is.
func (a *Account) End(subscriptionID string, void bool) error {
	s, err := a.Subscription(subscriptionID)
	switch {
	case err != nil:
		return err
	case s.Status.Ended():
	case s.Status == billing.Incomplete:
		a.put(s.withEnd(billing.IncompleteExpired, a.Now))
	default:
		a.end(s, void)
	}
	return nil
}

// end ends a live subscription now.
func (a *Account) end(s AccountSubscription, void bool) {
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
