package paymenttest

import (
	"bytes"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var invoiceBehaviours = []behaviour{
	{name: "a customer without subscriptions has no invoices", check: func(t *env) {
		assert.Empty(t, t.listInvoices(t.createCustomer().ID))
	}},
	{name: "a paid invoice has its number, line and amounts", check: func(t *env) {
		c := t.payingCustomer()
		start := t.Now()
		s := t.subscribe(c.ID, 0)
		inv := t.onlyInvoice(s.CustomerID)
		assert.Equal(t, s.LatestInvoice.ID, inv.ID)
		assert.Equal(t, s.ID, inv.SubscriptionID)
		assert.NotEmpty(t, inv.Number)
		assert.Equal(t, billing.InvoicePaid, inv.Status)
		assert.Equal(t, s.LatestInvoice.AmountDue, inv.Total)
		assert.Equal(t, s.LatestInvoice.Tax, inv.Tax)
		assert.Equal(t, inv.Total, inv.AmountDue)
		assert.Equal(t, inv.Total, inv.AmountPaid)
		assert.Zero(t, inv.Refunded.Minor())
		assert.Zero(t, inv.Credited.Minor())
		assert.True(t, inv.IsTotalSufficient())
		assert.WithinDuration(t, start, inv.CreatedAt, day)
		assert.False(t, inv.PaidAt.IsZero())
		require.Len(t, inv.Lines, 1)
		line := inv.Lines[0]
		assert.NotEmpty(t, line.Description)
		assert.Equal(t, standard, line.Price)
		assert.Equal(t, inv.Total, line.Amount)
		assert.Equal(t, s.CurrentPeriodEnd, line.End)
		assert.True(t, line.Start.Before(line.End))
		assert.False(t, line.Proration)
	}},
	{name: "a received payment has the method that paid, even after its deletion", check: func(t *env) {
		c := t.payingCustomer()
		s := t.subscribe(c.ID, 0)
		if t.Provider.Capabilities().Entry == payment.EntryCardField {
			require.NoError(t, t.deleteMethod(c.ID, c.Default.ID))
		}
		inv := t.invoice(c.ID, s.LatestInvoice.ID)
		if len(inv.ReceivedPayments) == 0 {
			t.Skip("the provider does not report payments")
		}
		require.Len(t, inv.ReceivedPayments, 1)
		assert.Equal(t, inv.AmountPaid, inv.ReceivedPayments[0].Amount)
		assert.Zero(t, inv.ReceivedPayments[0].Excess.Minor())
		require.NotNil(t, inv.ReceivedPayments[0].Method)
		if c.Default != nil {
			assert.Equal(t, c.Default.Kind, inv.ReceivedPayments[0].Method.Kind)
			assert.Equal(t, c.Default.Label, inv.ReceivedPayments[0].Method.Label)
			assert.Equal(t, c.Default.Card.Last4, inv.ReceivedPayments[0].Method.Card.Last4, "the card was deleted")
		}
	}},
	{name: "an unpaid invoice is open", check: func(t *env) {
		s := t.unpaidSubscription()
		inv := t.onlyInvoice(s.CustomerID)
		assert.Equal(t, billing.InvoiceOpen, inv.Status)
		assert.Positive(t, inv.AmountDue.Minor())
		assert.Zero(t, inv.AmountPaid.Minor())
		assert.True(t, inv.PaidAt.IsZero())
		if inv.Payment != nil {
			assert.Empty(t, inv.Payment.ClientSecret)
		}
	}},
	{name: "the invoice of a change has a line for the unused time", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		s = t.mustChangePlan(s, professional)
		inv := t.invoice(s.CustomerID, s.LatestInvoice.ID)
		t.assertValidInvoice(inv)
		require.Len(t, inv.Lines, 2)
		for _, line := range inv.Lines {
			assert.True(t, line.Proration)
			assert.Equal(t, s.CurrentPeriodEnd, line.End)
			assert.Equal(t, line.Price == standard, line.Amount.Minor() < 0, "%s %s", line.Price.PriceID(), line.Amount)
		}
	}},
	{name: "credit reduces the amount due and not the total", needs: payment.CustomerCredit, check: func(t *env) {
		c := t.payingCustomer()
		t.cancel(t.subscribe(c.ID, 0).ID) // fixes the currency
		t.addCredit(c.ID, 500)
		s := t.subscribe(c.ID, 0)
		inv := t.invoice(c.ID, s.LatestInvoice.ID)
		assert.Equal(t, aud(500), inv.CreditUsed)
		assert.Equal(t, inv.Total.Minor()-500, inv.AmountDue.Minor())
		assert.Equal(t, inv.AmountDue, inv.AmountPaid)
		assertLatestInvoiceAgrees(t, "Subscribe", s, []billing.Invoice{inv})
		assert.Zero(t, t.readCustomer(c.ID).Credit.Minor())
	}},
	{name: "credit alone pays a renewal", needs: payment.CustomerCredit, check: func(t *env) {
		t.skipWithout(ClockControl)
		c := t.payingCustomer()
		s := t.subscribe(c.ID, 0)
		t.addCredit(c.ID, t.priceOf(standard).Minor()+500)
		s = t.renew(s)
		inv := t.invoice(c.ID, s.LatestInvoice.ID)
		t.assertValidInvoice(inv)
		assert.Equal(t, billing.InvoicePaid, inv.Status)
		assert.Equal(t, t.priceOf(standard), inv.Total)
		assert.Equal(t, inv.Total, inv.CreditUsed)
		assert.Zero(t, inv.AmountDue.Minor())
		assert.Zero(t, inv.AmountPaid.Minor())
		assert.Empty(t, inv.ReceivedPayments)
		assert.True(t, s.IsPaidByCredit())
		assert.Equal(t, aud(500), t.readCustomer(c.ID).Credit)
	}},
	{name: "an amount too small to charge is carried to the next invoice", needs: payment.CustomerCredit, check: func(t *env) {
		t.skipWithout(ClockControl)
		c := t.payingCustomer()
		s := t.subscribe(c.ID, 0)
		t.addCredit(c.ID, t.priceOf(standard).Minor()-7)
		s = t.renew(s)
		inv := t.invoice(c.ID, s.LatestInvoice.ID)
		if inv.AmountDue.Minor() > 0 {
			t.Skip("the provider charges any amount")
		}
		assert.Equal(t, aud(7), inv.CarriedForward)
		assert.Equal(t, inv.Total.Minor()-7, inv.CreditUsed.Minor())
		assert.Zero(t, inv.AmountPaid.Minor())

		s = t.renew(s)

		inv = t.invoice(c.ID, s.LatestInvoice.ID)
		assert.Zero(t, inv.CarriedForward.Minor())
		assert.Equal(t, int64(-7), inv.CreditUsed.Minor(), "the amount of the earlier invoice")
		assert.Equal(t, inv.Total.Minor()+7, inv.AmountPaid.Minor())
	}},
	{name: "a negative total becomes credit", needs: payment.CheaperChangeNow, check: func(t *env) {
		s := t.completePayment(t.startSubscription(t.payingCustomer().ID, professional, 0))
		s = t.mustChangePlan(s, standard)
		inv := t.invoice(s.CustomerID, s.LatestInvoice.ID)
		t.assertValidInvoice(inv)
		assert.Negative(t, inv.Total.Minor())
		assert.Equal(t, inv.Total, inv.CreditUsed)
		assert.Zero(t, inv.AmountDue.Minor())
		assert.Zero(t, inv.AmountPaid.Minor())
		assert.Equal(t, -inv.Total.Minor(), t.readCustomer(s.CustomerID).Credit.Minor())
	}},
	{name: "invoices are listed newest first in pages", check: func(t *env) {
		c := t.payingCustomer()
		var ids []string // newest first
		for range 4 {
			s := t.subscribe(c.ID, 0)
			ids = append([]string{s.LatestInvoice.ID}, ids...)
			t.cancel(s.ID)
		}
		assert.Equal(t, ids, invoiceIDs(t.listInvoices(c.ID)))
		for size, cursor := range map[int]string{1: ids[0], 3: ids[0], 2: ids[1], 4: ids[3], 100: ids[2]} {
			list, err := t.Provider.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: c.ID, Limit: size, After: cursor})
			require.NoError(t, err)
			nextIDs := ids[slices.Index(ids, cursor)+1:]
			assert.Equal(t, nextIDs[:min(size, len(nextIDs))], invoiceIDs(list.Invoices))
			assert.Equal(t, len(nextIDs) > size, list.HasMore)
		}
		numbers := map[string]bool{}
		for _, inv := range t.listInvoices(c.ID) {
			numbers[inv.Number] = true
		}
		assert.Len(t, numbers, len(ids), "every invoice has its own number")
	}},
	{name: "another customer's invoices are not listed", check: func(t *env) {
		s, otherSub := t.subscribe(t.payingCustomer().ID, 0), t.subscribe(t.payingCustomer().ID, 0)
		assert.Equal(t, []string{s.LatestInvoice.ID}, invoiceIDs(t.listInvoices(s.CustomerID)))
		_, err := t.Provider.ListInvoices(t.Context(), payment.InvoiceQuery{
			CustomerID: s.CustomerID, Limit: 10, After: otherSub.LatestInvoice.ID,
		})
		t.assertFault(err, fault.NotFound)
	}},
	{name: "a list with InvoiceID contains only this invoice", check: func(t *env) {
		c, otherSub := t.payingCustomer(), t.subscribe(t.payingCustomer().ID, 0)
		for range 3 {
			t.cancel(t.subscribe(c.ID, 0).ID)
		}
		for _, inv := range t.listInvoices(c.ID) {
			list, err := t.Provider.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: c.ID, Limit: 1, InvoiceID: inv.ID})
			require.NoError(t, err)
			assert.Equal(t, payment.InvoiceList{Invoices: []billing.Invoice{inv}}, list)
		}
		req := payment.InvoiceQuery{CustomerID: c.ID, Limit: 1, InvoiceID: otherSub.LatestInvoice.ID}
		_, err := t.Provider.ListInvoices(t.Context(), req)
		t.assertFault(err, fault.NotFound)
	}},
	{name: "an invoice is a PDF document", needs: payment.InvoicePDF, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		invoice := t.onlyInvoice(s.CustomerID)
		require.True(t, invoice.HasPDF)
		document, err := t.Provider.InvoicePDF(t.Context(), s.CustomerID, s.LatestInvoice.ID)
		require.NoError(t, err)
		assert.True(t, bytes.HasPrefix(document.PDF, []byte("%PDF")))
		assert.LessOrEqual(t, len(document.PDF), payment.MaxPDFSize)
		assert.Equal(t, invoice.Number, document.Number)
	}},
	{name: "another customer's document is the same NotFound as an unknown one", needs: payment.InvoicePDF,
		check: func(t *env) {
			s, otherSub := t.subscribe(t.payingCustomer().ID, 0), t.subscribe(t.payingCustomer().ID, 0)
			_, otherErr := t.Provider.InvoicePDF(t.Context(), s.CustomerID, otherSub.LatestInvoice.ID)
			_, unknownErr := t.Provider.InvoicePDF(t.Context(), s.CustomerID, "in_unknown123")
			t.assertFault(otherErr, fault.NotFound)
			t.assertFault(unknownErr, fault.NotFound)
			assert.Equal(t, fault.MessageOf(unknownErr), fault.MessageOf(otherErr))
		}},
}

