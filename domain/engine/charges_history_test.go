package engine_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

// A history consists of random commands and payments. Requests and reports are late, repeated, lost or in another order.
// Payments take days, fail late or are returned. After each event, each invoice was debited at most once, money and
// credit add up, and a refused command has changed nothing. At the end of a history, when everything is reported, the
// account agrees with the provider and no step is overdue. An account that was stored, and loaded with only the required
// records, has the same results.
func TestCharges_RandomHistoriesKeepInvariants(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := newChargesHistory(rt)
		for range rapid.IntRange(1, 60).Draw(rt, "length") {
			h.applyRandomEvent()
		}
		h.completeEverything()
	})
}

// chargesHistory contains an account and the provider to which its payments are sent.
type chargesHistory struct {
	*rapid.T
	account               *engine.Account
	provider              *fakeProvider
	grantedCredit         int64
	keyCount, refundCount int
	subscriptionCount     int
	isCompleting          bool // events are not repeated with a reloaded account
}

func newChargesHistory(rt *rapid.T) *chargesHistory {
	h := &chargesHistory{T: rt, account: newChargedAccount(),
		provider: &fakeProvider{T: rt, canPayAfterFailure: rapid.Bool().Draw(rt, "can pay after failure")}}
	h.account.NewKey = func() string { h.keyCount++; return fmt.Sprintf("key_%d", h.keyCount) }
	if rapid.Bool().Draw(rt, "without keys") {
		h.account.Terms.ChargeTerms.KeyRetention = 0
	}
	return h
}

// event is a command or a report. invoice, attempt and needsAllInvoices select the records that it needs in addition to
// those of every event.
type event struct {
	name             string
	invoice, attempt string
	needsAllInvoices bool
	apply            func(*engine.Account) error
}

// apply applies the event to the account, and to a copy that was stored and loaded with only the records that the event
// needs. Both must have the same result.
func (h *chargesHistory) apply(e event) error {
	defer func() { h.Log(h.account.Now.Format(time.DateTime), e.name, e.attempt, describeCharges(h.account)) }()
	if h.isCompleting {
		err := e.apply(h.account)
		h.requireInvariants()
		return err
	}
	initialAccount, reloadedAccount := h.copyAccount(h.account), h.reloadAccount(e)
	err := e.apply(h.account)
	require.Equal(h, err, e.apply(reloadedAccount), e.name)
	if err != nil {
		require.Equal(h, chargesState(initialAccount), chargesState(h.account), "%s is refused: %v", e.name, err)
		return err
	}
	h.requireSameState(initialAccount, reloadedAccount, e.name)
	h.requireInvariants()
	return nil
}

// chargesState returns the stored values of an account.
func chargesState(a *engine.Account) []any {
	return []any{a.Credit, a.HeldCredit, a.Hold, a.DefaultMethod, a.Subscriptions, a.Invoices, a.Attempts, a.Refunds,
		a.Methods}
}

// copyAccount returns a copy of the account. New invoices and attempts get the same ids in the account and in the copy.
func (h *chargesHistory) copyAccount(a *engine.Account) *engine.Account {
	result, invoices, keys := *a, len(h.account.Invoices), h.keyCount
	result.NewInvoiceID = func() string { invoices++; return fmt.Sprintf("in_%d", invoices) }
	result.NewKey = func() string { keys++; return fmt.Sprintf("key_%d", keys) }
	result.Subscriptions, result.Invoices = slices.Clone(a.Subscriptions), slices.Clone(a.Invoices)
	result.Attempts, result.Refunds, result.Methods = slices.Clone(a.Attempts), slices.Clone(a.Refunds),
		slices.Clone(a.Methods)
	return &result
}

// reloadAccount returns the account as a server loads it for an event.
func (h *chargesHistory) reloadAccount(e event) *engine.Account {
	a := h.copyAccount(h.account)
	if attempt, err := a.Attempt(e.attempt); err == nil {
		e.invoice = attempt.Invoice
	}
	if !e.needsAllInvoices {
		a.Attempts = slices.DeleteFunc(a.Attempts, func(attempt engine.Attempt) bool { return !h.needsAttempt(attempt, e) })
		a.Invoices = slices.DeleteFunc(a.Invoices, func(inv engine.Invoice) bool { return !h.needsInvoice(inv, e) })
	}
	roundTripAll(h, a.Invoices)
	roundTripAll(h, a.Subscriptions)
	roundTripAll(h, a.Attempts)
	roundTripAll(h, a.Refunds)
	roundTripAll(h, a.Methods)
	return a
}

// roundTripAll replaces each value by the result of writing and reading it as JSON.
func roundTripAll[T any](t require.TestingT, all []T) {
	for i := range all {
		all[i] = roundTripJSON(t, all[i])
	}
}

