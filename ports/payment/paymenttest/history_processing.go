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

// addSettlement adds the events of payments that take days, if the environment has them.
func (h *history) addSettlement(events map[string]func()) {
	if !h.has(SlowPayments) {
		return
	}
	events["payments settle"] = func() {
		h.Settle(h.test)
		h.next = nil
	}
	if h.savesCards() {
		events["an account that pays"] = func() { h.saveCard(Settles) }
		events["an account that fails late"] = func() { h.saveCard(FailsLate) }
		events["an account that returns payments"] = func() { h.saveCard(ReturnsLate) }
	}
}

// cancel ends the subscription, unless that would have to stop a payment on its way.
func (h *history) cancel(s billing.Subscription) {
	req := payment.Cancellation{Key: newKey(), SubscriptionID: s.ID, VoidInvoices: rapid.Bool().Draw(h.T, "void invoices")}
	_, err := h.Provider.CancelSubscription(h.Context(), req)
	stops := s.Status == billing.Incomplete || s.Pending != nil || req.VoidInvoices
	if stops && !req.Keeps(s.Status) {
		h.checkWaits(s, err)
	} else {
		require.NoError(h, err)
	}
	h.next = nil
}

// checkWaits checks that a request that would charge again or drop the latest invoice of the subscription was refused
// exactly if its payment is on its way.
func (h *history) checkWaits(s billing.Subscription, err error) {
	if isProcessing(s) {
		assert.Equal(h, fault.Conflict, fault.CodeOf(err), "the payment is on its way: %v", err)
		return
	}
	require.NoError(h, err)
}

// bankReturned reports whether the bank has returned a payment since the subscription was read: the latest one, so that it
// is owed again, or an earlier one, which puts the customer on hold.
func (h *history) bankReturned(s billing.Subscription) bool {
	after, err := h.Provider.Subscription(h.Context(), s.ID)
	require.NoError(h, err)
	return after.Hold != s.Hold || h.invoice(s.LatestInvoice.ID).Returned.Minor() > 0
}

// recordBankReturns records the payments that the bank has returned as lost disputes, because they were not the latest:
// those that the provider reports for invoices that were paid with an account.
func (h *history) recordBankReturns(invoices []billing.Invoice, reported []billing.ReturnedPayment) {
	if !h.has(SlowPayments) {
		return
	}
	for _, p := range reported {
		i := slices.IndexFunc(invoices, func(inv billing.Invoice) bool { return inv.Number == p.Payment })
		if i >= 0 && p.Dispute == billing.DisputeLost && h.disputes[invoices[i].ID] == billing.NoDispute {
			h.disputes[invoices[i].ID] = billing.DisputeLost
		}
	}
}