// listInvoices returns all invoices of the customer, newest first, and asserts that the amounts of each are consistent.
func (t *env) listInvoices(customerID string) []billing.Invoice {
	t.Helper()
	var invoices []billing.Invoice
	req := payment.InvoiceQuery{CustomerID: customerID, Limit: 100}
	for {
		list, err := t.Provider.ListInvoices(t.Context(), req)
		require.NoError(t, err)
		for _, inv := range list.Invoices {
			t.assertValidInvoice(inv)
			t.assertCollectionDates(inv)
		}
		invoices = append(invoices, list.Invoices...)
		if !list.HasMore {
			return invoices
		}
		require.NotEmpty(t, list.Invoices)
		req.After = invoices[len(invoices)-1].ID
	}
}

// assertCollectionDates asserts that an invoice that is paid by transfer has a DueAt and is not charged, and that an invoice
// that is charged to a card has no DueAt.
func (t *env) assertCollectionDates(inv billing.Invoice) {
	t.Helper()
	switch t.Provider.Capabilities().Entry {
	case payment.EntryInvoice:
		assert.NotZero(t, inv.DueAt)
		assert.Zero(t, inv.NextAttemptAt)
		assert.NotEmpty(t, inv.SubscriptionID)
	case payment.EntryCardField:
		assert.Zero(t, inv.DueAt)
	case payment.EntryRedirect:
	}
}

