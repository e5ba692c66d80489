package model

import (
	"context"
	"fmt"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// payRequest pays the invoice that was open when the request was drawn.
type payRequest struct {
	invoiceID   string
	amount      int64
	cardID      string // "" for the default card
	makeDefault bool
}

func (r payRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	sub, err := s.PayOpenInvoice.Do(ctx, user, app.PayRequest{
		InvoiceID: r.invoiceID, Amount: r.amount, MethodID: r.cardID, MakeDefault: r.makeDefault,
	})
	return response{sub: sub}, err
}

func (r payRequest) String() string {
	return fmt.Sprintf("pay %d of %s with card %q, default: %t", r.amount, r.invoiceID, r.cardID, r.makeDefault)
}

// openPayment returns the payment that the organisation has to make, or nil.
func (state providerState) openPayment() *billing.OpenPayment {
	a := billing.Account{OwingSubscriptionID: state.account.OwingSubscriptionID}
	a.RecordSubscriptions(state.subs...)
	return a.OpenPayment()
}

// isPaid reports whether the invoice of the request is the latest invoice of a subscription, and is paid.
func (state providerState) isPaid(r payRequest) bool {
	for _, sub := range state.subs {
		inv := sub.LatestInvoice
		if inv != nil && inv.ID == r.invoiceID && inv.Status == billing.InvoicePaid {
			return true
		}
	}
	return false
}

func (h *harness) drawPay(t *rapid.T, o *org) payRequest {
	r := payRequest{invoiceID: "in_unknown", amount: 100, makeDefault: rapid.Bool().Draw(t, "makes default")}
	if payment := h.providerState(t, o).openPayment(); payment != nil {
		r.invoiceID, r.amount = payment.InvoiceID, payment.Amount.Minor()
	} else if processingSub := h.providerState(t, o).processingSubscription(); processingSub != nil {
		r.invoiceID, r.amount = processingSub.LatestInvoice.ID, processingSub.LatestInvoice.AmountRemaining().Minor()
	}
	if rapid.Bool().Draw(t, "with a card") {
		r.cardID = h.drawCard(t, o)
	}
	return r
}

func (r payRequest) expectedCodes(o *org, state providerState) []fault.Code {
	payment := state.openPayment()
	switch {
	case state.isPaid(r):
		return []fault.Code{""}
	case state.processingSubscription() != nil:
		return []fault.Code{conflictUnless(state.processingSubscription().LatestInvoice.ID == r.invoiceID)}
	case payment == nil, payment.Kind == billing.Authentication, payment.InvoiceID != r.invoiceID, payment.Amount.Minor() != r.amount:
		return []fault.Code{fault.Conflict}
	case r.cardID != "" && saveCardCode(o, state, r.cardID) != "":
		return []fault.Code{saveCardCode(o, state, r.cardID)}
	case r.cardID == "" && payCode(state, state.customer.DefaultCardID) != "":
		return []fault.Code{fault.Invalid}
	}
	return []fault.Code{"", fault.RateLimited} // at the fourth charge of the invoice with the card
}

func (r payRequest) checkSuccess(t *rapid.T, h *harness, o *org, initialState providerState, resp response) {
	if initialState.isPaid(r) {
		return
	}
	if initialState.processingSubscription() != nil {
		h.checkNotChargedAgain(t, o, initialState, resp.sub)
		return
	}
	h.counters["paid"]++
	finalState := h.providerState(t, o)
	cardID := r.cardID
	if cardID == "" {
		cardID = initialState.customer.DefaultCardID
	}
	// A renewal that became due meanwhile may have added an invoice.
	assert.Equal(t, cardID, finalState.chargedCards[r.invoiceID], "the card that was charged")
	payment := initialState.openPayment()
	isPaidNow := initialState.statusAfterCharge(o, cardID) == billing.Active
	if payment.Kind == billing.OwedPayment {
		h.counters["owed invoice tried"]++
		assert.Equal(t, billing.Canceled, resp.sub.Status, "the payment does not revive the subscription")
		assert.Equal(t, isPaidNow, resp.sub.LatestInvoice.Status == billing.InvoicePaid)
		assert.Equal(t, !isPaidNow, finalState.hasDebt())
	} else if isPaidNow {
		assert.Equal(t, billing.Active, resp.sub.Status)
		assert.Nil(t, resp.sub.Pending)
		assert.Equal(t, payment.Price, resp.sub.Price)
	} else if payment.Kind == billing.PlanChangePayment {
		want := *initialState.liveSub().Pending
		if finalState.isChangeProcessing() {
			want.ExpiresAt = time.Time{}
		}
		assert.Equal(t, &want, resp.sub.Pending)
		h.checkUnchanged(t, initialState, finalState)
	}
	wantDefault := initialState.customer.DefaultCardID
	if r.makeDefault && resp.sub.Next.Kind != billing.NewPaymentMethod {
		wantDefault = cardID
	}
	assert.Equal(t, wantDefault, finalState.customer.DefaultCardID)
}

// cancelPendingRequest cancels a pending plan change.
type cancelPendingRequest struct{}

func (cancelPendingRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	sub, err := s.CancelPendingChange.Do(ctx, user)
	return response{sub: sub}, err
}

func (cancelPendingRequest) String() string { return "cancel the pending change" }

func (cancelPendingRequest) expectedCodes(_ *org, state providerState) []fault.Code {
	if state.liveSub() == nil {
		return []fault.Code{fault.Conflict}
	}
	return []fault.Code{state.stopChangeCode()}
}

func (cancelPendingRequest) checkSuccess(t *rapid.T, h *harness, o *org, initialState providerState, resp response) {
	finalState := h.providerState(t, o)
	require.NotNil(t, finalState.liveSub())
	assert.Nil(t, resp.sub.Pending)
	assert.Nil(t, finalState.liveSub().Pending)
	if pendingChange := initialState.liveSub().Pending; pendingChange != nil {
		h.counters["change canceled"]++
		assert.Equal(t, pendingChange.Replaces, finalState.liveSub().Scheduled)
		assert.Equal(t, initialState.liveSub().Price, finalState.liveSub().Price)
		assert.Equal(t, initialState.liveSub().CurrentPeriodEnd, finalState.liveSub().CurrentPeriodEnd)
		assert.Equal(t, initialState.invoices[initialState.liveSub().ID][1:], finalState.invoices[finalState.liveSub().ID][1:])
	}
}
