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

// returnedAmount returns the part of the paid amount of the invoice that was refunded or is lost to a dispute.
func (h *history) returnedAmount(inv billing.Invoice) int64 {
	if d := h.disputes[inv.ID]; d == billing.DisputeOpen || d == billing.DisputeLost {
		return inv.AmountPaid.Minor()
	}
	return h.refunds[inv.ID]
}

// drawPaidInvoice returns a random paid invoice whose amount is not zero. ok is false if there is none.
func (h *history) drawPaidInvoice() (inv billing.Invoice, ok bool) {
	invoices := slices.DeleteFunc(h.invoices(), func(inv billing.Invoice) bool {
		return inv.Status != billing.InvoicePaid || inv.AmountPaid.Minor() == 0
	})
	if len(invoices) == 0 {
		return inv, false
	}
	return invoices[rapid.IntRange(0, len(invoices)-1).Draw(h.T, "invoice")], true
}

// refund refunds a part of the payment of an invoice.
func (h *history) refund() {
	inv, ok := h.drawPaidInvoice()
	if !ok {
		return
	}
	amount := rapid.Int64Range(1, inv.AmountPaid.Minor()).Draw(h.T, "refund")
	_, err := h.Provider.Refund(h.Context(), payment.RefundRequest{Key: newKey(), InvoiceID: inv.ID, Amount: aud(amount)})
	if amount > inv.AmountPaid.Minor()-h.returnedAmount(inv) {
		assert.Equal(h, fault.Conflict, fault.CodeOf(err))
		return
	}
	require.NoError(h, err)
	h.refunds[inv.ID] += amount
	h.nextCharge = nil
}

// dispute disputes the payment of an invoice. It may choose a payment whose earlier dispute was won.
func (h *history) dispute() {
	inv, ok := h.drawPaidInvoice()
	if d := h.disputes[inv.ID]; !ok || d == billing.DisputeOpen || d == billing.DisputeLost {
		return
	}
	h.Dispute(h.harnessT, inv.ID)
	h.disputes[inv.ID] = billing.DisputeOpen
	h.nextCharge = nil
	assert.Equal(h, billing.HoldDisputed, h.customer().Hold)
}

// closeDispute ends an open dispute.
func (h *history) closeDispute() {
	for _, inv := range h.invoices() {
		if h.disputes[inv.ID] != billing.DisputeOpen {
			continue
		}
		won := rapid.Bool().Draw(h.T, "won")
		h.CloseDispute(h.harnessT, inv.ID, won)
		h.disputes[inv.ID] = map[bool]billing.DisputeStatus{true: billing.DisputeWon, false: billing.DisputeLost}[won]
		h.nextCharge = nil
		return
	}
}

func (h *history) liftHold() {
	customer := h.customer()
	updatedCustomer, err := h.Provider.LiftHold(h.Context(), payment.HoldLift{Key: newKey(), CustomerID: h.customerID})
	require.NoError(h, err)
	assert.Equal(h, customer.Credit.Minor()+customer.HeldCredit.Minor(), updatedCustomer.Credit.Minor())
	assert.Equal(h, billing.NoHold, updatedCustomer.Hold)
	h.nextCharge = nil
}

// checkReturnedPayments checks the payments that the provider reports as returned, and returns the sums that were returned
// and withdrawn.
func (h *history) checkReturnedPayments(invoices []billing.Invoice) (returnedSum, withdrawnSum int64) {
	payments, err := h.Provider.ReturnedPayments(h.Context(), h.customerID)
	require.NoError(h, err)
	h.recordBankReturns(invoices, payments)
	for _, inv := range invoices {
		returnedSum += h.returnedAmount(inv)
	}
	var reportedSum int64
	for _, p := range payments {
		reportedSum += p.Amount.Minor()
		withdrawnSum += p.Withdrawn.Minor()
		assert.LessOrEqual(h, p.Withdrawn.Minor()+p.Spent.Minor(), p.Amount.Minor())
	}
	assert.Equal(h, returnedSum, reportedSum, "the reported returned payments")
	return returnedSum, withdrawnSum
}

// hasBankReturnedPayment reports whether the bank has taken a payment back since the subscription was read. A return of the
// latest payment opens its invoice again. A return of an earlier payment puts the customer on hold.
func (h *history) hasBankReturnedPayment(s billing.Subscription) bool {
	updatedSub, err := h.Provider.Subscription(h.Context(), s.ID)
	require.NoError(h, err)
	return updatedSub.Hold != s.Hold || h.invoice(s.LatestInvoice.ID).Returned.Minor() > 0
}

// recordBankReturns records as lost disputes the payments that the bank has taken back and the provider reports as
// such.
func (h *history) recordBankReturns(invoices []billing.Invoice, payments []billing.ReturnedPayment) {
	if !h.hasCapabilities(slowPayments) {
		return
	}
	for _, p := range payments {
		i := slices.IndexFunc(invoices, func(inv billing.Invoice) bool { return inv.Number == p.Payment })
		if i >= 0 && p.Dispute == billing.DisputeLost && h.disputes[invoices[i].ID] == billing.NoDispute {
			h.disputes[invoices[i].ID] = billing.DisputeLost
		}
	}
}
