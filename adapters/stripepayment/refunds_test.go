package stripepayment_test

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

func TestRefund_ThatFailsLaterGivesTheWithdrawnCreditBack(t *testing.T) {
	for _, status := range []string{"failed", "canceled", "requires_action"} {
		t.Run(status, func(t *testing.T) {
			d := newDisputeEnv(t, 50000)
			invoiceID := d.subscription.LatestInvoice.ID
			refundedInvoice, err := d.Refund(t.Context(),
				payment.RefundRequest{Key: rand.Text(), InvoiceID: invoiceID, Amount: aud(10000)})
			require.NoError(t, err)
			require.Equal(t, aud(10000), refundedInvoice.Refunded)
			require.Equal(t, aud(40000), d.customer(t).Credit)
			charges := d.mustGet(t, "/v1/charges?expand[]=data.refunds&customer="+d.subscription.CustomerID)["data"].([]any)
			refunds := charges[0].(map[string]any)["refunds"].(map[string]any)["data"].([]any)
			refundID := refunds[0].(map[string]any)["id"].(string)
			d.mustPost(t, "/local/refunds", url.Values{"refund": {refundID}, "status": {status}})

			d.deliverAllEvents(t, d.Provider)
			d.deliverAllEvents(t, d.Provider)

			assert.Equal(t, aud(50000), d.customer(t).Credit)
			page, err := d.ListInvoices(t.Context(),
				payment.InvoiceQuery{CustomerID: d.subscription.CustomerID, Limit: 1, InvoiceID: invoiceID})
			require.NoError(t, err)
			assert.Equal(t, aud(0), page.Invoices[0].Refunded)
			assert.Equal(t, aud(10000), page.Invoices[0].FailedRefunds)
			returnedPayments, err := d.ReturnedPayments(t.Context(), d.subscription.CustomerID)
			require.NoError(t, err)
			assert.Equal(t, []money.Amount{aud(0), aud(0)},
				[]money.Amount{returnedPayments[0].Amount, returnedPayments[0].Withdrawn})
		})
	}
}

// Stripe may report a refund as failed before it changes amount_refunded.
func TestListInvoices_FailedRefundIsNotRefunded(t *testing.T) {
	refund := func(status string, amount int) object {
		return object{"id": "re_1", "object": "refund", "status": status, "amount": amount}
	}
	refundedCharge := charge.withFields(object{"amount_refunded": 3000,
		"refunds": list(refund("failed", 2000), refund("succeeded", 1000))})
	s := stubForInvoices(t, paidInvoice).respond(listChargesRoute, okResponse(list(refundedCharge)))
	page, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 1})
	require.NoError(t, err)
	assert.Equal(t, aud(1000), page.Invoices[0].Refunded)
	assert.Equal(t, aud(2000), page.Invoices[0].FailedRefunds)
}

func TestLocalRefunds_RefusesUnknownRefunds(t *testing.T) {
	d := newDisputeEnv(t, 0)
	for _, params := range []url.Values{
		{"refund": {"re_unknown"}, "status": {"failed"}}, {"refund": {"re_unknown"}, "status": {"succeeded"}},
	} {
		status, _ := d.sendRequest(t, http.MethodPost, "/local/refunds", publishableKey, params)
		assert.GreaterOrEqual(t, status, http.StatusBadRequest)
	}
}
