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
	attempts := a.invoiceAttempts(invoiceID)
	if len(attempts) == 0 {
		return Attempt{}
	}
	return attempts[0]
}

// NeedsApproval reports whether the bank wants the customer to authenticate the payment of the invoice. This is possible
// after an attempt without the customer. The customer can pay again with the same method, which is not charged
// automatically until then. Canceled attempts are ignored, because the customer has not completed them. It returns false
// without ChargeTerms.Authentication.
func (a *Account) NeedsApproval(invoiceID string) bool {
	terms := a.Terms.ChargeTerms
	return terms != nil && terms.Authentication && latestTriedAttempt(a.invoiceAttempts(invoiceID)).needsApproval()
}

// latestTriedAttempt returns the newest attempt that was not canceled; the zero attempt if there is none.
func latestTriedAttempt(attempts []Attempt) Attempt {
	for _, attempt := range attempts {
		if attempt.State != AttemptCanceled {
			return attempt
		}
	}
	return Attempt{}
}

// invoiceAttempts returns the attempts to collect the invoice, newest first.
func (a *Account) invoiceAttempts(invoiceID string) (attempts []Attempt) {
	for _, attempt := range a.Attempts {
		if invoiceID != "" && attempt.Invoice == invoiceID {
			attempts = append(attempts, attempt)
		}
	}
	return attempts
}

// putAttempt replaces the attempt, or inserts a new one at the front. It also updates PaymentProcessing of the
// subscription if the attempt collects its latest invoice. It removes the token of an attempt that is not sent any more.
func (a *Account) putAttempt(attempt Attempt) {
	a.markChanged(attempt.Key)
	if !attempt.needsToken() {
		attempt.Token = ""
	}
	a.Attempts = upsert(a.Attempts, attempt, func(other Attempt) bool { return other.Key == attempt.Key })
	for _, s := range a.Subscriptions {
		if attempt.Invoice != "" && s.LatestInvoice == attempt.Invoice {
			a.putSubscription(s)
		}
	}
}

// hasDelayingAttempt reports whether an attempt to collect the invoice delays the next step of its subscription.
func (a *Account) hasDelayingAttempt(invoiceID string) bool {
	return slices.ContainsFunc(a.invoiceAttempts(invoiceID), Attempt.DelaysNextStep)
}

// openAttempt returns the attempt to collect the invoice that the customer has yet to complete.
func (a *Account) openAttempt(invoiceID string) (attempt Attempt, found bool) {
	for _, attempt := range a.invoiceAttempts(invoiceID) {
		if attempt.State == AttemptOpen {
			return attempt, true
		}
	}
	return Attempt{}, false
}

// cancelIfPossible cancels the attempt unless Attempt.Cancel returns an error.
func (a *Account) cancelIfPossible(attempt Attempt) {
	if attempt, err := attempt.Cancel(); err == nil {
		a.putAttempt(attempt)
	}
}

// checkNextAttempt returns the reason why no attempt may follow the attempts to collect an invoice, or nil.
func checkNextAttempt(attempts []Attempt, method string, byCustomer bool) error {
	for _, attempt := range attempts {
		if err := attempt.CheckNextAttempt(method, byCustomer); err != nil {
			return err
		}
	}
	return nil
}

// cancelAttempts cancels the attempts to collect the invoice, and reports whether all of them are already canceled. An
// open attempt is canceling until the provider reports its cancellation. cancelAttempts passes isLive to
// Attempt.CheckSubscriptionEnd. If CheckSubscriptionEnd returns Conflict, no attempt changes.
func (a *Account) cancelAttempts(invoiceID string, isLive bool) (allCanceled bool, err error) {
	var updates []Attempt
	for _, attempt := range a.invoiceAttempts(invoiceID) {
		mustCancel, err := attempt.CheckSubscriptionEnd(isLive)
		if err != nil {
			return false, err
		}
		if !mustCancel {
			continue
		}
		if attempt, err = attempt.Cancel(); err != nil {
			return false, err
		}
		updates = append(updates, attempt)
	}
	allCanceled = true
	for _, attempt := range updates {
		allCanceled = allCanceled && attempt.State == AttemptCanceled
		a.putAttempt(attempt)
	}
	return allCanceled, nil
}

// beginAttempt stores an attempt to collect the balance of an invoice.
func (a *Account) beginAttempt(inv Invoice, src Source, byCustomer bool, at time.Time) {
	attempt := Attempt{
		Key: a.NewKey(), Invoice: inv.ID, Amount: inv.AmountRemaining(), Currency: inv.Currency, State: AttemptStored, Created: at,
		CustomerPresent: byCustomer,
	}
	a.putAttempt(a.withSource(attempt, src))
}

// withoutFingerprints returns the method with only the details that an attempt stores.
func withoutFingerprints(m billing.PaymentMethod) billing.PaymentMethod {
	m.Fingerprint, m.Card.Fingerprint = "", ""
	return m
}

// PayRequest is the request of a customer to pay an open invoice.
type PayRequest struct {
	Invoice           string // the invoice's id
	Amount            int64  // the amount that the customer has agreed to
	SubscriptionEnded bool   // the subscription has ended, and the invoice stays owed
	Source            Source
}

// Pay begins an attempt to collect an invoice. It changes nothing if the invoice is paid. It keeps an open payment with the
// method of the request, and an open page if the request is to pay on a page. It cancels any other open payment first.
// Pay returns NotFound for an unknown invoice or method, and Conflict if another amount is due, if the invoice can't be
// paid any more, while a payment is processing, and for a method that was declined permanently.
func (a *Account) Pay(req PayRequest) error {
	inv, err := a.checkPayment(req)
	if err != nil || inv.Status == billing.InvoicePaid {
		return err
	}
	if attempt, found := a.openAttempt(inv.ID); found {
		if req.Source.usesPage() || req.Source.Token == "" && req.Source.Method == attempt.Method {
			return nil
		}
		if attempt, err = attempt.Cancel(); err != nil {
			return err
		}
		a.putAttempt(attempt)
	}
	a.beginAttempt(inv, req.Source, true, a.Now)
	return nil
}

// checkPayment returns the invoice. It returns an error with the reason if the request can't pay the invoice.
func (a *Account) checkPayment(req PayRequest) (Invoice, error) {
	inv := a.Invoice(req.Invoice)
	s, err := a.Subscription(inv.Subscription)
	switch {
	case err != nil:
		return inv, fault.New(fault.NotFound, "There is no such invoice.")
	case inv.Status == billing.InvoicePaid:
		return inv, nil
	case inv.Status != billing.InvoiceOpen, req.SubscriptionEnded != s.Status.Ended():
		return inv, fault.New(fault.Conflict, "The invoice can't be paid any more.")
	case a.hasDelayingAttempt(inv.ID):
		return inv, billing.ErrPaymentProcessing()
	case req.Amount != inv.AmountRemaining():
		return inv, fault.New(fault.Conflict, "Another amount is due.")
	}
	if err := a.checkSource(req.Source); err != nil {
		return inv, err
	}
	for _, attempt := range a.invoiceAttempts(inv.ID) {
		if err := attempt.CheckNextAttempt(req.Source.Method, true); err != nil && attempt.State != AttemptOpen {
			return inv, err
		}
	}
	return inv, nil
}
