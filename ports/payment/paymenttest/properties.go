package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// quote returns a quote or the error with which it is refused, and neither if the provider makes no
// quotes.
func (h *history) quote(send func() (billing.Quote, error)) (*billing.Quote, error) {
	if !h.has(payment.Quoting) {
		return nil, nil
	}
	before := h.customer()
	q, err := send()
	assert.Equal(h, before, h.customer(), "a quote changes nothing")
	if err != nil {
		return nil, err
	}
	assert.Equal(h, q.Total.Minor(), sumLines(q.Lines))
	assert.Equal(h, before.Credit.Minor(), q.CreditBefore.Minor())
	assert.GreaterOrEqual(h, q.DueNow.Minor(), int64(0))
	return &q, nil
}

// checkRefusedAlike checks that a request was refused if its quote was.
func (h *history) checkRefusedAlike(q *billing.Quote, quoted, sent error) {
	if q != nil || quoted != nil {
		require.Equal(h, fault.CodeOf(quoted), fault.CodeOf(sent), "quoted: %v, sent: %v", quoted, sent)
	}
}

// checkCharged checks that a new subscription or a change now was charged, or is to be charged, exactly as
// quoted.
func (h *history) checkCharged(q *billing.Quote, quoted error, s billing.Subscription, sent error) {
	h.checkRefusedAlike(q, quoted, sent)
	if q == nil || sent != nil {
		return
	}
	h.next = nil
	inv := h.invoice(s.LatestInvoice.ID)
	require.Equal(h, q.DueNow.Minor(), inv.AmountDue.Minor(), "the amount due")
	assert.Equal(h, q.Total.Minor(), inv.Total.Minor())
	assert.Equal(h, q.Tax.Minor(), inv.Tax.Minor())
	assert.ElementsMatch(h, q.Lines, inv.Lines)
	assert.Equal(h, q.CreditAfter.Minor(), h.customer().Credit.Minor(), "the credit afterwards")
	if s.Pending == nil && (s.Status == billing.Active || s.Status == billing.Trialing) {
		h.next = &q.Next
	}
}

// checkInvariants checks what holds at any time.
func (h *history) checkInvariants() {
	invoices := h.invoices()
	paid := h.checkInvoices(invoices)
	subs, err := h.Provider.ListSubscriptions(h.Context(), h.customerID)
	require.NoError(h, err)
	for _, s := range subs {
		h.checkSubscription(s, invoices)
	}
	if h.Charged != nil {
		assert.Equal(h, h.Charged(h.test, h.customerID), paid, "the sum paid over the invoices is the sum of the charges")
	}
}

// checkInvoices checks the amounts of the invoices and that they account for the customer's credit. It
// returns the sum paid.
func (h *history) checkInvoices(invoices []billing.Invoice) (paid int64) {
	credit, refunded := h.granted, int64(0)
	for _, inv := range invoices {
		assert.Equal(h, inv.Total.Minor(), sumLines(inv.Lines), "the lines are the total")
		assertAmountsFit(h, inv)
		credit += inv.Credited.Minor() - inv.CreditUsed.Minor()
		paid += inv.AmountPaid.Minor()
		refunded += inv.Refunded.Minor()
	}
	var allRefunds int64
	for _, amount := range h.refunded {
		allRefunds += amount
	}
	assert.Equal(h, allRefunds, refunded, "the invoices show all refunds")
	returned, withdrawn := h.checkReturned(invoices)
	c := h.customer()
	has := c.Credit.Minor() + c.HeldCredit.Minor()
	require.Equal(h, credit-withdrawn, has, "the credit is what was granted and what the invoices have left, less what was withdrawn")
	if c.Hold == billing.HoldDisputed {
		assert.LessOrEqual(h, c.Credit.Minor(), int64(0), "credit is not used while the customer is on hold")
	} else {
		assert.Zero(h, c.HeldCredit.Minor())
	}
	assert.LessOrEqual(h, has, h.granted+paid-returned, "credit is only created for money received and not returned")
	return paid
}

func (h *history) checkSubscription(s billing.Subscription, all []billing.Invoice) {
	own, open := invoicesOf(s, all)
	assert.LessOrEqual(h, open, 1, "open invoices of a subscription")
	assert.LessOrEqual(h, plans(s), 1, "pending change, scheduled change and end")
	assert.True(h, s.Hold == billing.NoHold || isProcessing(s) || s.Pending == nil && s.Scheduled == nil, "no plan is changed while the customer is on hold")
	if !s.Status.Ended() || s.Status == billing.Unpaid || isProcessing(s) {
		return
	}
	if closed, known := h.closed[s.ID]; known {
		assert.Equal(h, closed, own, "an ended subscription is not charged")
	}
	h.closed[s.ID] = own
}

// invoicesOf returns the invoices of the subscription, without what was refunded, which is also possible after the end, and
// how many of them are open.
func invoicesOf(s billing.Subscription, all []billing.Invoice) (own []billing.Invoice, open int) {
	for _, inv := range all {
		if inv.SubscriptionID != s.ID {
			continue
		}
		inv.Refunded = money.Amount{}
		own = append(own, inv)
		if inv.Status == billing.InvoiceOpen {
			open++
		}
	}
	return own, open
}

// plans returns how many of a pending change, a scheduled change and an end the subscription has.
func plans(s billing.Subscription) int {
	n := 0
	for _, is := range []bool{s.Pending != nil, s.Scheduled != nil, !s.EndsAt.IsZero()} {
		if is {
			n++
		}
	}
	return n
}
