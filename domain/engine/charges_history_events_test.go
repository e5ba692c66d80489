package engine_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
)

func (h *chargesHistory) saveMethod() {
	h.keyCount++
	req := engine.SaveMethodRequest{Key: fmt.Sprintf("key_%d", h.keyCount), Source: h.drawSource(),
		KeepDefault: rapid.Bool().Draw(h.T, "keep default")}
	_ = h.apply(event{name: "save a method", apply: func(a *engine.Account) error { return a.SaveMethod(req) }})
}

func (h *chargesHistory) removeMethod() {
	ref := h.drawSource().Method
	_ = h.apply(event{name: "remove a method", apply: func(a *engine.Account) error { return a.RemoveMethod(ref) }})
}

func (h *chargesHistory) pay() {
	inv := drawInvoice(h.T, h.account)
	s, err := h.account.Subscription(inv.Subscription)
	require.NoError(h, err)
	p := engine.PayRequest{Invoice: inv.ID, Amount: inv.AmountRemaining(), SubscriptionEnded: s.Status.Ended(),
		Source: h.drawSource()}
	_ = h.apply(event{name: "pay", invoice: inv.ID, apply: func(a *engine.Account) error { return a.Pay(p) }})
}

func (h *chargesHistory) endSubscription() {
	s, void := rapid.SampledFrom(h.account.Subscriptions).Draw(h.T, "subscription"), rapid.Bool().Draw(h.T, "void")
	_ = h.apply(event{name: "end", apply: func(a *engine.Account) error { return a.End(s.ID, void) }})
}

func (h *chargesHistory) setEnding() {
	s, ending := rapid.SampledFrom(h.account.Subscriptions).Draw(h.T, "subscription"), rapid.Bool().Draw(h.T, "ending")
	_ = h.apply(event{name: "set ending", apply: func(a *engine.Account) error { return a.SetEndAtPeriodEnd(s.ID, ending) }})
}

func (h *chargesHistory) cancelPendingChange() {
	s := rapid.SampledFrom(h.account.Subscriptions).Draw(h.T, "subscription")
	_ = h.apply(event{name: "cancel the change", invoice: s.Pending.Invoice, apply: func(a *engine.Account) error {
		return a.CancelPendingChange(s.ID, s.Pending.Invoice)
	}})
}

func (h *chargesHistory) requestRefund() {
	inv := drawInvoice(h.T, h.account)
	h.refundCount++
	key, amount := fmt.Sprintf("refund_%d", h.refundCount),
		aud(rapid.SampledFrom([]int64{1, 1000, max(1, inv.AmountPaid)}).Draw(h.T, "amount"))
	_ = h.apply(event{name: "refund", invoice: inv.ID, needsAllInvoices: true, apply: func(a *engine.Account) error {
		_, err := a.RequestRefund(key, inv.ID, amount)
		return err
	}})
}

func (h *chargesHistory) liftHold() {
	_ = h.apply(event{name: "lift the hold", apply: func(a *engine.Account) error { a.LiftHold(); return nil }})
}

// makeUnreliableRequests makes the due requests. They can arrive late, and their responses can get lost.
func (h *chargesHistory) makeUnreliableRequests() {
	for len(h.provider.requests) > 0 && rapid.Bool().Draw(h.T, "a request arrives") {
		req := h.provider.requests[0]
		h.provider.requests = h.provider.requests[1:]
		if !h.account.Now.After(req.until) {
			h.provider.beginPayment(req.attempt, h.account.Now)
		}
	}
	outbox := h.account.Outbox()
	for _, attempt := range outbox.Send {
		h.send(attempt)
	}
	for _, attempt := range outbox.Find {
		h.find(attempt.Key)
	}
	for _, attempt := range outbox.Cancel {
		if p := h.provider.payment(attempt.Key); p != nil {
			h.provider.cancel(p, h.account.Now)
			h.reportState(attempt.Key, p.report())
		}
	}
	for _, r := range outbox.Refund {
		h.sendRefund(r)
	}
	for _, ref := range outbox.RemovedMethods {
		_ = h.apply(event{name: "forgotten",
			apply: func(a *engine.Account) error { a.ReportMethodDeleted(ref); return nil }})
	}
}

