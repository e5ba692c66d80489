package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// ChargeTerms contains the conditions under which invoices are charged through a provider that only moves money.
type ChargeTerms struct {
	// Minimum returns the smallest amount that can be charged, in minor units. It is nil for no minimum. A smaller amount is
	// due with the next invoice.
	Minimum func(currency string) int64
	// SettlementTime is the longest time in which the money of an accepted payment arrives.
	SettlementTime time.Duration
	// SettlementByKind replaces SettlementTime for the kinds of methods that it contains.
	SettlementByKind map[billing.MethodKind]time.Duration
	// OffSession reports whether saved methods can be charged without the customer. If they can't, a renewal is past due
	// until the customer pays it.
	OffSession bool
	// Authentication reports whether the customer can authenticate the payment of a saved method. If not, a renewal that
	// only the customer can make needs another method.
	Authentication bool
	// RetryLimits limits the automatic retries of a failed payment, by the kind of the method. A kind without an entry
	// has no limit besides retryDelays.
	RetryLimits map[billing.MethodKind]int
	// KeyRetention is the time for which the provider remembers the keys of payments and refunds. If KeyRetention is 0,
	// no request is sent twice.
	KeyRetention time.Duration
	// LongestRequest is the longest time for which the provider may work on a request that it has received.
	LongestRequest time.Duration
}

// chargeMinimum returns the smallest amount that is charged, or 0 for accounts that pay by transfer.
func (t Terms) chargeMinimum(currency string) int64 {
	if t.ChargeTerms == nil || t.ChargeTerms.Minimum == nil {
		return 0
	}
	return t.ChargeTerms.Minimum(currency)
}

// chargeCollector collects invoices by charging them through a provider that only moves money.
type chargeCollector struct{ *ChargeTerms }

func (c chargeCollector) subscribe(a *Account, req SubscribeRequest) error {
	if a.Hold != billing.NoHold {
		return billing.HoldConflict()
	}
	if err := a.checkSource(req.Source); err != nil {
		return err
	}
	if req.Source.Method != "" {
		a.DefaultMethod = req.Source.Method
	}
	a.Currency = req.Price.Currency
	s := AccountSubscription{ID: req.ID, StartKey: req.Key, Subscription: req.start(a.Now), PeriodInvoicedAt: a.Now}
	a.setUpTrial(&s, req)
	inv := a.issueInvoice(&s, Invoice{Created: a.Now, Lines: s.PeriodLines()})
	if s.Status == billing.Trialing {
		return nil
	}
	if inv.Status == billing.InvoicePaid {
		s.Subscription = s.PaymentSucceeded(inv.ID, a.Now)
		a.putSubscription(s)
	}
	c.collect(a, inv, req.Source)
	return nil
}

// setUpTrial saves or authenticates the method that is charged after a trial, unless an attempt for it exists. The caller
// stores the subscription.
func (a *Account) setUpTrial(s *AccountSubscription, req SubscribeRequest) {
	if setup, err := a.Attempt(req.SetupKey); err == nil {
		a.useSetup(s, setup)
		return
	}
	hasMethodToSetUp := req.Source.Token != "" || req.AuthenticateMethod && req.Source.Method != ""
	if s.Status == billing.Trialing && hasMethodToSetUp {
		a.beginTrialSetup(s, req.Source)
	}
}

// useSetup makes the method that the attempt saves the default one. While the attempt is not over, the trial refers to it.
// The caller stores the subscription.
func (a *Account) useSetup(s *AccountSubscription, setup Attempt) {
	if _, err := a.Method(setup.Method); err == nil {
		a.DefaultMethod = setup.Method
	}
	if !setup.IsOver() {
		s.SetupKey, setup.KeepDefault = setup.Key, false
		a.putAttempt(setup)
	}
}

func (chargeCollector) quoteSubscribe(a *Account, req SubscribeRequest) (Quote, error) {
	if a.Hold != billing.NoHold {
		return Quote{}, billing.HoldConflict()
	}
	return req.start(a.Now).QuoteStart(a.Credit, a.Terms.chargeMinimum(req.Price.Currency)), nil
}

// checkChangeNow refuses a change whose payment would arrive after the end of the period, because a change is made or
// canceled by the end of the period.
func (c chargeCollector) checkChangeNow(a *Account, s AccountSubscription, change PriceChange) error {
	dueAmount := a.draftInvoice(s, a.changeInvoice(s, change)).AmountDue
	settlementTime := c.SettlementTime
	if method, err := a.Method(a.DefaultMethod); err == nil {
		settlementTime = c.settlementTime(method.Details.Kind)
	}
	if dueAmount > 0 && a.Now.Add(settlementTime).After(s.PeriodEnd) {
		return errNoTimeToPayChange()
	}
	return nil
}

// settlementTime returns the longest time in which the money of a payment with a kind of method arrives.
func (c ChargeTerms) settlementTime(kind billing.MethodKind) time.Duration {
	if settlementTime, ok := c.SettlementByKind[kind]; ok {
		return settlementTime
	}
	return c.SettlementTime
}

func errNoTimeToPayChange() error {
	return fault.New(fault.Conflict,
		"The payment would not arrive before your current period ends. Please make the change at the renewal.")
}

// collect charges the invoice. If nothing is due, it only saves a new method.
func (chargeCollector) collect(a *Account, inv Invoice, src Source) {
	a.recordPeriodInvoiced(inv)
	switch {
	case inv.Status == billing.InvoiceOpen:
		a.beginAttempt(inv, src, true, a.Now)
	case src.Token != "":
		a.beginSetup(SaveMethodRequest{Key: a.NewKey(), Source: src})
	}
}

