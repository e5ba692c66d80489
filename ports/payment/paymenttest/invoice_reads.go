package paymenttest

import (
	"context"
	"reflect"
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// detailFields are the fields that the latest invoice of a subscription may lack. A value that it has equals the value in
// the list. All other fields are always equal, also those that are added to billing.Invoice later.
var detailFields = []string{
	"Number", "SubscriptionID", "Lines", "Refunded", "Credited", "DueAt", "PaidAt", "HasPDF", "Buyer", "Seller", "TaxName",
	"ReceivedPayments", "Returns", "TimeZone",
}

// testingT is implemented by *testing.T and *rapid.T.
type testingT interface {
	require.TestingT
	Helper()
}

// assertInvoiceReadsAgree asserts that all reads of the customer's invoices have the same fields: the list, the list of a
// single invoice, and the latest invoices of Subscription and ListSubscriptions.
func assertInvoiceReadsAgree(ctx context.Context, t testingT, p payment.Provider, customerID string) {
	t.Helper()
	list, err := p.ListInvoices(ctx, payment.InvoiceQuery{CustomerID: customerID, Limit: 100})
	require.NoError(t, err)
	for _, inv := range list.Invoices {
		assertMovementsAddUp(t, inv)
		single, err := p.ListInvoices(ctx, payment.InvoiceQuery{CustomerID: customerID, InvoiceID: inv.ID, Limit: 1})
		require.NoError(t, err)
		assert.Equal(t, payment.InvoiceList{Invoices: []billing.Invoice{inv}}, single, "a list with InvoiceID")
	}
	subs, err := p.ListSubscriptions(ctx, customerID)
	require.NoError(t, err)
	for _, s := range subs {
		assertLatestInvoiceAgrees(t, "ListSubscriptions", s, list.Invoices)
		if s, err = p.Subscription(ctx, s.ID); assert.NoError(t, err) {
			assertLatestInvoiceAgrees(t, "Subscription", s, list.Invoices)
		}
	}
}

// assertLatestInvoiceAgrees asserts that the latest invoice of the subscription equals the invoice in the list, except for
// the details that it lacks. Its movements of money are the same, or add up to the same amount. The list contains no drafts.
func assertLatestInvoiceAgrees(t testingT, read string, s billing.Subscription, listedInvoices []billing.Invoice) {
	t.Helper()
	if s.LatestInvoice == nil || s.LatestInvoice.Status == billing.InvoiceDraft {
		return
	}
	assertMovementsAddUp(t, *s.LatestInvoice)
	i := slices.IndexFunc(listedInvoices, func(inv billing.Invoice) bool { return inv.ID == s.LatestInvoice.ID })
	require.GreaterOrEqual(t, i, 0, "the latest invoice is listed")
	for _, difference := range invoiceDifferences(*s.LatestInvoice, listedInvoices[i]) {
		assert.Fail(t, "the latest invoice of "+read+" and the list differ", "%s: %+v and %+v", difference,
			reflect.ValueOf(*s.LatestInvoice).FieldByName(difference), reflect.ValueOf(listedInvoices[i]).FieldByName(difference))
	}
	if len(s.LatestInvoice.ReceivedPayments)+len(s.LatestInvoice.Returns) > 0 {
		assert.Equal(t, listedInvoices[i].Movements(), s.LatestInvoice.Movements(), "the movements of "+read)
	}
}

// invoiceDifferences returns the names of the fields in which the latest invoice of a subscription differs from the same
// invoice in the list. A list contains no payment.
func invoiceDifferences(latest, listed billing.Invoice) (names []string) {
	latest.Payment = nil
	latestValue, listedValue := reflect.ValueOf(latest), reflect.ValueOf(listed)
	for i, field := range reflect.VisibleFields(latestValue.Type()) {
		a, b := latestValue.Field(i), listedValue.Field(i)
		if a.IsZero() && slices.Contains(detailFields, field.Name) {
			continue
		}
		if !equalValues(a.Interface(), b.Interface()) {
			names = append(names, field.Name)
		}
	}
	return names
}

// equalValues reports whether the values are equal. The zero Amount means zero in any currency.
func equalValues(a, b any) bool {
	amountA, isAmount := a.(money.Amount)
	amountB, _ := b.(money.Amount)
	if isAmount && amountA.Minor() == 0 && amountB.Minor() == 0 {
		return true
	}
	return reflect.DeepEqual(a, b)
}
