package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const createCreditNoteRoute = "POST /v1/credit_notes"

func TestExtendTrial_RepeatSendsNoUpdate(t *testing.T) {
	newTrialEnd := noon.AddDate(0, 1, 0)
	extendedSubscription := trialingSubscription.withFields(object{
		"trial_end": newTrialEnd.Unix(), "metadata": object{"trial_extension": "key-1"},
	})
	req := payment.TrialExtension{Key: "key-1", SubscriptionID: "sub_1", Until: newTrialEnd}
	s := newStub(t).respond(readSubscriptionRoute, okResponse(trialingSubscription), okResponse(extendedSubscription)).
		respond(updateSubscriptionRoute, okResponse(extendedSubscription))
	p := s.provider()
	for range 2 {
		extendedSub, err := p.ExtendTrial(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, newTrialEnd, extendedSub.TrialEnd)
	}
	params := s.lastRequest(updateSubscriptionRoute).params
	assert.Equal(t, "none", params.Get(prorationBehaviourParam))
	assert.Equal(t, "1775044800", params.Get("trial_end"))
	assert.Equal(t, 1, s.count(updateSubscriptionRoute), "a repeat does not extend the trial again")
}

func TestRefund_IsRecordedWithTheCharge(t *testing.T) {
	s := stubForInvoices(t).respond(readInvoiceRoute, okResponse(paidInvoice)).
		respond(createCreditNoteRoute, okResponse(object{"id": "cn_1"})).
		respond(readCustomerRoute, okResponse(customer)).
		respond(listChargesRoute, okResponse(list(charge.withFields(object{"amount_refunded": 100})))).
		respond("GET /v1/invoices", okResponse(list(paidInvoice))).respond(updateChargeRoute, okResponse(charge))
	refundedInvoice, err := s.provider().Refund(t.Context(), payment.RefundRequest{
		Key: "key-1", InvoiceID: "in_1", Amount: aud(100),
	})
	require.NoError(t, err)
	assert.Equal(t, billing.InvoicePaid, refundedInvoice.Status)
	assert.Equal(t, aud(100), refundedInvoice.Refunded)
	assert.Equal(t, url.Values{"invoice": {"in_1"}, "amount": {"100"}, "refund_amount": {"100"}, "email_type": {"none"}}, s.lastRequest(createCreditNoteRoute).params)
	assert.Equal(t, "key-1", s.lastRequest(createCreditNoteRoute).key())
	assert.Equal(t, url.Values{"metadata[refund]": {"100 0 0 1772366400"}}, s.lastRequest(updateChargeRoute).params)
}

func TestRefund_RefusesInvalidAmountsAndUnpaidInvoices(t *testing.T) {
	invoicePaidInUSD := openInvoice.withFields(object{"status": "paid", "currency": "usd"})
	for name, c := range map[string]struct {
		invoice object
		amount  int64
		want    fault.Code
	}{
		"more than was paid": {paidInvoice, 42001, fault.Conflict},
		"nothing":            {paidInvoice, 0, fault.Invalid},
		"another currency":   {invoicePaidInUSD, 100, fault.Invalid},
		"not paid":           {openInvoice, 100, fault.Conflict},
		"paid with credit":   {paidInvoice.withFields(object{"payments": list()}), 100, fault.Conflict},
	} {
		s := newStub(t).respond(readInvoiceRoute, okResponse(c.invoice)).
			respond(createCreditNoteRoute, invalidRequestResponse(object{"param": "amount"}))
		_, err := s.provider().Refund(t.Context(), payment.RefundRequest{Key: "key-1", InvoiceID: "in_1", Amount: aud(c.amount)})
		assert.Equal(t, c.want, fault.CodeOf(err), name)
	}
}