func (h *chargesHistory) send(attempt engine.Attempt) {
	sendBy := h.account.Now.Add(15 * time.Second)
	err := h.apply(event{name: "claim", attempt: attempt.Key, apply: func(a *engine.Account) error {
		_, err := a.Claim(attempt.Key, a.Now, sendBy)
		return err
	}})
	if fault.Is(err, fault.Conflict) {
		return // the report of another attempt has canceled it
	}
	require.NoError(h, err)
	switch rapid.SampledFrom([]string{"ok", "ok", "ok", "response lost", "late", "lost"}).Draw(h.T, "request") {
	case "ok":
		h.reportState(attempt.Key, h.provider.beginPayment(attempt, h.account.Now).report())
	case "response lost":
		h.provider.beginPayment(attempt, h.account.Now)
	case "late":
		h.provider.requests = append(h.provider.requests, providerRequest{attempt, sendBy.Add(longestRequest)})
	}
}

func (h *chargesHistory) sendRefund(r engine.RefundAttempt) {
	err := h.apply(event{name: "claim a refund", attempt: r.PaymentKey, apply: func(a *engine.Account) error {
		_, _, err := a.ClaimRefund(r.Key, a.Now, a.Now.Add(15*time.Second))
		return err
	}})
	if fault.Is(err, fault.Conflict) {
		return // a report has completed it, or its key expires before it would be sent
	}
	require.NoError(h, err)
	p := h.provider.payment(r.PaymentKey)
	if rapid.IntRange(0, 3).Draw(h.T, "refund lost") == 0 {
		return
	}
	result := h.provider.refund(p, r.Key, r.Amount)
	if rapid.IntRange(0, 3).Draw(h.T, "response lost") > 0 {
		err := h.apply(event{name: "report a refund", attempt: r.PaymentKey, needsAllInvoices: true,
			apply: func(a *engine.Account) error { return a.ReportRefund(result) }})
		require.NoError(h, err)
	}
}

func (h *chargesHistory) find(key string) {
	if p := h.provider.payment(key); p != nil {
		h.reportState(key, p.report())
		return
	}
	err := h.apply(event{name: "missing", attempt: key,
		apply: func(a *engine.Account) error { return a.ReportMissing(key) }})
	require.NoError(h, err)
}

func (h *chargesHistory) reportState(key string, r engine.PaymentReport) {
	err := h.apply(event{name: "report " + string(r.State), attempt: key, needsAllInvoices: true,
		apply: func(a *engine.Account) error { return a.ReportPayment(key, r) }})
	require.NoError(h, err)
}

// report reports the current or an earlier state of a payment.
func (h *chargesHistory) report() {
	if len(h.provider.payments) > 0 {
		p := rapid.SampledFrom(h.provider.payments).Draw(h.T, "payment")
		r := rapid.SampledFrom(p.states).Draw(h.T, "state")
		r.Refunds = slices.Clone(p.refunds)
		r.Disputes = rapid.SampledFrom(append(slices.Clone(p.oldDisputes), p.disputes)).Draw(h.T, "disputes")
		h.reportState(p.key, r)
	}
}

func (h *chargesHistory) changePaymentState() {
	if len(h.provider.payments) == 0 {
		return
	}
	p := rapid.SampledFrom(h.provider.payments).Draw(h.T, "payment")
	canChange := p.state() == engine.AttemptPaid || p.state() == engine.AttemptReturned && len(p.disputes) > 0
	if canChange && p.amount > 0 && rapid.IntRange(0, 2).Draw(h.T, "dispute") == 0 {
		h.provider.changeDispute(p, h.account.Now)
		return
	}
	h.provider.changeState(p, h.account.Now)
	isRefunded := rapid.IntRange(0, 9).Draw(h.T, "refund by hand") == 0
	if p.state() == engine.AttemptPaid && isRefunded && p.receivedAmount() > 0 {
		p.refunds = append(p.refunds, engine.RefundReport{
			Ref: fmt.Sprintf("hand_%s_%d", p.key, len(p.refunds)), Amount: 1, State: engine.AttemptPaid,
		})
	}
}

