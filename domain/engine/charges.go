package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// charges is the collection of invoices that are charged through a provider which only moves money.
type charges struct{ *Charging }

func (c charges) subscribe(a *Account, o Order) error {
	if a.Hold != billing.NoHold {
		return billing.ErrHold()
	}
	if err := a.checkSource(o.Source); err != nil {
		return err
	}
	if o.Source.Method != "" {
		a.DefaultMethod = o.Source.Method
	}
	a.Currency = o.Price.Currency
	s := AccountSubscription{ID: o.ID, MadeBy: o.MadeBy, Subscription: c.start(a, o), PaidSince: a.Now}
	if s.Status == billing.Trialing && o.Source.Token != "" {
		s.Setup = a.NewKey()
		a.beginSaving(s.Setup, o.Source, false)
	}
	inv := a.bill(&s, Invoice{Created: a.Now, Lines: s.PeriodLines()})
	if s.Status == billing.Trialing {
		return nil
	}
	if inv.Status == billing.InvoicePaid {
		s.Subscription = s.Paid(inv.ID, a.Now)
		a.put(s)
	}
	c.collect(a, inv, o.Source)
	return nil
}

func (charges) start(a *Account, o Order) Subscription {
	return Start(o.Price, o.Amount, time.Duration(o.TrialDays)*day, a.Now)
}

func (c charges) quoteSubscribe(a *Account, o Order) (Quote, error) {
	if a.Hold != billing.NoHold {
		return Quote{}, billing.ErrHold()
	}
	return c.start(a, o).QuoteStart(a.Credit, a.Terms.minimumCharge(o.Price.Currency)), nil
}

// checkChange implements collection. A payment that would arrive after the end of the period can't be accepted, because the
// change has to be made or dropped by then.
func (c charges) checkChange(a *Account, s AccountSubscription, to PriceChange) error {
	due := a.newBill(s, a.changeLines(s, to)).Due
	if due > 0 && a.Now.Add(c.Settlement).After(s.PeriodEnd) {
		return fault.New(fault.Conflict,
			"The payment would not arrive before your current period ends. Please make the change at the renewal.")
	}
	return nil
}

// collect implements collection. A new method is saved also if nothing is due.
func (charges) collect(a *Account, inv Invoice, src Source) {
	a.notePaidSince(inv)
	switch {
	case inv.Status == billing.InvoiceOpen:
		a.beginPayment(inv, src, true, a.Now)
	case src.Token != "":
		a.beginSaving(a.NewKey(), src, false)
	}
}

func (c charges) collectRenewal(a *Account, inv Invoice) {
	a.notePaidSince(inv)
	s, err := a.Subscription(inv.Subscription)
	if err == nil && inv.Status == billing.InvoiceOpen {
		c.chargeDefault(a, s, inv, inv.Created)
	}
}

// notePaidSince stores when the subscription of a new invoice was last billed for a whole period. Later changes of the price
// credit what was paid since.
func (a *Account) notePaidSince(inv Invoice) {
	if s, err := a.Subscription(inv.Subscription); err == nil && !inv.creditsUnused() {
		s.PaidSince = inv.Created
		a.put(s)
	}
}

// chargeDefault charges the default method without the customer. If there is none that can be charged, the payment has
// failed.
func (c charges) chargeDefault(a *Account, s AccountSubscription, inv Invoice, at time.Time) {
	method, err := a.Method(a.DefaultMethod)
	if err == nil && c.OffSession && c.allowsRetry(method, s.Retries) && a.checkNext(inv.ID, method.Ref, false) == nil {
		a.beginPayment(inv, Source{Method: method.Ref}, false, at)
		return
	}
	a.paymentFailed(s, at, false)
}

// allowsRetry reports whether a payment that was retried some times may be charged to the method again.
func (c charges) allowsRetry(m AccountMethod, retries int) bool {
	limit, limited := c.Retries[m.Details.Kind]
	return !limited || retries <= limit
}

// settle implements collection. An invoice that is not the latest one, or that stays owed after the end, does not restore
// the subscription.
func (charges) settle(a *Account, s AccountSubscription, inv Invoice) {
	if s.Invoice != inv.ID {
		return
	}
	if s.Pending.Invoice == inv.ID {
		a.cancelSetup(&s)
	}
	s.Stopping = StopNothing
	s.Subscription = s.Paid(inv.ID, a.Now)
	a.put(s)
}

// nextStep implements collection. A step that needs the invoice unpaid cancels its open payment first, and happens when that
// is canceled.
func (c charges) nextStep(a *Account, s AccountSubscription) accountStep {
	next := c.nextUnpausedStep(a, s)
	if open, found := a.openAttempt(s.Invoice); found && next.do != nil {
		next.do = func(a *Account, _ AccountSubscription, _ time.Time) { a.cancelOpen(open) }
	}
	return next
}

func (c charges) nextUnpausedStep(a *Account, s AccountSubscription) accountStep {
	switch {
	case s.Processing:
		return accountStep{}
	case s.Stopping != StopNothing:
		return accountStep{a.Now, func(a *Account, s AccountSubscription, _ time.Time) { a.carryOut(s, s.Stopping) }}
	case a.Hold != billing.NoHold && s.Status == billing.Incomplete:
		return accountStep{a.Now, (*Account).expire}
	case a.Hold != billing.NoHold && s.Pending.Invoice != "":
		return accountStep{a.Now, func(a *Account, s AccountSubscription, _ time.Time) { a.dropChange(s) }}
	}
	switch kind, at := s.NextStep(); kind {
	case StepExpire:
		return accountStep{at, (*Account).expire}
	case StepRetry:
		return accountStep{at, c.retry}
	case StepGiveUp:
		return accountStep{at, giveUp}
	}
	return nextPeriodStep(s)
}

// retry charges the open invoice again.
func (c charges) retry(a *Account, s AccountSubscription, at time.Time) {
	s.Subscription = s.Retry(at)
	a.put(s)
	c.chargeDefault(a, s, a.Invoice(s.Invoice), at)
}

// giveUp ends a subscription that was not paid, and voids its invoice.
func giveUp(a *Account, s AccountSubscription, at time.Time) {
	a.void(a.Invoice(s.Invoice))
	a.put(s.withEnd(billing.Canceled, at))
}

// paymentFailed changes the subscription after a failed payment of its latest invoice. late is whether the customer did not
// learn of the failure at once, and gets more time to pay.
func (a *Account) paymentFailed(s AccountSubscription, at time.Time, late bool) {
	s.Processing = late
	s.Subscription = s.PaymentFailed(at)
	s.Processing = a.pauses(s.Invoice)
	if s.GivesUp() {
		s.PayUntil = at
	}
	a.put(s)
}