// needsAttempt reports whether the event needs the attempt according to the comment of engine.Account.
func (h *chargesHistory) needsAttempt(attempt engine.Attempt, e event) bool {
	isNamed := attempt.Key == e.attempt || attempt.Invoice != "" && attempt.Invoice == e.invoice
	return !attempt.IsOver() || isNamed || h.account.Invoice(attempt.Invoice).Status == billing.InvoiceOpen ||
		slices.ContainsFunc(h.account.Subscriptions,
			func(s engine.AccountSubscription) bool { return s.SetupKey == attempt.Key })
}

// needsInvoice reports whether the event needs the invoice according to the comment of engine.Account.
func (h *chargesHistory) needsInvoice(inv engine.Invoice, e event) bool {
	isReturned := inv.Refunded > 0 || inv.Refund != engine.ReturnedPayment{} || inv.Dispute != engine.ReturnedPayment{}
	return inv.ID == e.invoice || inv.Status == billing.InvoiceOpen || isReturned ||
		slices.ContainsFunc(h.account.Subscriptions,
			func(s engine.AccountSubscription) bool { return s.LatestInvoice == inv.ID })
}

// requireSameState requires that partialAccount, which has only some of the records, is in the same state as the full
// account, and that the other records have not changed.
func (h *chargesHistory) requireSameState(initialAccount, partialAccount *engine.Account, name string) {
	a := h.account
	require.Equal(h, []any{a.Credit, a.HeldCredit, a.Hold, a.DefaultMethod},
		[]any{partialAccount.Credit, partialAccount.HeldCredit, partialAccount.Hold, partialAccount.DefaultMethod}, name)
	require.Equal(h, a.Subscriptions, partialAccount.Subscriptions, name)
	require.Equal(h, a.Methods, partialAccount.Methods, name)
	requireSameInvoices(h, a, initialAccount, partialAccount, name)
	for _, attempt := range a.Attempts {
		want, err := partialAccount.Attempt(attempt.Key)
		if err != nil {
			want, err = initialAccount.Attempt(attempt.Key)
			require.NoError(h, err, name)
		}
		require.Equal(h, want, attempt, name)
	}
}

// requireInvariants requires that tokens, money, credit, debits and steps are consistent.
func (h *chargesHistory) requireInvariants() {
	for _, attempt := range h.account.Attempts {
		canBeSent := !attempt.Retired && (attempt.State == engine.AttemptStored || attempt.State == engine.AttemptClaimed)
		require.True(h, attempt.Token == "" || canBeSent, "a token is stored with an attempt that is %s", attempt.State)
	}
	h.requireCustomerWhereNeeded()
	h.requireConsistentMoney()
	h.requireNextSteps()
}

// requireCustomerWhereNeeded requires that no method is charged without the customer for an invoice after a decline that
// needs the customer.
func (h *chargesHistory) requireCustomerWhereNeeded() {
	attempts := h.account.Attempts // the newest is first
	for i, attempt := range attempts {
		if attempt.CustomerPresent || attempt.Invoice == "" {
			continue
		}
		isRefused := slices.ContainsFunc(attempts[i+1:], func(older engine.Attempt) bool {
			return older.Invoice == attempt.Invoice && older.Method == attempt.Method && older.CustomerNeeded
		})
		require.False(h, isRefused, "%s is charged without the customer", attempt.Method)
	}
}

// requireConsistentMoney requires that the credit and the payments of the invoices add up.
func (h *chargesHistory) requireConsistentMoney() {
	a := h.account
	credit, paid := h.grantedCredit, int64(0)
	for _, attempt := range a.Attempts {
		credit += attempt.Surplus
		if !attempt.PaidAt.IsZero() {
			paid += attempt.Amount - attempt.Surplus
		}
	}
	for _, inv := range a.Invoices {
		credit -= inv.CreditUsed + inv.Refund.Withdrawn + inv.Dispute.Withdrawn - appliedDeduction(inv)
		paid -= inv.AmountPaid + inv.BankReturned
		isCovered := inv.AmountPaid == inv.AmountDue && inv.Status != billing.InvoiceVoid
		assert.Equal(h, inv.Status == billing.InvoicePaid, isCovered, "paid %d of %d", inv.AmountPaid, inv.AmountDue)
		if !h.provider.canPayAfterFailure {
			require.LessOrEqual(h, h.provider.debitCount(inv.ID), 1, "debits of %s", inv.ID)
		}
	}
	require.Equal(h, credit, a.Credit+a.HeldCredit, "the credit is the granted and overpaid amount less the used amount")
	require.Zero(h, paid, "the paid amounts of the invoices add up to the payments without their surplus")
}