func (c chargeCollector) collectRenewal(a *Account, inv Invoice) {
	a.recordPeriodInvoiced(inv)
	s, err := a.Subscription(inv.Subscription)
	if err == nil && inv.Status == billing.InvoiceOpen {
		c.chargeDefaultMethod(a, s, inv, inv.Created)
	}
}

// recordPeriodInvoiced sets PeriodInvoicedAt for a new invoice, unless the invoice credits unused time. A later price
// change creates credit for a part of the invoiced period. Only payments that were returned after PeriodInvoicedAt
// reduce this credit.
func (a *Account) recordPeriodInvoiced(inv Invoice) {
	if s, err := a.Subscription(inv.Subscription); err == nil && !inv.creditsUnusedTime() {
		s.PeriodInvoicedAt = inv.Created
		a.putSubscription(s)
	}
}

// chargeDefaultMethod charges the default method without the customer. It records a failed payment if that is not
// possible.
func (c chargeCollector) chargeDefaultMethod(a *Account, s AccountSubscription, inv Invoice, at time.Time) {
	if !c.canChargeDefaultMethod(a, a.invoiceAttempts(inv.ID), s.Retries) {
		a.recordPaymentFailure(s, at, false, 0)
		return
	}
	a.beginAttempt(inv, Source{Method: a.DefaultMethod}, false, at)
}

// canChargeDefaultMethod reports whether the default method can be charged without the customer after the attempts and
// the number of retries.
func (c chargeCollector) canChargeDefaultMethod(a *Account, attempts []Attempt, retries int) bool {
	method, err := a.Method(a.DefaultMethod)
	return err == nil && c.OffSession && c.allowsRetry(method, retries) && checkNextAttempt(attempts, method.Ref, false) == nil
}

// nextAttemptAt returns the time of the next retry, unless the retry would charge nothing. Open attempts make no difference,
// because they are canceled first.
func (c chargeCollector) nextAttemptAt(a *Account, s AccountSubscription) time.Time {
	attempts := slices.DeleteFunc(slices.Clone(a.invoiceAttempts(s.LatestInvoice)), func(attempt Attempt) bool {
		return attempt.State == AttemptOpen || attempt.State == AttemptCanceling
	})
	if !c.canChargeDefaultMethod(a, attempts, s.Retries+1) {
		return time.Time{}
	}
	return s.NextAttemptAt()
}

// allowsRetry reports whether a payment may be charged to the method again after a number of retries.
func (c chargeCollector) allowsRetry(m AccountMethod, retries int) bool {
	limit, hasLimit := c.RetryLimits[m.Details.Kind]
	return !hasLimit || retries <= limit
}

// applyInvoicePayment records the payment of the latest invoice. Older invoices do not change the subscription.
func (chargeCollector) applyInvoicePayment(a *Account, s AccountSubscription, inv Invoice) {
	if s.LatestInvoice != inv.ID {
		return
	}
	if s.Pending.Invoice == inv.ID {
		a.cancelSetup(&s)
	}
	s.StopRequest = NoStop
	s.Subscription = s.PaymentSucceeded(inv.ID, a.Now)
	a.putSubscription(s)
}

// nextStep returns the next step. While a payment of the latest invoice is open, it instead returns a step at the
// same time that cancels the payment. The actual step follows when the payment is canceled.
func (c chargeCollector) nextStep(a *Account, s AccountSubscription) accountStep {
	next := c.stepWithoutOpenPayment(a, s)
	if attempt, found := a.openAttempt(s.LatestInvoice); found && next.perform != nil {
		next.perform = func(a *Account, _ AccountSubscription, _ time.Time) { a.cancelIfPossible(attempt) }
	}
	return next
}

// stepWithoutOpenPayment returns the next step as if no payment were open.
func (c chargeCollector) stepWithoutOpenPayment(a *Account, s AccountSubscription) accountStep {
	switch {
	case s.PaymentProcessing:
		return accountStep{}
	case s.StopRequest != NoStop:
		return accountStep{a.Now, (*Account).performStop}
	case a.Hold != billing.NoHold && s.Status == billing.Incomplete:
		return accountStep{a.Now, (*Account).expire}
	case a.Hold != billing.NoHold && s.Pending.Invoice != "":
		return accountStep{a.Now, func(a *Account, s AccountSubscription, _ time.Time) { a.voidPendingChange(s) }}
	}
	switch kind, at := s.NextStep(); kind {
	case StepExpire:
		return accountStep{at, (*Account).expire}
	case StepRetry:
		return accountStep{at, c.retryCharge}
	case StepEndUnpaid:
		return accountStep{at, (*Account).endAndVoidInvoice}
	}
	return nextPeriodStep(s)
}

// retryCharge charges the open invoice again.
func (c chargeCollector) retryCharge(a *Account, s AccountSubscription, at time.Time) {
	s.Subscription = s.RecordRetry(at)
	a.putSubscription(s)
	c.chargeDefaultMethod(a, s, a.Invoice(s.LatestInvoice), at)
}

// endAndVoidInvoice ends a subscription whose time to pay is over, and voids its invoice.
func (a *Account) endAndVoidInvoice(s AccountSubscription, at time.Time) {
	a.voidInvoice(a.Invoice(s.LatestInvoice))
	a.putSubscription(s.withEnd(billing.Canceled, at))
}

// recordPaymentFailure changes the subscription after a failed payment of its latest invoice. isLate is true if the
// customer did not see the failure immediately and gets more time to pay. See PaymentFailed for processing.
func (a *Account) recordPaymentFailure(s AccountSubscription, at time.Time, isLate bool, processing time.Duration) {
	s.PaymentProcessing = isLate // PaymentFailed extends the time to pay of a payment that was processing
	s.Subscription = s.PaymentFailed(at, processing)
	s.PaymentProcessing = a.hasDelayingAttempt(s.LatestInvoice)
	a.putSubscription(s)
}
