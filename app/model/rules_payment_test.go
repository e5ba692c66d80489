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
		r.invoiceID, r.amount = processingSub.LatestInvoice.ID, processingSub.LatestInvoice.Remaining().Minor()
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

func (r payRequest) checkSuccess(t *rapid.T, h *harness, o *org, before providerState, got response) {
	if before.isPaid(r) {
		return
	}
	if before.processingSubscription() != nil {
		h.checkNotChargedAgain(t, o, before, got.sub)
		return
	}
	h.counters["paid"]++
	after := h.providerState(t, o)
	cardID := r.cardID
	if cardID == "" {
		cardID = before.customer.DefaultCardID
	}
	assert.Equal(t, cardID, after.intents[got.sub.ID].CardID, "the card that was charged")
	payment := before.openPayment()
	isPaidNow := before.statusAfterCharge(o, cardID) == billing.Active
	if payment.Kind == billing.OwedPayment {
		h.counters["owed bill tried"]++
		assert.Equal(t, billing.Canceled, got.sub.Status, "the payment does not revive the subscription")
		assert.Equal(t, isPaidNow, got.sub.LatestInvoice.Status == billing.InvoicePaid)
		assert.Equal(t, !isPaidNow, after.hasDebt())
	} else if isPaidNow {
		assert.Equal(t, billing.Active, got.sub.Status)
		assert.Nil(t, got.sub.Pending)
		assert.Equal(t, payment.Price, got.sub.Price)
	} else if payment.Kind == billing.PlanChangePayment {
		want := *before.live().Pending
		if after.isChangeProcessing() {
			want.ExpiresAt = time.Time{}
		}
		assert.Equal(t, &want, got.sub.Pending)
		h.checkUnchanged(t, before, after)
	}
	wantDefault := before.customer.DefaultCardID
	if r.makeDefault && got.sub.Next.Kind != billing.NewPaymentMethod {
		wantDefault = cardID
	}
	assert.Equal(t, wantDefault, after.customer.DefaultCardID)
}

// cancelPendingRequest cancels a pending plan change.
type cancelPendingRequest struct{}

func (cancelPendingRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	sub, err := s.CancelPendingChange.Do(ctx, user)
	return response{sub: sub}, err
}

func (cancelPendingRequest) String() string { return "cancel the pending change" }

func (cancelPendingRequest) expectedCodes(_ *org, state providerState) []fault.Code {
	if state.live() == nil {
		return []fault.Code{fault.Conflict}
	}
	return []fault.Code{state.stopCode()}
}

func (cancelPendingRequest) checkSuccess(t *rapid.T, h *harness, o *org, before providerState, got response) {
	after := h.providerState(t, o)
	require.NotNil(t, after.live())
	assert.Nil(t, got.sub.Pending)
	assert.Nil(t, after.live().Pending)
	if pendingChange := before.live().Pending; pendingChange != nil {
		h.counters["change canceled"]++
		assert.Equal(t, pendingChange.Replaces, after.live().Scheduled)
		assert.Equal(t, before.live().Price, after.live().Price)
		assert.Equal(t, before.live().CurrentPeriodEnd, after.live().CurrentPeriodEnd)
		assert.Equal(t, before.invoices[before.live().ID][1:], after.invoices[after.live().ID][1:])
	}
}
