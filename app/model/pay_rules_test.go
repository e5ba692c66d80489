package model

import (
	"context"
	"fmt"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// pay pays what was open when the request was drawn.
type pay struct {
	invoiceID   string
	amount      int64
	cardID      string // "" for the default card
	makeDefault bool
}

func (r pay) do(ctx context.Context, s *app.UseCases, who identity.Identity) (answer, error) {
	sub, err := s.PayOpenInvoice.Do(ctx, who, app.PayRequest{
		InvoiceID: r.invoiceID, Amount: r.amount, CardID: r.cardID, MakeDefault: r.makeDefault,
	})
	return answer{sub: sub}, err
}

func (r pay) String() string {
	return fmt.Sprintf("pay %d of %s with card %q, default: %t", r.amount, r.invoiceID, r.cardID, r.makeDefault)
}

// open is what the organisation has to pay.
func (w truth) openPayment() *billing.OpenPayment {
	var a billing.Account
	a.Record(w.subs...)
	return a.OpenPayment()
}

// settled reports whether the invoice is the latest one of a subscription and paid.
func (w truth) settled(r pay) bool {
	for _, sub := range w.subs {
		inv := sub.LatestInvoice
		if inv != nil && inv.ID == r.invoiceID && inv.Status == billing.InvoicePaid && inv.AmountDue.Minor() == r.amount {
			return true
		}
	}
	return false
}

func (h *house) somePay(t *rapid.T, o *org) pay {
	r := pay{invoiceID: "in_unknown", amount: 100, makeDefault: rapid.Bool().Draw(t, "makes default")}
	if open := h.truth(t, o).openPayment(); open != nil {
		r.invoiceID, r.amount = open.InvoiceID, open.Amount.Minor()
	}
	if rapid.Bool().Draw(t, "brings a card") {
		r.cardID = h.someCard(t, o)
	}
	return r
}

func (r pay) refused(o *org, w truth) []fault.Code {
	open := w.openPayment()
	switch {
	case w.settled(r):
		return []fault.Code{""}
	case open == nil, open.Kind == billing.Authentication, open.InvoiceID != r.invoiceID, open.Amount.Minor() != r.amount:
		return []fault.Code{fault.Conflict}
	case r.cardID != "" && unsavable(o, w, r.cardID) != "":
		return []fault.Code{unsavable(o, w, r.cardID)}
	case r.cardID == "" && payable(w, w.customer.Default) != "":
		return []fault.Code{fault.Invalid}
	}
	return []fault.Code{"", fault.RateLimited} // at the fourth charge of the invoice with the card
}

func (r pay) done(t *rapid.T, h *house, o *org, before truth, reply answer) {
	if before.settled(r) {
		return
	}
	h.tally["paid"]++
	after := h.truth(t, o)
	card := r.cardID
	if card == "" {
		card = before.customer.Default
	}
	assert.Equal(t, card, after.intents[reply.sub.ID].Card, "the card that was charged")
	open := before.openPayment()
	if before.charges(o, card) == billing.Active {
		assert.Equal(t, billing.Active, reply.sub.Status)
		assert.Nil(t, reply.sub.Pending)
		assert.Equal(t, open.Price, reply.sub.Price)
	} else if open.Kind == billing.PlanChangePayment {
		assert.Equal(t, before.live().Pending, reply.sub.Pending)
		h.keeps(t, before, after)
	}
	if open.Kind == billing.PlanChangePayment {
		o.makers = nil
	}
	want := before.customer.Default
	if r.makeDefault && reply.sub.Next.Kind != billing.NewPaymentMethod {
		want = card
	}
	assert.Equal(t, want, after.customer.Default)
}

// drop drops a pending change.
type drop struct{}

func (drop) do(ctx context.Context, s *app.UseCases, who identity.Identity) (answer, error) {
	sub, err := s.CancelPendingChange.Do(ctx, who)
	return answer{sub: sub}, err
}

func (drop) String() string { return "drop the pending change" }

func (drop) refused(_ *org, w truth) []fault.Code {
	if w.live() == nil {
		return []fault.Code{fault.Conflict}
	}
	return []fault.Code{""}
}

func (drop) done(t *rapid.T, h *house, o *org, before truth, reply answer) {
	after := h.truth(t, o)
	require.NotNil(t, after.live())
	assert.Nil(t, reply.sub.Pending)
	assert.Nil(t, after.live().Pending)
	if before.live().Pending != nil {
		h.tally["dropped"]++
		assert.Equal(t, before.live().Price, after.live().Price)
		assert.Equal(t, before.live().CurrentPeriodEnd, after.live().CurrentPeriodEnd)
		assert.Equal(t, before.invoices[before.live().ID][1:], after.invoices[after.live().ID][1:])
	}
}
