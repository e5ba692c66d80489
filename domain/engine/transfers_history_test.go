package engine_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
)

// After each random command, money and credit add up, a quote equals the invoice that follows, and a refused command has
// changed nothing. An account that was stored, and loaded with only the required invoices, has the same results.
func TestTransfers_RandomHistoriesKeepInvariants(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := &transfersHistory{T: rt, account: newAccount()}
		h.account.Approved = rapid.Bool().Draw(rt, "approved")
		for range rapid.IntRange(1, 40).Draw(rt, "length") {
			h.applyRandomCommand()
		}
	})
}

// transfersHistory contains an account and the money that was moved.
type transfersHistory struct {
	*rapid.T
	account           *engine.Account
	subscriptionCount int
	grantedCredit     int64 // the sum of the credit that was added
	overpaidCredit    int64 // the sum of the payments in excess of the invoices
	paidOutCredit     int64 // the sum of the credit that was paid out
	payments          []transfer
}

// transfer is a payment, or a refund with a negative amount, that can be reversed.
type transfer struct {
	invoice         string
	amount, applied int64
}

// randomCommand is a command of a history. It needs the invoices that every command needs and, in addition, its own
// invoice or all invoices.
type randomCommand struct {
	name             string
	invoice          string // the invoice's id
	needsAllInvoices bool
	apply            func(*engine.Account) error
	onSuccess        func()
}

// applyRandomCommand advances the time, and applies a command to the account and to a copy with only the invoices that it
// needs.
func (h *transfersHistory) applyRandomCommand() {
	h.advance()
	c := h.drawCommand()
	initialAccount, reloadedAccount := h.copyAccount(h.account), h.reloadAccount(c)
	err := c.apply(h.account)
	require.Equal(h, err, c.apply(reloadedAccount), c.name)
	if err != nil {
		assert.Equal(h, h.storedValues(initialAccount), h.storedValues(h.account), "%s is refused: %v", c.name, err)
		return
	}
	if c.onSuccess != nil {
		c.onSuccess()
	}
	h.requireSameState(initialAccount, reloadedAccount, c.name)
	h.requireInvariants()
}

// advance advances the account in one call and a copy in two calls, and requires the same result.
func (h *transfersHistory) advance() {
	durations := []time.Duration{0, time.Second, time.Hour, day, 6 * day, 13 * day, 20 * day, 45 * day, 400 * day}
	d := rapid.SampledFrom(durations).Draw(h.T, "time")
	now, halfway := h.account.Now.Add(d), h.account.Now.Add((d / 2).Truncate(time.Second))
	initialAccount, reloadedAccount := h.copyAccount(h.account), h.reloadAccount(randomCommand{})
	reloadedAccount.Advance(halfway)
	dueAt := h.account.NextWorkAt()
	assert.Equal(h, !dueAt.IsZero() && !dueAt.After(now), h.account.Advance(now), "due at %v", dueAt)
	reloadedAccount.Advance(now)
	h.requireSameState(initialAccount, reloadedAccount, "advance")
	next := h.account.NextWorkAt()
	assert.True(h, next.IsZero() || next.After(now), "no step is overdue")
	h.requireInvariants()
}

// copyAccount returns a copy of the account. New invoices get the same ids in the account and in the copy.
func (h *transfersHistory) copyAccount(a *engine.Account) *engine.Account {
	n := len(h.account.Invoices)
	return &engine.Account{
		Terms: a.Terms, Approved: a.Approved, Now: a.Now, Currency: a.Currency, Credit: a.Credit,
		NewInvoiceID:  func() string { n++; return fmt.Sprintf("in_%d", n) },
		Subscriptions: slices.Clone(a.Subscriptions), Invoices: slices.Clone(a.Invoices),
	}
}

