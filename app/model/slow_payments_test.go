package model

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// isProcessing reports whether the payment of the subscription's latest invoice is processing.
func (state providerState) isProcessing(s *billing.Subscription) bool {
	return s != nil && s.LatestInvoice.Status == billing.InvoiceOpen && state.intents[s.ID].Status == billing.Processing
}

// processingSubscription returns the subscription whose payment is processing, or nil.
func (state providerState) processingSubscription() *billing.Subscription {
	for i := range state.subs {
		if s := &state.subs[i]; state.isProcessing(s) && s.Status != billing.Unpaid {
			return s
		}
	}
	return nil
}

// isChangeProcessing reports whether the payment of the pending change is processing.
func (state providerState) isChangeProcessing() bool {
	liveSub := state.liveSub()
	return liveSub != nil && liveSub.Pending != nil && state.isProcessing(liveSub)
}

// startedSubscription returns the subscription that is live or whose first payment is processing, or nil. When the
// request that created this subscription is repeated, it returns the subscription again.
func (state providerState) startedSubscription() *billing.Subscription {
	if openSub := state.openSub(); state.isProcessing(openSub) {
		return openSub
	}
	return state.liveSub()
}

// payFromBankAccount pays the open invoice, a plan change, the renewal or a new subscription from a bank account.
// Another request may follow before the payment has arrived or failed.
func (h *harness) payFromBankAccount(t *rapid.T) {
	h.completeDelayedCalls()
	o := h.drawOrg(t)
	state := h.providerState(t, o)
	if state.customer.ID == "" || h.hasPendingOperation(t, o) || state.processingSubscription() != nil {
		t.Skip("nothing to pay")
	}
	h.addDefaultCard(t, o, state.customer.ID, rapid.SampledFrom(bankAccountNumbers).Draw(t, "account"))
	switch liveSub := state.liveSub(); {
	case state.openPayment() != nil:
		r := h.drawPay(t, o)
		r.cardID = ""
		h.sendAndCheck(t, o, r)
	case liveSub == nil:
		h.sendAndCheck(t, o, subscribeRequest{price: drawPrice(t), noTrial: true})
	case rapid.Bool().Draw(t, "at the renewal"):
		h.advanceBy(t, max(0, liveSub.CurrentPeriodEnd.Sub(state.now)))
	default:
		h.sendAndCheck(t, o, changeRequest{price: drawPrice(t)})
	}
	if rapid.Bool().Draw(t, "another request") {
		h.sendAndCheck(t, o, h.drawRequest(t, o))
	}
	h.completeDelayedCalls()
	h.advanceBy(t, rapid.SampledFrom([]time.Duration{time.Hour, 3 * day, 10 * day}).Draw(t, "until"))
}

// checkNotChargedAgain requires that the response reports the processing payment, and that nothing has changed.
func (h *harness) checkNotChargedAgain(t *rapid.T, o *org, initialState providerState, responseSub billing.Subscription) {
	h.counters["processing payment reported"]++
	finalState := h.providerState(t, o)
	require.Equal(t, initialState.processingSubscription().ID, responseSub.ID)
	require.Equal(t, billing.Wait, responseSub.Next.Kind)
	require.Equal(t, initialState.intents, finalState.intents)
	require.Equal(t, initialState.subs, finalState.subs)
}

// advanceBy moves the clock. It records whether the customer's bank has returned payments in this time, because only
// events report returned payments.
func (h *harness) advanceBy(t *rapid.T, d time.Duration) {
	initialStates := make([]providerState, len(h.orgs))
	for i, o := range h.orgs {
		initialStates[i] = h.providerState(t, o)
	}
	h.Advance(d)
	require.NoError(t, h.Provider.Tick(t.Context()))
	for i, o := range h.orgs {
		finalState := h.providerState(t, o)
		if finalState.bankReturnTotal() > initialStates[i].bankReturnTotal() {
			h.counters["returned by the bank"]++
			o.hasUnreportedChange = true
		}
		h.countFinishedPayments(initialStates[i], finalState)
	}
	h.queueEvents()
}

// bankReturnTotal returns a number that increases with each payment that the customer's bank returns.
func (state providerState) bankReturnTotal() (n int64) {
	for _, invoices := range state.invoices {
		for _, inv := range invoices {
			n += inv.Returned
			if inv.Disputed {
				n++
			}
		}
	}
	return n
}

// countFinishedPayments counts the payments that were processing before and have arrived or failed since.
func (h *harness) countFinishedPayments(initialState, finalState providerState) {
	for id, previousIntent := range initialState.intents {
		currentIntent, isLatest := finalState.intents[id]
		switch {
		case previousIntent.Status != billing.Processing || !isLatest || previousIntent.ID != currentIntent.ID:
		case currentIntent.Status == billing.Succeeded:
			h.counters["arrived"]++
		case currentIntent.Status == billing.RequiresPaymentMethod:
			h.counters["failed late"]++
		}
	}
}

// stopChangeCode returns the code with which the cancellation of the pending change fails, or "". It is Conflict while
// the payment of the pending change is processing, because a processing payment can't be stopped.
func (state providerState) stopChangeCode() fault.Code {
	return conflictUnless(!state.isChangeProcessing())
}

// isProcessingInvoice reports whether the payment of the invoice is processing.
func (state providerState) isProcessingInvoice(id string) bool {
	for i := range state.subs {
		if s := &state.subs[i]; s.LatestInvoice.ID == id {
			return s.Status != billing.Unpaid && state.isProcessing(s)
		}
	}
	return false
}

// expectedStartCounts returns the possible numbers of reported starts of a live subscription. A start is reported after
// each reported end, when the invoice is paid. One more start may be reported if the first payment took days.
func (o *org) expectedStartCounts(endCount int) []int {
	if slices.ContainsFunc(o.cards, card.isBankAccount) {
		return []int{endCount, endCount + 1}
	}
	return []int{endCount}
}

func (c card) isBankAccount() bool {
	return slices.Contains(bankAccountNumbers, c.number)
}
