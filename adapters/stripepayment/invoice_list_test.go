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

// manualInvoice is an invoice that an operator made in Stripe's dashboard.
func manualInvoice(lines ...any) object {
	return paidInvoice.with(object{"id": "in_2", "parent": nil, "billing_reason": "manual", "lines": list(lines...)})
}

// manualLine has a price of its own, as every item of an operator's invoice.
func manualLine(amount int, description any) object {
	return line("price_own", amount, false).with(object{"description": description, "parent": object{
		"type": "invoice_item_details", "subscription_item_details": nil,
		"invoice_item_details": object{"invoice_item": "ii_1", "proration": false, "subscription": nil},
	}})
}

func TestListInvoices_PricesOfAnOperatorsInvoiceAreNotRead(t *testing.T) {
	s := newStub(t).respond(listInvoices, ok(list(manualInvoice(manualLine(1000, "Set-up"), manualLine(500, nil), manualLine(-200, nil)))))

	got, err := s.provider().ListInvoices(t.Context(), payment.InvoicePage{CustomerID: "cus_1", Limit: 10})

	require.NoError(t, err)
	require.Len(t, got.Invoices, 1)
	assert.Empty(t, got.Invoices[0].SubscriptionID)
	var texts []string
	for _, line := range got.Invoices[0].Lines {
		texts = append(texts, line.Description)
	}
	assert.Equal(t, []string{"Set-up", "One-off charge", "Credit"}, texts)
	assert.Equal(t, []string{listInvoices}, s.routes())
}

func TestListInvoices_ClassicProrationHasItsPlan(t *testing.T) {
	proration := manualLine(-5000, "Unused time on 1 × Clinic").with(object{"pricing": object{"price_details": object{"price": "price_2"}}})
	proration["parent"] = object{"type": "invoice_item_details", "invoice_item_details": object{"proration": true, "subscription": "sub_1"}}
	got, err := stubForInvoices(t, paidInvoice.with(object{"lines": list(proration)})).provider().
		ListInvoices(t.Context(), payment.InvoicePage{CustomerID: "cus_1", Limit: 10})
	require.NoError(t, err)
	assert.Equal(t, standard, got.Invoices[0].Lines[0].Price)
	assert.Equal(t, "Unused time on Standard", got.Invoices[0].Lines[0].Description)
}

// Stripe may refuse one price for good; without a response the list is read again later.
func TestListInvoices_FailingReadOfAPrice(t *testing.T) {
	page := payment.InvoicePage{CustomerID: "cus_1", Limit: 10}
	got, err := stubForInvoices(t, paidInvoice, manualInvoice()).respond(readPrice, missingParam("price")).provider().ListInvoices(t.Context(), page)
	require.NoError(t, err)
	assert.Len(t, got.Invoices, 2)
	assert.Equal(t, "1 × Clinic (at $420.00 / year)", got.Invoices[0].Lines[0].Description)
	assert.Zero(t, got.Invoices[0].Lines[0].Price)

	_, err = stubForInvoices(t, paidInvoice).respond(readPrice, errorResponse(500, object{"type": "api_error"})).provider().ListInvoices(t.Context(), page)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
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
