package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// Attempt returns the attempt with the key, or NotFound.
func (a *Account) Attempt(key string) (Attempt, error) {
	if i := slices.IndexFunc(a.Attempts, func(attempt Attempt) bool { return attempt.Key == key }); key != "" && i >= 0 {
		return a.Attempts[i], nil
	}
	return Attempt{}, fault.New(fault.NotFound, "There is no such payment.")
}

// LatestAttempt returns the latest attempt to collect the invoice, or the zero Attempt.
func (a *Account) LatestAttempt(invoiceID string) Attempt {
	for _, attempt := range a.attemptsOf(invoiceID) {
		return attempt
	}
	return Attempt{}
}

// attemptsOf returns the attempts to collect the invoice, newest first.
func (a *Account) attemptsOf(invoiceID string) (found []Attempt) {
	for _, attempt := range a.Attempts {
		if invoiceID != "" && attempt.Invoice == invoiceID {
			found = append(found, attempt)
		}
	}
	return found
}

// putAttempt replaces the attempt, or inserts a new one at the front. The subscription whose latest invoice it collects
// waits for it while it pauses.
func (a *Account) putAttempt(attempt Attempt) {
	a.mark(attempt.Key)
	a.Attempts = slices.Clone(a.Attempts)
	if i := slices.IndexFunc(a.Attempts, func(known Attempt) bool { return known.Key == attempt.Key }); i >= 0 {
		a.Attempts[i] = attempt
	} else {
		a.Attempts = slices.Insert(a.Attempts, 0, attempt)
	}
	for _, s := range a.Subscriptions {
		if attempt.Invoice != "" && s.Invoice == attempt.Invoice {
			a.put(s)
		}
	}
}

// pauses reports whether an attempt to collect the invoice pauses its subscription.
func (a *Account) pauses(invoiceID string) bool {
	return slices.ContainsFunc(a.attemptsOf(invoiceID), Attempt.Pauses)
}

// openAttempt returns the attempt to collect the invoice that the customer has to complete.
func (a *Account) openAttempt(invoiceID string) (attempt Attempt, found bool) {
	for _, attempt := range a.attemptsOf(invoiceID) {
		if attempt.State == AttemptOpen {
			return attempt, true
		}
	}
	return Attempt{}, false
}

// cancelOpen begins to cancel an open attempt.
func (a *Account) cancelOpen(attempt Attempt) {
	if canceling, err := attempt.Cancel(); err == nil {
		a.putAttempt(canceling)
	}
}

// checkNext returns why no other attempt to collect the invoice may begin, or nil.
func (a *Account) checkNext(invoiceID, method string, byCustomer bool) error {
	for _, attempt := range a.attemptsOf(invoiceID) {
		if err := attempt.CheckNext(method, byCustomer); err != nil {
			return err
		}
	}
	return nil
}

// cancelPayments cancels the attempts to collect the invoice, and reports whether all are canceled; an open one is canceling
// at first. Conflict if one can't be canceled. With mayMove, money that is on its way need not be stopped.
func (a *Account) cancelPayments(invoiceID string, mayMove bool) (canceled bool, err error) {
	var stopped []Attempt
	for _, attempt := range a.attemptsOf(invoiceID) {
		stop, err := attempt.CheckEnd(mayMove)
		if err != nil {
			return false, err
		}
		if !stop {
			continue
		}
		if attempt, err = attempt.Cancel(); err != nil {
			return false, err
		}
		stopped = append(stopped, attempt)
	}
	canceled = true
	for _, attempt := range stopped {
		canceled = canceled && attempt.State == AttemptCanceled
		a.putAttempt(attempt)
	}
	return canceled, nil
}

// beginPayment begins an attempt to collect the balance of an invoice.
func (a *Account) beginPayment(inv Invoice, src Source, byCustomer bool, at time.Time) {
	attempt := Attempt{
		Key: a.NewKey(), Invoice: inv.ID, Method: src.Method, Token: src.Token, ReturnTo: src.ReturnTo, CustomerPresent: byCustomer,
		Amount: inv.Balance(), Currency: inv.Currency, State: AttemptStored, Created: at,
	}
	if m, err := a.Method(src.Method); err == nil {
		attempt.With = withoutFingerprints(m.Details)
	}
	a.putAttempt(attempt)
}

func withoutFingerprints(m billing.PaymentMethod) billing.PaymentMethod {
	m.Fingerprint, m.Card.Fingerprint = "", ""
	return m
}

// InvoicePayment is the request of a customer to pay an open invoice.
type InvoicePayment struct {
	Invoice string // id
	Amount  int64  // that the customer agreed to
	Ended   bool   // the subscription was canceled, and the invoice stays owed
	Source  Source
}

// Pay begins an attempt to collect an invoice. A paid invoice stays as it is, and so does an open page if the payment is to
// be made on a page. Any other open payment is canceled first. NotFound for an unknown invoice or method. Conflict if another
// amount is due, if the invoice can't be paid any more, while a payment is on its way, and for a method that was declined
// for good.
func (a *Account) Pay(p InvoicePayment) error {
	inv, err := a.checkPayment(p)
	if err != nil || inv.Status == billing.InvoicePaid {
		return err
	}
	if open, found := a.openAttempt(inv.ID); found {
		if p.Source.isPage() {
			return nil
		}
		if open, err = open.Cancel(); err != nil {
			return err
		}
		a.putAttempt(open)
	}
	a.beginPayment(inv, p.Source, true, a.Now)
	return nil
}

// checkPayment returns the invoice, or why it can't be paid by the request.
func (a *Account) checkPayment(p InvoicePayment) (Invoice, error) {
	inv := a.Invoice(p.Invoice)
	s, err := a.Subscription(inv.Subscription)
	switch {
	case err != nil:
		return inv, fault.New(fault.NotFound, "There is no such invoice.")
	case inv.Status == billing.InvoicePaid:
		return inv, nil
	case inv.Status != billing.InvoiceOpen, p.Ended != s.Status.Ended():
		return inv, fault.New(fault.Conflict, "The invoice can't be paid any more.")
	case a.pauses(inv.ID):
		return inv, billing.ErrPaymentProcessing()
	case p.Amount != inv.Balance():
		return inv, fault.New(fault.Conflict, "Another amount is due.")
	}
	if err := a.checkSource(p.Source); err != nil {
		return inv, err
	}
	for _, attempt := range a.attemptsOf(inv.ID) {
		if err := attempt.CheckNext(p.Source.Method, true); err != nil && attempt.State != AttemptOpen {
			return inv, err
		}
	}
	return inv, nil
}
