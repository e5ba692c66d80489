package model

import (
	"errors"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// displayedQuote is a quote that a browser displays, with the state for which it was computed.
type displayedQuote struct {
	app.SignedQuote
	request request // the quoted request, without the quote
	subs    []billing.Subscription
	credit  int64
	// returnedSum is the sum that was refunded or disputed, which can't become credit.
	returnedSum int64
}

// token returns the token of the quote, or "" if q is nil.
func (q *displayedQuote) token() string {
	if q == nil {
		return ""
	}
	return q.Token
}

// instantMargin is the time between the expiry of a quote's instant and the expiry of the quote.
const instantMargin = 9 * time.Minute

// isCurrent reports whether nothing has changed since the quote, and the quoted instant is still valid.
func (q *displayedQuote) isCurrent(state providerState) bool {
	return q == nil || state.now.Before(q.ExpiresAt.Add(-instantMargin)) && state.customer.Credit == q.credit &&
		state.returnedSum == q.returnedSum && assert.ObjectsAreEqual(q.subs, state.subs)
}

// allowConflictIfStale returns the codes and, if the quote is stale, Conflict.
func (q *displayedQuote) allowConflictIfStale(codes []fault.Code, state providerState) []fault.Code {
	if q.isCurrent(state) {
		return codes
	}
	return append(slices.Clone(codes), fault.Conflict)
}

// checkChargedAmount requires that the subscription's latest invoice, if it is new, is for the quoted amount.
func (q *displayedQuote) checkChargedAmount(t *rapid.T, h *harness, initialState providerState, sub billing.Subscription) {
	if q == nil ||
		slices.ContainsFunc(initialState.invoices[sub.ID],
			func(i fakepayment.InvoiceRecord) bool { return i.ID == sub.LatestInvoice.ID }) {
		return
	}
	h.counters["charged as quoted"]++
	assert.Equal(t, q.DueNow.Minor(), sub.LatestInvoice.AmountDue.Minor(), "the quoted amount")
}

// requestQuote requests a quote, and requires that the request changes nothing.
func (h *harness) requestQuote(t *rapid.T) {
	o := h.drawOrg(t)
	initialState, hasPending := h.providerState(t, o), h.hasPendingOperation(t, o)
	var r request = subscribeRequest{price: drawPrice(t), noTrial: rapid.Bool().Draw(t, "without trial")}
	req := app.QuoteRequest{}
	if initialState.liveSub() != nil {
		r = h.drawChange(t)
	}
	switch r := r.(type) {
	case subscribeRequest:
		req.Price, req.NoTrial = newPriceChoice(r.price), r.noTrial
	case changeRequest:
		req.Price, req.When = newPriceChoice(r.price), r.timing
	}
	quote, err := h.drawServer(t).QuotePrice.Do(t.Context(), o.user, req)
	t.Logf("quote: %s: %s, %v", r, quote.DueNow, err)
	finalState := h.providerState(t, o)
	assert.Equal(t, initialState.subs, finalState.subs)
	assert.Equal(t, initialState.customers, finalState.customers)
	assert.Equal(t, initialState.invoices, finalState.invoices)
	if !hasPending && !o.hasUnreportedChange {
		assert.Equal(t, initialState.quoteCode(r), fault.CodeOf(err), "%v", err)
	}
	if err == nil {
		h.counters["quoted"]++
		o.quote = &displayedQuote{
			SignedQuote: quote, request: r, subs: initialState.subs, credit: initialState.customer.Credit,
			returnedSum: initialState.returnedSum,
		}
	}
}

// confirmQuote requests a quote and confirms it immediately.
func (h *harness) confirmQuote(t *rapid.T) {
	h.requestQuote(t)
	if o := h.drawOrg(t); o.quote != nil {
		h.sendAndCheck(t, o, o.confirmRequest())
	}
}

// quoteCode returns the code with which the quote of a request fails, or "".
func (state providerState) quoteCode(r request) fault.Code {
	switch r := r.(type) {
	case subscribeRequest:
		mayPay := state.customer.ID != "" && !state.isProcessing(state.openSub()) && !state.isOnHold() && !state.hasDebt()
		return conflictUnless(mayPay && slices.Contains([]string{"", r.price.Currency}, state.currency()))
	case changeRequest:
		liveSub := state.liveSub()
		isScheduled := r.timing == billing.ChangeAtRenewal && liveSub.Scheduled != nil && liveSub.Scheduled.To == r.price
		return conflictUnless(state.refusalCode(r) == "" && !isScheduled)
	}
	return ""
}

// confirmRequest returns the quoted request with the quote.
func (o *org) confirmRequest() request {
	switch r := o.quote.request.(type) {
	case subscribeRequest:
		r.quote = o.quote
		return r
	case changeRequest:
		r.quote = o.quote
		return r
	}
	return o.quote.request
}

// checkStaleQuote requires that nothing was charged when a quote was refused.
func (h *harness) checkStaleQuote(t *rapid.T, o *org, initialState providerState, err error) {
	if quoteErr := (*app.QuoteError)(nil); errors.As(err, &quoteErr) {
		h.counters["quote refused"]++
		assert.Equal(t, initialState.chargedSum, h.providerState(t, o).chargedSum)
		assert.NotEmpty(t, quoteErr.NewQuote.Token)
	}
}
