package fakepayment

import (
	"context"
	"encoding/json"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

func (r *randomOperations) checkInvariants(t *rapid.T) {
	require.NoError(t, r.p.Tick(context.Background()))
	s := r.p.state
	for _, c := range s.customers.rows {
		r.checkCustomer(t, c)
	}
	invoiceCounts := map[string]int{}
	for _, inv := range s.invoices.rows {
		invoiceCounts[inv.SubscriptionID]++
		isLatest := s.subscriptions.rows[inv.SubscriptionID].LatestInvoiceID == inv.ID
		assert.True(t, inv.Status != invoiceOpen || isLatest, "only the latest invoice is open")
		assert.Equal(t, inv.PaymentID == "", inv.AmountDue == 0)
		assert.Equal(t, engine.Total(inv.Lines), inv.total())
		assert.LessOrEqual(t, inv.Refunded+inv.amountDisputed(), inv.amountPaid())
	}
	for _, sub := range s.subscriptions.rows {
		r.checkSubscription(t, sub)
		if finalCount, ok := r.finalInvoiceCounts[sub.ID]; ok {
			assert.Equal(t, finalCount, invoiceCounts[sub.ID], "an ended subscription gets no further invoice")
		}
		if sub.Status.Ended() {
			r.finalInvoiceCounts[sub.ID] = invoiceCounts[sub.ID]
		}
	}
	assert.Len(t, s.outbox, len(s.events.rows))
}

func (r *randomOperations) checkCustomer(t *rapid.T, c customer) {
	if c.DefaultCardID != "" {
		assert.Contains(t, c.CardIDs, c.DefaultCardID)
	}
	for _, id := range c.CardIDs {
		assert.Equal(t, c.ID, r.p.state.cards.rows[id].CustomerID)
	}
	for _, id := range c.SubscriptionIDs {
		assert.Equal(t, c.ID, r.p.state.subscriptions.rows[id].CustomerID)
		assert.NotEmpty(t, c.Currency)
	}
	if c.Deleted {
		return
	}
	assert.LessOrEqual(t, c.Credit+c.HeldCredit, r.sumReceipts(c.ID)+r.addedCredit[c.ID],
		"credit is only given for money received and not returned")
	if c.Hold == billing.NoHold {
		assert.Zero(t, c.HeldCredit)
	} else {
		assert.LessOrEqual(t, c.Credit, int64(0), "credit is not used while the customer is on hold")
	}
	creditSum, paidSum, carriedSum := r.addedCredit[c.ID], int64(0), int64(0)
	for _, inv := range r.p.state.invoices.rows {
		switch {
		case inv.CustomerID != c.ID:
		case inv.Status == invoiceVoid:
			carriedSum += min(inv.Credit, 0) // voiding makes an amount below the minimum charge owed again
		default:
			creditSum -= inv.Credit + inv.Refund.Withdrawn + inv.Dispute.Withdrawn
			paidSum += inv.amountPaid()
		}
	}
	assert.Greater(t, c.Credit, carriedSum-engine.MinimumCharge("AUD"), "the customer owes less than the minimum charge, apart from void invoices")
	assert.Equal(t, creditSum, c.Credit+c.HeldCredit)
	assert.Equal(t, r.sumCharges(c.ID), paidSum, "the sum of the paid invoices equals the sum of the charges")
}

// sumCharges returns the sum of the customer's successful payments.
func (r *randomOperations) sumCharges(customerID string) int64 {
	var sum int64
	for _, pi := range r.p.state.intents.rows {
		if pi.CustomerID == customerID && pi.Status == billing.Succeeded {
			sum += pi.Amount
		}
	}
	return sum
}

// sumReceipts returns the sum of the customer's payments less refunds and disputes.
func (r *randomOperations) sumReceipts(customerID string) int64 {
	sum := r.sumCharges(customerID)
	for _, inv := range r.p.state.invoices.rows {
		if inv.CustomerID == customerID {
			sum -= inv.Refunded + inv.amountDisputed()
		}
	}
	return sum
}

// checkQuote compares the quote with the new invoice and with the customer's credit after it.
func (r *randomOperations) checkQuote(t *rapid.T, quote billing.Quote, s billing.Subscription) {
	inv := r.p.state.invoices.rows[s.LatestInvoice.ID]
	assert.Equal(t, quote.DueNow.Minor(), inv.AmountDue)
	assert.Equal(t, quote.Total.Minor(), inv.total())
	assert.Equal(t, quote.CreditAfter.Minor(), r.p.state.customers.rows[s.CustomerID].Credit)
	assert.Len(t, inv.Lines, len(quote.Lines))
	for i, line := range quote.Lines {
		assert.Equal(t, line.Amount.Minor(), inv.Lines[i].Amount)
	}
}

func (r *randomOperations) checkSubscription(t *rapid.T, s subscription) {
	inv := r.p.state.invoices.rows[s.LatestInvoiceID]
	status := r.p.state.intents.rows[inv.PaymentID].Status
	isOpen := status == billing.RequiresPaymentMethod || status == billing.RequiresAction
	assert.Equal(t, inv.Status == invoiceOpen, isOpen, status)
	r.checkPlannedChanges(t, s)
	switch s.Status {
	case billing.Trialing, billing.Active:
		assert.Equal(t, s.Pending.Invoice != "", inv.Status == invoiceOpen)
		assert.True(t, s.Pending.Invoice == "" || s.LatestInvoiceID == s.Pending.Invoice)
	case billing.Incomplete, billing.PastDue:
		assert.Equal(t, invoiceOpen, inv.Status)
	default:
		assert.True(t, inv.Status != invoiceOpen || s.Status == billing.Canceled, "a subscription that ended past due may keep an open invoice")
		_, at := s.NextStep()
		assert.True(t, at.IsZero())
		return
	}
	_, at := s.NextStep()
	assert.True(t, at.After(r.clock.now), "nothing is overdue")
	if s.SetupID != "" {
		assert.Equal(t, billing.Trialing, s.Status)
	}
}

// checkPlannedChanges asserts that a subscription with a pending or scheduled plan change is not ending, and that an ended
// subscription has neither. A pending change and the scheduled change that it replaces count as one.
func (r *randomOperations) checkPlannedChanges(t *rapid.T, s subscription) {
	count := 0
	for _, isPlanned := range []bool{s.Pending.Invoice != "" || s.HasScheduledChange(), s.EndsAtPeriodEnd} {
		if isPlanned {
			count++
		}
	}
	assert.LessOrEqual(t, count, 1)
	if s.Status.Ended() {
		assert.Zero(t, count)
	}
}

// dumpState returns the state as text in a stable order.
func dumpState(t require.TestingT, s *state) string {
	text, err := json.Marshal([]any{
		s.customers.rows, s.cards.rows, s.subscriptions.rows, s.invoices.rows, s.intents.rows, s.events.rows, s.responses.rows,
		s.outbox, s.lastEventNumber,
	})
	require.NoError(t, err)
	return string(text)
}
