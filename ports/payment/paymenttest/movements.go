package paymenttest

import (
	"bytes"
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// movementBehaviours are about the movements of money that an invoice shows.
var movementBehaviours = []behaviour{
	{name: "refunds are movements with their dates and credit notes", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		for _, amount := range []int64{100, 250} {
			t.advance(day)
			_, err := t.refund(s, amount)
			require.NoError(t, err)
		}
		due := s.LatestInvoice.AmountDue.Minor()
		t.assertMovements(s, []movement{
			{billing.MovementPayment, -due},
			{billing.MovementRefund, 100}, {billing.MovementCreditNote, -100},
			{billing.MovementRefund, 250}, {billing.MovementCreditNote, -250},
		})
		inv := t.onlyInvoice(s.CustomerID)
		numbers := creditNoteNumbers(inv)
		if assert.Len(t, numbers, 2, "each refund has a credit note") && inv.HasPDF {
			assert.NotContains(t, numbers, "", "the credit notes of an invoice with a document have documents")
			assert.NotEqual(t, numbers[0], numbers[1])
		}
	}},
	{name: "a repeated refund has one credit note", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		req := payment.RefundRequest{Key: newKey(), InvoiceID: s.LatestInvoice.ID, Amount: aud(100)}
		for range 2 {
			inv, err := t.Provider.Refund(t.Context(), req)
			require.NoError(t, err)
			assert.Len(t, creditNoteNumbers(inv), 1)
		}
		assert.Len(t, creditNoteNumbers(t.onlyInvoice(s.CustomerID)), 1)
	}},
	{name: "a credit note is a PDF document for its customer only", needs: payment.Refunds, check: func(t *env) {
		t.skipWithout(payment.InvoicePDF)
		s, otherSub := t.subscribe(t.payingCustomer().ID, 0), t.subscribe(t.payingCustomer().ID, 0)
		_, err := t.refund(s, 100)
		require.NoError(t, err)
		inv := t.onlyInvoice(s.CustomerID)
		number := creditNoteNumbers(inv)[0]
		document, err := t.Provider.CreditNotePDF(t.Context(), s.CustomerID, inv.ID, number)
		require.NoError(t, err)
		assert.True(t, bytes.HasPrefix(document.PDF, []byte("%PDF")))
		assert.Equal(t, number, document.Number)
		_, err = t.Provider.CreditNotePDF(t.Context(), otherSub.CustomerID, inv.ID, number)
		t.assertFault(err, fault.NotFound)
		_, err = t.Provider.CreditNotePDF(t.Context(), s.CustomerID, inv.ID, number+"0")
		t.assertFault(err, fault.NotFound)
	}},
	{name: "each dispute and its decision are movements with their dates", needs: Disputes, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		due := s.LatestInvoice.AmountDue.Minor()
		want := []movement{{billing.MovementPayment, -due}}
		for _, won := range []bool{true, false} {
			t.advance(day)
			t.dispute(s)
			t.assertMovements(s, append(slices.Clone(want),
				movement{billing.MovementDispute, due}, movement{billing.MovementDisputePending, -due}), billing.MovementDisputePending)
			t.advance(day)
			t.CloseDispute(t.T, s.LatestInvoice.ID, won)
			decision := map[bool]billing.MovementKind{true: billing.MovementDisputeWon, false: billing.MovementDisputeLost}[won]
			want = append(want, movement{billing.MovementDispute, due}, movement{decision, -due})
			t.assertMovements(s, want)
		}
	}},
}

// creditNoteNumbers returns the numbers of the credit notes among the movements of the invoice, or "" without a document.
func creditNoteNumbers(inv billing.Invoice) (numbers []string) {
	for _, m := range inv.Movements() {
		if m.Kind == billing.MovementCreditNote {
			numbers = append(numbers, m.CreditNote)
		}
	}
	return numbers
}

// movement is the kind and the amount of a billing.Movement.
type movement struct {
	Kind  billing.MovementKind
	Minor int64
}

// assertMovements asserts the movements of the subscription's latest invoice, that each has a date except those of the
// undated kinds, that payments and returns have a method, and that all reads of the invoice agree.
func (t *env) assertMovements(s billing.Subscription, want []movement, undatedKinds ...billing.MovementKind) {
	t.Helper()
	inv := t.invoice(s.CustomerID, s.LatestInvoice.ID)
	var got []movement
	for _, m := range inv.Movements() {
		got = append(got, movement{m.Kind, m.Amount.Minor()})
		assert.NotEqual(t, slices.Contains(undatedKinds, m.Kind), !m.At.IsZero(), "the date of %s is %s", m.Kind, m.At)
		switch m.Kind {
		case billing.MovementPayment, billing.MovementBankReturn, billing.MovementDispute, billing.MovementRefund:
			assert.NotNil(t, m.Method, "the method of %s", m.Kind)
		}
	}
	assert.Equal(t, want, got)
	assertInvoiceReadsAgree(t.Context(), t, t.Provider, s.CustomerID)
}
