package stripepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func stubForInvoices(t *testing.T, invoices ...any) *stub {
	return newStub(t).respond(listInvoices, ok(list(invoices...))).respond(readPrice, ok(object{"id": "price_2", "lookup_key": "standard_yearly"}))
}

func TestListInvoices_ReadsEachPriceOnce(t *testing.T) {
	s := stubForInvoices(t, paidInvoice)
	p := s.provider()
	for range 2 {
		got, err := p.ListInvoices(t.Context(), payment.InvoicePage{CustomerID: "cus_1", Limit: 10})
		require.NoError(t, err)
		assert.Equal(t, payment.InvoiceList{Invoices: []billing.Invoice{{
			ID: "in_1", Number: "A-0001", SubscriptionID: "sub_1", Status: billing.InvoicePaid, Tax: aud(3818), Total: aud(42000), AmountDue: aud(42000),
			AmountPaid: aud(42000), CreatedAt: noon, PaidAt: noon.Add(time.Minute), HasPDF: true,
			Lines: []billing.Line{{Description: "Standard", Price: standard, Amount: aud(42000), Start: noon, End: noon.AddDate(1, 0, 0)}},
		}}}, got)
	}
	assert.Equal(t, []string{listInvoices, readPrice, listInvoices}, s.routes(), "a price is read once")
}

func TestListInvoices_SkipsDraftsAndReportsMore(t *testing.T) {
	draft := paidInvoice.with(object{"status": "draft"})
	for limit, more := range map[int]bool{1: true, 2: false} {
		got, err := stubForInvoices(t, draft, paidInvoice, draft, paidInvoice, draft).provider().
			ListInvoices(t.Context(), payment.InvoicePage{CustomerID: "cus_1", Limit: limit})
		require.NoError(t, err)
		assert.Len(t, got.Invoices, limit)
		assert.Equal(t, more, got.HasMore)
	}
}

func TestListInvoices_ForeignLine(t *testing.T) {
	s := stubForInvoices(t, paidInvoice.with(object{"lines": list(object{"id": "il_1", "amount": 100, "currency": "aud", "description": "Consulting"})}))
	got, err := s.provider().ListInvoices(t.Context(), payment.InvoicePage{CustomerID: "cus_1", Limit: 1})
	require.NoError(t, err)
	assert.Equal(t, []billing.Line{{Description: "Consulting", Amount: aud(100)}}, got.Invoices[0].Lines)
}

func TestListInvoices_InvalidPages(t *testing.T) {
	for _, limit := range []int{0, 101} {
		_, err := newStub(t).provider().ListInvoices(t.Context(), payment.InvoicePage{CustomerID: "cus_1", Limit: limit})
		assert.Equal(t, fault.Invalid, fault.CodeOf(err))
	}
	s := newStub(t).respond(readInvoice, ok(paidInvoice.with(object{"customer": "cus_2"})))
	_, err := s.provider().ListInvoices(t.Context(), payment.InvoicePage{CustomerID: "cus_1", Limit: 1, After: "in_1"})
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
}