// reloadAccount returns the account as a server loads it for a command.
func (h *transfersHistory) reloadAccount(c randomCommand) *engine.Account {
	a := h.copyAccount(h.account)
	a.Invoices = slices.DeleteFunc(a.Invoices, func(inv engine.Invoice) bool {
		isReturned := inv.Refunded > 0 || inv.Refund != engine.ReturnedPayment{}
		isNeeded := c.needsAllInvoices || inv.ID == c.invoice || inv.Status == billing.InvoiceOpen || isReturned
		return !isNeeded && !slices.ContainsFunc(a.Subscriptions, func(s engine.AccountSubscription) bool {
			return slices.Contains([]string{s.LatestInvoice, s.PrepaidInvoice, s.Pending.Invoice}, inv.ID)
		})
	})
	for i := range a.Invoices {
		a.Invoices[i] = roundTripJSON(h, a.Invoices[i])
	}
	for i := range a.Subscriptions {
		a.Subscriptions[i] = roundTripJSON(h, a.Subscriptions[i])
	}
	return a
}

// roundTripJSON returns the value after it was written as JSON and read again.
func roundTripJSON[T any](t require.TestingT, value T) (out T) {
	text, err := json.Marshal(value)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &out))
	return out
}

// storedValues returns the stored values of an account.
func (h *transfersHistory) storedValues(a *engine.Account) []any {
	return []any{a.Currency, a.Credit, a.Subscriptions, a.Invoices}
}

// requireSameState requires that partialAccount, which has a part of the invoices, is in the same state as the full
// account, and that the other invoices have not changed since initialAccount.
func (h *transfersHistory) requireSameState(initialAccount, partialAccount *engine.Account, name string) {
	require.Equal(h, h.account.Credit, partialAccount.Credit, name)
	require.Equal(h, h.account.Subscriptions, partialAccount.Subscriptions, name)
	requireSameInvoices(h, h.account, initialAccount, partialAccount, name)
}

// requireInvariants requires that money, credit, invoices and subscriptions are consistent.
func (h *transfersHistory) requireInvariants() {
	a := h.account
	credit := h.grantedCredit + h.overpaidCredit - h.paidOutCredit
	openCount := map[string]int{}
	for _, inv := range a.Invoices {
		credit += inv.TotalCredited - inv.CreditUsed - inv.Refund.Withdrawn + appliedDeduction(inv)
		assert.Equal(h, engine.Total(inv.Lines), inv.Total)
		assert.True(h, 0 <= inv.AmountPaid && inv.AmountPaid <= inv.AmountDue, "paid %d of %d", inv.AmountPaid, inv.AmountDue)
		assert.LessOrEqual(h, inv.Refunded, inv.AmountPaid)
		assert.LessOrEqual(h, inv.Credited, inv.AmountPaid)
		if inv.Status != billing.InvoiceVoid {
			assert.Equal(h, inv.Total, inv.AmountDue+inv.CreditUsed)
		}
		if inv.Status == billing.InvoiceOpen {
			openCount[inv.Subscription]++
			assert.Positive(h, inv.AmountRemaining())
		}
	}
	require.Equal(h, credit, a.Credit, "the credit is the granted and overpaid amount less the used amount")
	for _, s := range a.Subscriptions {
		assert.LessOrEqual(h, openCount[s.ID], 1, "open invoices")
		assert.False(h, s.EndsAtPeriodEnd && (s.Pending.Invoice != "" || s.HasScheduledChange()), "both a change and an end")
		assert.False(h, s.Status.Ended() && (s.PrepaidInvoice != "" || s.EndedAt.IsZero()),
			"an ended subscription is prepaid or has no EndedAt")
		assert.Equal(h, s.Status == billing.Trialing, s.PrepaidInvoice != "", "prepaid in a trial only")
	}
}

// drawCommand returns a random command.
func (h *transfersHistory) drawCommand() randomCommand {
	commands := []func() randomCommand{h.subscribe, h.addCredit, h.approve}
	if len(h.account.Subscriptions) > 0 {
		commands = append(commands, h.changePrice, h.changePrice, h.setEnding, h.end, h.extendTrial, h.cancelScheduledChange)
	}
	if len(h.account.Invoices) > 0 {
		commands = append(commands, h.recordPayment, h.recordPayment, h.recordPayment, h.recordRefund, h.payOut, h.void,
			h.cancelPendingChange)
	}
	if len(h.payments) > 0 {
		commands = append(commands, h.reverse)
	}
	return rapid.SampledFrom(commands).Draw(h.T, "command")()
}