// invoice returns an invoice from the customer's list, and fails the test if the list does not contain the invoice.
func (t *env) invoice(customerID, id string) billing.Invoice {
	t.Helper()
	invoices := t.listInvoices(customerID)
	i := slices.Index(invoiceIDs(invoices), id)
	require.GreaterOrEqual(t, i, 0, "invoice %s is not listed", id)
	return invoices[i]
}

// onlyInvoice returns the customer's only invoice, and fails the test if there are none or several.
func (t *env) onlyInvoice(customerID string) billing.Invoice {
	t.Helper()
	invoices := t.listInvoices(customerID)
	require.Len(t, invoices, 1)
	return invoices[0]
}

// assertValidInvoice asserts that the invoice is not a draft, that the sum of its lines is its total, and that its amounts
// are consistent.
func (t *env) assertValidInvoice(inv billing.Invoice) {
	t.Helper()
	assert.NotEqual(t, billing.InvoiceDraft, inv.Status)
	assert.NotEmpty(t, inv.Number)
	if !t.Provider.Capabilities().Has(payment.InvoicePDF) {
		assert.False(t, inv.HasPDF, "the provider has no documents")
	}
	_, err := time.LoadLocation(string(inv.TimeZone))
	require.NoError(t, err, "the time zone")
	assert.Equal(t, inv.Total.Minor(), sumLines(inv.Lines), "the sum of the lines is the total")
	assertConsistentAmounts(t, inv)
	if inv.Status == billing.InvoicePaid {
		assert.False(t, inv.PaidAt.IsZero())
	}
	assertReceivedPayments(t, inv)
	assertMovementsAddUp(t, inv)
}