// completeEverything advances the time by 120 days and makes and reports everything that is due. Then it asserts that
// the account agrees with the provider.
func (h *chargesHistory) completeEverything() {
	h.isCompleting = true
	for range 40 {
		h.advance(3 * day)
		h.provider.completeDuePayments(h.account.Now)
		for range 3 {
			h.makeReliableRequests()
		}
	}
	for _, attempt := range h.account.Attempts {
		p := h.provider.payment(attempt.Key)
		if p == nil {
			assert.Contains(h, []engine.AttemptState{engine.AttemptFailed, engine.AttemptCanceled, engine.AttemptStored},
				attempt.State, "the attempt was never sent")
			continue
		}
		if attempt.Amount > 0 {
			assert.Equal(h, p.state(), attempt.State, attempt.Key)
		}
	}
	h.assertMoneyAddsUp()
	for _, s := range h.account.Subscriptions {
		assert.NotEqual(h, billing.Incomplete, s.Status, "an order is still open after 120 days")
		assert.Empty(h, s.StopRequest)
		if s.Status != billing.PastDue && s.Status.Live() && !s.PaymentProcessing {
			assert.True(h, s.PeriodEnd.After(h.account.Now), "the period ended on %v, and it is %v", s.PeriodEnd,
				h.account.Now)
		}
	}
}

// makeReliableRequests makes all due requests without losing any, and reports every payment.
func (h *chargesHistory) makeReliableRequests() {
	h.provider.requests = nil
	outbox := h.account.Outbox()
	for _, attempt := range outbox.Send {
		err := h.apply(event{name: "claim", attempt: attempt.Key, apply: func(a *engine.Account) error {
			_, err := a.Claim(attempt.Key, a.Now, a.Now.Add(15*time.Second))
			return err
		}})
		if fault.Is(err, fault.Conflict) {
			continue // the report of another attempt has canceled it
		}
		require.NoError(h, err)
		h.provider.beginPayment(attempt, h.account.Now)
	}
	for _, attempt := range outbox.Cancel {
		h.provider.cancel(h.provider.payment(attempt.Key), h.account.Now)
	}
	for _, r := range outbox.Refund {
		h.sendRefund(r)
	}
	for _, attempt := range outbox.Find {
		h.find(attempt.Key)
	}
	h.reportChanges()
}

// reportChanges completes the refunds and reports every payment that has changed.
func (h *chargesHistory) reportChanges() {
	for _, p := range h.provider.payments {
		for i := range p.refunds {
			if p.refunds[i].State == engine.AttemptProcessing {
				p.refunds[i].State = engine.AttemptPaid
			}
		}
		attempt, err := h.account.Attempt(p.key)
		require.NoError(h, err)
		if r := p.report(); attempt.State != r.State || len(r.Refunds)+len(r.Disputes) > 0 {
			h.reportState(p.key, r)
		}
	}
}

// assertMoneyAddsUp asserts that the invoices and the surplus add up to the money at the provider.
func (h *chargesHistory) assertMoneyAddsUp() {
	var providerMoney, accountMoney int64
	for _, p := range h.provider.payments {
		providerMoney += p.receivedAmount()
	}
	for _, inv := range h.account.Invoices {
		accountMoney += inv.AmountPaid - inv.Refund.Amount - inv.Dispute.Amount
	}
	for _, attempt := range h.account.Attempts {
		accountMoney += attempt.Surplus
	}
	assert.Equal(h, providerMoney, accountMoney, "the amount that was paid and not returned")
}