// drawPricedPlan returns a random price with its amount.
func drawPricedPlan(t *rapid.T) (catalogue.PriceRef, int64) {
	price := rapid.SampledFrom([]catalogue.PriceRef{monthly, yearly, professionalMonthly}).Draw(t, "price")
	return price, prices[price]
}

func (h *transfersHistory) drawSubscription() engine.AccountSubscription {
	if rapid.Bool().Draw(h.T, "newest subscription") {
		return h.account.Subscriptions[0]
	}
	return rapid.SampledFrom(h.account.Subscriptions).Draw(h.T, "subscription")
}

// drawInvoice returns the newest or another invoice of the account.
func drawInvoice(t *rapid.T, a *engine.Account) engine.Invoice {
	if rapid.Bool().Draw(t, "newest invoice") {
		return a.Invoices[0]
	}
	return rapid.SampledFrom(a.Invoices).Draw(t, "invoice")
}

func (h *transfersHistory) drawAmount(likelyAmount int64) int64 {
	likelyAmount = max(1, likelyAmount)
	amounts := []int64{likelyAmount, likelyAmount, max(1, likelyAmount/2), 1, 1000, 100_000}
	return rapid.SampledFrom(amounts).Draw(h.T, "amount")
}

func (h *transfersHistory) subscribe() randomCommand {
	h.subscriptionCount++
	price, amount := drawPricedPlan(h.T)
	req := engine.SubscribeRequest{
		ID: fmt.Sprintf("sub_%d", h.subscriptionCount), Price: price, Amount: amount,
		TrialDays: rapid.SampledFrom([]int{0, 0, 7, 30}).Draw(h.T, "trial days"),
	}
	return randomCommand{name: "subscribe", apply: func(a *engine.Account) error {
		q, quoteErr := a.QuoteSubscribe(req)
		err := a.Subscribe(req)
		h.requireQuotedResult(a, q, quoteErr, err, a.Approved)
		return err
	}}
}

func (h *transfersHistory) changePrice() randomCommand {
	s := h.drawSubscription()
	price, amount := drawPricedPlan(h.T)
	req := engine.ChangeRequest{
		Subscription: s.ID, From: s.Price, To: price, Amount: amount, EndTrial: s.Status == billing.Trialing,
		AtRenewal: rapid.Bool().Draw(h.T, "at the renewal"),
	}
	return randomCommand{name: "change", apply: func(a *engine.Account) error {
		q, quoteErr := a.QuoteChange(req)
		err := a.ChangePrice(req)
		h.requireQuotedResult(a, q, quoteErr, err, !req.AtRenewal)
		return err
	}}
}

// requireQuotedResult requires that a request and its quote have the same error, and that the invoice of the request has
// the quoted amounts.
func (h *transfersHistory) requireQuotedResult(a *engine.Account, q engine.Quote, quoteErr, err error, isInvoiced bool) {
	require.Equal(h, quoteErr, err)
	if err == nil && isInvoiced {
		requireQuotedInvoice(h, a, q)
	}
}

// requireQuotedInvoice requires that the newest invoice has the quoted lines and amounts.
func requireQuotedInvoice(t require.TestingT, a *engine.Account, q engine.Quote) {
	inv := a.Invoices[0]
	require.Equal(t, []any{q.Lines, q.Total, q.DueNow, q.CreditAfter}, []any{inv.Lines, inv.Total, inv.AmountDue, a.Credit})
}

// requireSameInvoices requires that each invoice has the same values as in partialAccount. Invoices that partialAccount
// lacks must be as in initialAccount.
func requireSameInvoices(t require.TestingT, a, initialAccount, partialAccount *engine.Account, name string) {
	for _, inv := range a.Invoices {
		want := partialAccount.Invoice(inv.ID)
		if want.ID == "" {
			want = initialAccount.Invoice(inv.ID)
		}
		inv.RenewedPeriodStart, want.RenewedPeriodStart = time.Time{}, time.Time{} // stored in a column
		inv.Returns, want.Returns = withoutTimes(inv.Returns), withoutTimes(want.Returns)
		require.Equal(t, want, inv, name)
	}
}

// withoutTimes returns the returns without their times. A step that is performed late returns money late.
func withoutTimes(returns engine.Returns) engine.Returns {
	returns = slices.Clone(returns)
	for i := range returns {
		returns[i].At, returns[i].DecidedAt = time.Time{}, time.Time{}
	}
	return returns
}

