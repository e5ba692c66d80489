package paymenttest

import (
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// requestQuote requests a quote and returns it or the error. It returns neither if the provider has no quotes.
func (h *history) requestQuote(send func() (billing.Quote, error)) (*billing.Quote, error) {
	if !h.hasCapabilities(payment.Quoting) {
		return nil, nil
	}
	customer := h.customer()
	q, err := send()
	assert.Equal(h, customer, h.customer(), "a quote changes nothing")
	if err != nil {
		return nil, err
	}
	assert.Equal(h, q.Total.Minor(), sumLines(q.Lines))
	assert.Equal(h, customer.Credit.Minor(), q.CreditBefore.Minor())
	assert.GreaterOrEqual(h, q.DueNow.Minor(), int64(0))
	return &q, nil
}

// quotedAmounts returns the amounts of the quote, which may be nil.
func quotedAmounts(q *billing.Quote) billing.QuotedAmounts {
	if q == nil {
		return billing.QuotedAmounts{}
	}
	return billing.QuotedAmounts{DueNow: q.DueNow, CreditAfter: q.CreditAfter}
}

// checkSameRefusal checks that a request and its quote were both accepted, or both refused with the same code. It
// checks nothing without a quote.
func (h *history) checkSameRefusal(q *billing.Quote, quoteErr, err error) {
	if q != nil || quoteErr != nil {
		require.Equal(h, fault.CodeOf(quoteErr), fault.CodeOf(err), "quote: %v, request: %v", quoteErr, err)
	}
}

// checkChargedAsQuoted checks that the invoice of a new subscription or an immediate change has exactly the quoted
// amounts and lines.
func (h *history) checkChargedAsQuoted(q *billing.Quote, quoteErr error, s billing.Subscription, err error) {
	h.checkSameRefusal(q, quoteErr, err)
	if q == nil || err != nil {
		return
	}
	h.nextCharge = nil
	inv := h.invoice(s.LatestInvoice.ID)
	require.Equal(h, q.DueNow.Minor(), inv.AmountDue.Minor(), "the amount due")
	assert.Equal(h, q.Total.Minor(), inv.Total.Minor())
	assert.Equal(h, q.Tax.Minor(), inv.Tax.Minor())
	assert.ElementsMatch(h, q.Lines, inv.Lines)
	assert.Equal(h, q.CreditAfter.Minor(), h.customer().Credit.Minor(), "the credit afterwards")
	if s.Pending == nil && (s.Status == billing.Active || s.Status == billing.Trialing) {
		h.nextCharge = &q.Next
	}
}

// checkInvariants checks the invariants of CheckHistories, which hold after each request.
func (h *history) checkInvariants() {
	invoices := h.invoices()
	paidSum := h.checkInvoices(invoices)
	subs, err := h.Provider.ListSubscriptions(h.Context(), h.customerID)
	require.NoError(h, err)
	for _, s := range subs {
		h.checkSubscription(s, invoices)
	}
	assertInvoiceReadsAgree(h.Context(), h, h.Provider, h.customerID)
	if h.ChargedSum != nil {
		assert.Equal(h, h.ChargedSum(h.harnessT, h.customerID), paidSum, "the amounts paid of all invoices add up to the charges")
	}
}

// checkInvoices checks the amounts of the invoices, and that the customer's credit follows from these amounts. It
// returns the sum that was paid.
func (h *history) checkInvoices(invoices []billing.Invoice) (paidSum int64) {
	credit, refundedSum := h.grantedCredit, int64(0)
	for _, inv := range invoices {
		assert.Equal(h, inv.Total.Minor(), sumLines(inv.Lines), "the sum of the lines is the total")
		assertConsistentAmounts(h, inv)
		credit += inv.Credited.Minor() - inv.CreditUsed.Minor() - inv.CarriedForward.Minor()
		paidSum += inv.AmountPaid.Minor()
		refundedSum += inv.Refunded.Minor()
	}
	var requestedRefunds int64
	for _, amount := range h.refunds {
		requestedRefunds += amount
	}
	assert.Equal(h, requestedRefunds, refundedSum, "the refunds of the invoices")
	returnedSum, withdrawnSum := h.checkReturnedPayments(invoices)
	withdrawnSum -= deductedSum(invoices)
	c := h.customer()
	balance := c.Credit.Minor() + c.HeldCredit.Minor()
	require.Equal(h, credit-withdrawnSum, balance, "the credit of support staff and of invoices, less the amount withdrawn")
	if c.Hold == billing.HoldDisputed {
		assert.LessOrEqual(h, c.Credit.Minor(), int64(0), "credit is not used while the customer is on hold")
	} else {
		assert.Zero(h, c.HeldCredit.Minor())
	}
	assert.LessOrEqual(h, balance, h.grantedCredit+paidSum-returnedSum,
		"credit is only created for money received and not returned")
	return paidSum
}

// deductedSum returns the sum of the returned payments that plan changes have deducted from unused time. They are withdrawn
// without a change of the credit.
func deductedSum(invoices []billing.Invoice) (sum int64) {
	for _, inv := range invoices {
		for _, line := range inv.Lines {
			if isReturnedLine(line) && (inv.Status == billing.InvoicePaid || inv.Returned.Minor() > 0) {
				sum += line.Amount.Minor()
			}
		}
	}
	return sum
}

// isReturnedLine reports whether the line deducts a returned payment from unused time.
func isReturnedLine(line billing.Line) bool {
	return strings.HasPrefix(line.Description, engine.ReturnedLineDescription(""))
}

func (h *history) checkSubscription(s billing.Subscription, all []billing.Invoice) {
	invoices, openCount := invoicesOf(s, all)
	assert.LessOrEqual(h, openCount, 1, "open invoices of a subscription")
	assert.LessOrEqual(h, countPlannedChanges(s), 1, "pending change, scheduled change and end")
	if s.Hold != billing.NoHold && !isPaymentProcessing(s) {
		assert.Nil(h, s.Pending, "a customer on hold has no pending change")
		assert.Nil(h, s.Scheduled, "a customer on hold has no scheduled change")
	}
	if !s.Status.Ended() || s.Status == billing.Unpaid || isPaymentProcessing(s) {
		return
	}
	if finalInvoices, ok := h.finalInvoices[s.ID]; ok {
		assert.Equal(h, finalInvoices, invoices, "an ended subscription is not charged")
	}
	h.finalInvoices[s.ID] = invoices
}

// invoicesOf returns the invoices of the subscription and counts the open ones. It omits refunds and disputes, which
// can change after the end of the subscription.
func invoicesOf(s billing.Subscription, all []billing.Invoice) (invoices []billing.Invoice, openCount int) {
	for _, inv := range all {
		if inv.SubscriptionID != s.ID {
			continue
		}
		inv.Refunded, inv.Returns = money.Amount{}, nil
		invoices = append(invoices, inv)
		if inv.Status == billing.InvoiceOpen {
			openCount++
		}
	}
	return invoices, openCount
}

// countPlannedChanges counts the pending change, the scheduled change and the end of the subscription.
func countPlannedChanges(s billing.Subscription) int {
	n := 0
	for _, isPlanned := range []bool{s.Pending != nil, s.Scheduled != nil, !s.EndsAt.IsZero()} {
		if isPlanned {
			n++
		}
	}
	return n
}