// assertReceivedPayments asserts that the payments of an invoice are in the order of their time, and that their sum is at
// most the amount that was paid, including what the customer's bank took back.
func assertReceivedPayments(t assert.TestingT, inv billing.Invoice) {
	byTime := func(a, b billing.ReceivedPayment) int { return a.At.Compare(b.At) }
	assert.True(t, slices.IsSortedFunc(inv.ReceivedPayments, byTime), "oldest first")
	var sum int64
	for _, p := range inv.ReceivedPayments {
		assert.GreaterOrEqual(t, p.Amount.Minor(), int64(0))
		assert.GreaterOrEqual(t, p.Excess.Minor(), int64(0))
		assert.Positive(t, p.Amount.Minor()+p.Excess.Minor())
		assert.Equal(t, inv.Total.Currency(), p.Amount.Currency())
		assert.Equal(t, inv.Total.Currency(), p.Excess.Currency())
		assert.False(t, p.At.Before(inv.CreatedAt.Truncate(time.Second)), "received at %s for an invoice created at %s", p.At,
			inv.CreatedAt)
		sum += p.Amount.Minor()
	}
	if inv.Status != billing.InvoiceVoid {
		assert.LessOrEqual(t, sum, inv.AmountPaid.Minor()+inv.Returned.Minor())
	}
}

// assertMovementsAddUp asserts that the total and the movements of money add up to the amount that is still to be paid.
func assertMovementsAddUp(t assert.TestingT, inv billing.Invoice) {
	sum := inv.Total.Minor()
	for _, m := range inv.Movements() {
		sum += m.Amount.Minor()
	}
	assert.Equal(t, inv.AmountRemaining().Minor(), sum, "movements %+v", inv.Movements())
}

// assertConsistentAmounts asserts that the amounts of an invoice without credit notes are consistent.
func assertConsistentAmounts(t assert.TestingT, inv billing.Invoice) {
	assert.GreaterOrEqual(t, inv.AmountDue.Minor(), int64(0))
	assert.LessOrEqual(t, inv.AmountPaid.Minor(), inv.AmountDue.Minor())
	assert.GreaterOrEqual(t, inv.Refunded.Minor(), int64(0))
	assert.LessOrEqual(t, inv.Refunded.Minor(), inv.AmountPaid.Minor())
	switch inv.Status {
	case billing.InvoiceVoid:
		assert.Zero(t, inv.CreditUsed.Minor(), "a void invoice gives its credit back")
		return
	case billing.InvoicePaid:
		assert.Equal(t, inv.AmountDue.Minor(), inv.AmountPaid.Minor())
	}
	assert.Equal(t, inv.Total.Minor(), inv.CreditUsed.Minor()+inv.CarriedForward.Minor()+inv.AmountDue.Minor(),
		"the total is the sum of the credit used, the amount carried forward and the amount due")
	assert.GreaterOrEqual(t, inv.CarriedForward.Minor(), int64(0))
	if inv.CarriedForward.Minor() > 0 {
		assert.Zero(t, inv.AmountDue.Minor(), "only an amount that is not charged is carried forward")
	}
}

func sumLines(lines []billing.Line) int64 {
	var sum int64
	for _, line := range lines {
		sum += line.Amount.Minor()
	}
	return sum
}

func invoiceIDs(invoices []billing.Invoice) []string {
	ids := make([]string, 0, len(invoices))
	for _, inv := range invoices {
		ids = append(ids, inv.ID)
	}
	return ids
}