func (h *transfersHistory) addCredit() randomCommand {
	amount := aud(h.drawAmount(3900))
	return randomCommand{
		name: "credit", apply: func(a *engine.Account) error { return a.AddCredit(amount) },
		onSuccess: func() { h.grantedCredit += amount.Minor() },
	}
}

func (h *transfersHistory) approve() randomCommand {
	return randomCommand{name: "approve", apply: func(a *engine.Account) error { a.Approve(); return nil }}
}

func (h *transfersHistory) setEnding() randomCommand {
	s, ending := h.drawSubscription(), rapid.Bool().Draw(h.T, "ending")
	return randomCommand{name: "set ending", apply: func(a *engine.Account) error { return a.SetEndAtPeriodEnd(s.ID, ending) }}
}

func (h *transfersHistory) end() randomCommand {
	s, void := h.drawSubscription(), rapid.Bool().Draw(h.T, "void")
	return randomCommand{name: "end", apply: func(a *engine.Account) error { return a.End(s.ID, void) }}
}

func (h *transfersHistory) extendTrial() randomCommand {
	s := h.drawSubscription()
	until := s.TrialEnd.Add(rapid.SampledFrom([]time.Duration{-day, day, 31 * day}).Draw(h.T, "extension"))
	return randomCommand{name: "extend the trial", apply: func(a *engine.Account) error { return a.ExtendTrial(s.ID, until) }}
}

func (h *transfersHistory) cancelScheduledChange() randomCommand {
	s := h.drawSubscription()
	return randomCommand{name: "cancel the scheduled change",
		apply: func(a *engine.Account) error { return a.CancelScheduledChange(s.ID) }}
}

func (h *transfersHistory) cancelPendingChange() randomCommand {
	s, inv := h.drawSubscription(), drawInvoice(h.T, h.account)
	return randomCommand{name: "cancel the pending change", invoice: inv.ID, apply: func(a *engine.Account) error {
		return a.CancelPendingChange(s.ID, inv.ID)
	}}
}

func (h *transfersHistory) recordPayment() randomCommand {
	inv := drawInvoice(h.T, h.account)
	amount := h.drawAmount(inv.AmountRemaining())
	var applied int64
	return randomCommand{
		name: "receive", invoice: inv.ID,
		apply: func(a *engine.Account) error { applied = a.RecordPayment(inv.ID, amount); return nil },
		onSuccess: func() {
			h.overpaidCredit += amount - applied
			h.payments = append(h.payments, transfer{inv.ID, amount, applied})
		},
	}
}

func (h *transfersHistory) recordRefund() randomCommand {
	inv := drawInvoice(h.T, h.account)
	amount := aud(h.drawAmount(inv.AmountPaid))
	return randomCommand{
		name: "refund", needsAllInvoices: true,
		apply:     func(a *engine.Account) error { _, err := a.RecordRefund(inv.ID, amount); return err },
		onSuccess: func() { h.payments = append(h.payments, transfer{inv.ID, -amount.Minor(), -amount.Minor()}) },
	}
}

func (h *transfersHistory) payOut() randomCommand {
	amount := h.drawAmount(h.account.Credit)
	return randomCommand{
		name: "pay out", apply: func(a *engine.Account) error { return a.PayOutCredit(amount) },
		onSuccess: func() { h.paidOutCredit += amount },
	}
}

func (h *transfersHistory) void() randomCommand {
	inv := drawInvoice(h.T, h.account)
	return randomCommand{name: "void", invoice: inv.ID, apply: func(a *engine.Account) error { return a.Void(inv.ID) }}
}

func (h *transfersHistory) reverse() randomCommand {
	i := rapid.IntRange(0, len(h.payments)-1).Draw(h.T, "payment")
	p := h.payments[i]
	return randomCommand{
		name: "reverse", needsAllInvoices: true,
		apply: func(a *engine.Account) error { return a.Reverse(p.invoice, p.amount, p.applied) },
		onSuccess: func() {
			h.payments = slices.Delete(h.payments, i, i+1)
			h.overpaidCredit -= p.amount - p.applied
		},
	}
}