// requireNextSteps requires that each subscription has ended, waits for a payment or has a next step.
func (h *chargesHistory) requireNextSteps() {
	a := h.account
	for _, s := range a.Subscriptions {
		isPaused := slices.ContainsFunc(a.Attempts, func(attempt engine.Attempt) bool {
			return attempt.Invoice == s.LatestInvoice && attempt.DelaysNextStep()
		})
		require.Equal(h, isPaused, s.PaymentProcessing, "PaymentProcessing")
		_, stepAt := s.NextStep()
		require.True(h, s.Status.Ended() || s.PaymentProcessing || !stepAt.IsZero(), "%s without a next step", s.Status)
	}
}

// appliedDeduction returns the amount that the invoice has deducted from unused time, after the deduction was applied.
func appliedDeduction(inv engine.Invoice) (sum int64) {
	if len(inv.Deductions) > 0 {
		return 0
	}
	for _, line := range inv.Lines {
		if line.Returned {
			sum += line.Amount
		}
	}
	return sum
}

// applyRandomEvent advances the time and applies a random event.
func (h *chargesHistory) applyRandomEvent() {
	durations := []time.Duration{0, 0, time.Second, 30 * time.Second, time.Hour, day, 3 * day, 23 * day, 40 * day}
	h.advance(rapid.SampledFrom(durations).Draw(h.T, "time"))
	events := []func(){h.subscribe, h.addCredit, h.saveMethod,
		h.makeUnreliableRequests, h.makeUnreliableRequests, h.makeUnreliableRequests,
		h.changePaymentState, h.changePaymentState, h.report, h.report}
	if len(h.account.Subscriptions) > 0 {
		events = append(events, h.pay, h.pay, h.changePrice, h.endSubscription, h.setEnding, h.cancelPendingChange,
			h.requestRefund, h.liftHold,
			h.removeMethod)
	}
	rapid.SampledFrom(events).Draw(h.T, "event")()
}

func (h *chargesHistory) advance(d time.Duration) {
	now := h.account.Now.Add(d)
	_ = h.apply(event{name: "advance", apply: func(a *engine.Account) error { a.Advance(now); return nil }})
	next := h.account.NextStepAt()
	require.True(h, next.IsZero() || next.After(now), "no step is overdue")
}

func (h *chargesHistory) drawSource() engine.Source {
	sources := []engine.Source{{ReturnTo: "https://example.com"}, {Token: "token"}}
	for _, m := range h.account.Methods {
		sources = append(sources, engine.Source{Method: m.Ref}, engine.Source{Method: m.Ref})
	}
	return rapid.SampledFrom(sources).Draw(h.T, "source")
}

func (h *chargesHistory) subscribe() {
	h.subscriptionCount++
	price, amount := drawPricedPlan(h.T)
	req := engine.SubscribeRequest{
		ID: fmt.Sprintf("sub_%d", h.subscriptionCount), Price: price, Amount: amount,
		TrialDays: rapid.SampledFrom([]int{0, 0, 7}).Draw(h.T, "trial days"), Source: h.drawSource(),
	}
	_ = h.apply(event{name: "subscribe", apply: func(a *engine.Account) error {
		q, quoteErr := a.QuoteSubscribe(req)
		err := a.Subscribe(req)
		if err == nil {
			require.NoError(h, quoteErr)
			requireQuotedInvoice(h, a, q)
		}
		return err
	}})
}

func (h *chargesHistory) changePrice() {
	s := rapid.SampledFrom(h.account.Subscriptions).Draw(h.T, "subscription")
	price, amount := drawPricedPlan(h.T)
	req := engine.ChangeRequest{
		Subscription: s.ID, From: s.Price, To: price, Amount: amount, EndTrial: s.Status == billing.Trialing,
		AtRenewal: rapid.Bool().Draw(h.T, "at the renewal"), Source: h.drawSource(),
	}
	_ = h.apply(event{name: "change", apply: func(a *engine.Account) error {
		q, quoteErr := a.QuoteChange(req)
		err := a.ChangePrice(req)
		require.Equal(h, quoteErr, err)
		if err == nil && !req.AtRenewal {
			requireQuotedInvoice(h, a, q)
		}
		return err
	}})
}

func (h *chargesHistory) addCredit() {
	amount := aud(rapid.SampledFrom([]int64{100, 3900, 100_000}).Draw(h.T, "amount"))
	h.grantedCredit += amount.Minor()
	if h.apply(event{name: "credit", apply: func(a *engine.Account) error { return a.AddCredit(amount) }}) != nil {
		h.grantedCredit -= amount.Minor()
	}
}
