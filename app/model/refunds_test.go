package model

import (
	"crypto/rand"
	"strconv"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// returnMoney refunds a part of an invoice or disputes its payment at the provider. Only events report this. Some
// disputes and holds end immediately, because too many of the following actions would be refused during a hold. The
// others end at a random time.
func (h *harness) returnMoney(t *rapid.T) {
	o := h.drawOrg(t)
	state := h.providerState(t, o)
	invoices := state.returnableInvoices()
	if len(invoices) == 0 {
		t.Skip("nothing to return")
	}
	inv := rapid.SampledFrom(invoices).Draw(t, "invoice")
	o.hasUnreportedChange = true
	if rapid.Bool().Draw(t, "disputed") {
		require.NoError(t, h.Provider.Dispute(t.Context(), inv.ID))
		h.counters["disputed"]++
		if rapid.Bool().Draw(t, "it ends at once") {
			h.closeDispute(t, o, inv.ID)
		}
		if h.providerState(t, o).isOnHold() && rapid.Bool().Draw(t, "the hold is lifted at once") {
			h.liftHoldAsOperator(t, o)
		}
	} else {
		amount, err := money.New(rapid.Int64Range(1, inv.AmountDue-inv.Refunded).Draw(t, "amount"), inv.Currency)
		require.NoError(t, err)
		_, err = h.Provider.Refund(t.Context(), payment.RefundRequest{
			Key: providerKey + rand.Text(), InvoiceID: inv.ID, Amount: amount,
		})
		require.NoError(t, err)
		h.counters["refunded"]++
	}
	h.queueEvents()
}

// returnableInvoices returns the invoices with payments that can be refunded or disputed.
func (state providerState) returnableInvoices() (invoices []fakepayment.InvoiceRecord) {
	for _, sub := range state.subs {
		for _, inv := range state.invoices[sub.ID] {
			if inv.Status == "paid" && inv.AmountDue > inv.Refunded && !inv.Disputed {
				invoices = append(invoices, inv)
			}
		}
	}
	return invoices
}

// endDispute ends a dispute at the provider.
func (h *harness) endDispute(t *rapid.T) {
	o := h.drawOrg(t)
	state := h.providerState(t, o)
	var invoiceIDs []string
	for _, sub := range state.subs {
		for _, inv := range state.invoices[sub.ID] {
			if inv.Disputed && inv.DisputeOutcome == billing.NoDispute {
				invoiceIDs = append(invoiceIDs, inv.ID)
			}
		}
	}
	if len(invoiceIDs) == 0 {
		t.Skip("no dispute")
	}
	h.closeDispute(t, o, rapid.SampledFrom(invoiceIDs).Draw(t, "invoice"))
}

// closeDispute ends the dispute of the invoice. The result is random.
func (h *harness) closeDispute(t *rapid.T, o *org, invoiceID string) {
	wasOnHold := h.providerState(t, o).isOnHold()
	won := rapid.Bool().Draw(t, "won")
	require.NoError(t, h.Provider.CloseDispute(t.Context(), invoiceID, won))
	isOnHold := h.providerState(t, o).isOnHold()
	assert.False(t, isOnHold && !wasOnHold, "the end of a dispute causes no hold")
	assert.False(t, !isOnHold && wasOnHold && !won, "a lost dispute ends no hold")
	h.counters["dispute ended"]++
	h.queueEvents()
}

// liftHold lifts a hold, as an operator does while the servers run.
func (h *harness) liftHold(t *rapid.T) {
	o := h.drawOrg(t)
	if !h.providerState(t, o).isOnHold() {
		t.Skip("no hold")
	}
	h.liftHoldAsOperator(t, o)
}

// liftHoldAsOperator lifts the organisation's hold, and requires that its credit stays the same.
func (h *harness) liftHoldAsOperator(t *rapid.T, o *org) {
	h.completeDelayedCalls()
	initialState, hadPendingOperation := h.providerState(t, o), h.hasPendingOperation(t, o)
	h.operatorKeys++
	req := operators.ActionRequest{
		OrganisationID: o.user.OrganisationID, Key: "act_" + strconv.Itoa(h.operatorKeys), Reason: audit.DisputeSettled, Ticket: "T-1",
	}
	err := h.App.LiftHold.Do(operators.WithOperator(t.Context(), operators.CommandLine("olga")), req)
	if hadPendingOperation && fault.Is(err, fault.Conflict) {
		return // the other operation has to end first
	}
	require.NoError(t, err)
	account := h.account(t, o)
	finalState := h.providerState(t, o)
	assert.False(t, finalState.isOnHold())
	assert.Equal(t, billing.NoHold, account.Hold())
	assert.Equal(t, initialState.credit(), finalState.credit(), "the held credit can be used again")
	h.counters["hold lifted"]++
	h.queueEvents()
}

// isOnHold reports whether the organisation can neither subscribe nor change its plan.
func (state providerState) isOnHold() bool { return state.customer.Hold != billing.NoHold }

// credit returns the credit of the organisation. It includes the held credit.
func (state providerState) credit() int64 { return state.customer.Credit + state.customer.HeldCredit }

// sumReturned returns the sum that was refunded or disputed. It doesn't include disputes that were won.
func (h *harness) sumReturned(t *rapid.T, customerID string) (sum int64) {
	payments, err := h.Provider.ReturnedPayments(t.Context(), customerID)
	require.NoError(t, err)
	for _, r := range payments {
		sum += r.Amount.Minor()
	}
	return sum
}
