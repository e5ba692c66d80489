package paymenttest

import (
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// amountReturned returns how much of what was paid for the invoice was returned.
func (h *history) amountReturned(inv billing.Invoice) int64 {
	if d := h.disputes[inv.ID]; d == billing.DisputeOpen || d == billing.DisputeLost {
		return inv.AmountPaid.Minor()
	}
	return h.refunded[inv.ID]
}

// drawPaid returns a random invoice for which something was paid; ok is false when there is none.
func (h *history) drawPaid() (inv billing.Invoice, ok bool) {
	paid := slices.DeleteFunc(h.invoices(), func(inv billing.Invoice) bool {
		return inv.Status != billing.InvoicePaid || inv.AmountPaid.Minor() == 0
	})
	if len(paid) == 0 {
		return inv, false
	}
	return paid[rapid.IntRange(0, len(paid)-1).Draw(h.T, "invoice")], true
}

// refund refunds a part of what was paid for an invoice.
func (h *history) refund() {
	inv, ok := h.drawPaid()
	if !ok {
		return
	}
	amount := rapid.Int64Range(1, inv.AmountPaid.Minor()).Draw(h.T, "refund")
	_, err := h.Provider.Refund(h.Context(), payment.Refund{Key: newKey(), InvoiceID: inv.ID, Amount: aud(amount)})
	if amount > inv.AmountPaid.Minor()-h.amountReturned(inv) {
		assert.Equal(h, fault.Conflict, fault.CodeOf(err))
		return
	}
	require.NoError(h, err)
	h.refunded[inv.ID] += amount
	h.next = nil
}

// dispute disputes the payment of an invoice, also after a dispute that was won.
func (h *history) dispute() {
	inv, ok := h.drawPaid()
	if d := h.disputes[inv.ID]; !ok || d == billing.DisputeOpen || d == billing.DisputeLost {
		return
	}
	h.Dispute(h.test, inv.ID)
	h.disputes[inv.ID] = billing.DisputeOpen
	h.next = nil
	assert.Equal(h, billing.HoldDisputed, h.customer().Hold)
}

// closeDispute ends an open dispute.
func (h *history) closeDispute() {
	for _, inv := range h.invoices() {
		if h.disputes[inv.ID] != billing.DisputeOpen {
			continue
		}
		won := rapid.Bool().Draw(h.T, "won")
		h.CloseDispute(h.test, inv.ID, won)
		h.disputes[inv.ID] = map[bool]billing.DisputeStatus{true: billing.DisputeWon, false: billing.DisputeLost}[won]
		h.next = nil
		return
	}
}

func (h *history) liftHold() {
	before := h.customer()
	after, err := h.Provider.LiftHold(h.Context(), payment.HoldLift{Key: newKey(), CustomerID: h.customerID})
	require.NoError(h, err)
	assert.Equal(h, before.Credit.Minor()+before.HeldCredit.Minor(), after.Credit.Minor())
	assert.Equal(h, billing.NoHold, after.Hold)
	h.next = nil
}

// checkReturned checks the reported returned payments and returns how much was returned and withdrawn.
func (h *history) checkReturned(invoices []billing.Invoice) (returned, withdrawn int64) {
	all, err := h.Provider.ReturnedPayments(h.Context(), h.customerID)
	require.NoError(h, err)
	h.recordBankReturns(invoices, all)
	for _, inv := range invoices {
		returned += h.amountReturned(inv)
	}
	var reported int64
	for _, p := range all {
		reported += p.Amount.Minor()
		withdrawn += p.Withdrawn.Minor()
		assert.LessOrEqual(h, p.Withdrawn.Minor()+p.Spent.Minor(), p.Amount.Minor())
	}
	assert.Equal(h, returned, reported, "the reported returned payments")
	return returned, withdrawn
}
