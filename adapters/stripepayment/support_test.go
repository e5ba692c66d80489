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

const createRefund = "POST /v1/refunds"

func TestExtendTrial_RepeatSendsNoUpdate(t *testing.T) {
	until := noon.AddDate(0, 1, 0)
	extended := trialing.with(object{"trial_end": until.Unix(), "metadata": object{"trial_extension": "key-1"}})
	req := payment.TrialExtension{Key: "key-1", SubscriptionID: "sub_1", Until: until}
	s := newStub(t).respond(readSubscription, ok(trialing), ok(extended)).respond(updateSubscription, ok(extended))
	p := s.provider()
	for range 2 {
		got, err := p.ExtendTrial(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, until, got.TrialEnd)
	}
	params := s.last(updateSubscription).params
	assert.Equal(t, "none", params.Get(prorationBehaviour))
	assert.Equal(t, "1775044800", params.Get("trial_end"))
	assert.Equal(t, 1, s.count(updateSubscription), "the repeat finds the trial extended")
}

func TestRefund_IsRecordedWithTheCharge(t *testing.T) {
	s := stubForInvoices(t).respond(readInvoice, ok(paidInvoice)).
		respond(createRefund, ok(object{"id": "re_1", "charge": "ch_1"})).respond(readCustomer, ok(customer)).
		respond(listCharges, ok(list(charge.with(object{"amount_refunded": 100})))).
		respond("GET /v1/invoices", ok(list(paidInvoice))).respond(updateCharge, ok(charge))
	got, err := s.provider().Refund(t.Context(), payment.Refund{Key: "key-1", InvoiceID: "in_1", Amount: aud(100)})
	require.NoError(t, err)
	assert.Equal(t, billing.InvoicePaid, got.Status)
	assert.Equal(t, aud(100), got.Refunded)
	assert.Equal(t, url.Values{"payment_intent": {"pi_1"}, "amount": {"100"}}, s.last(createRefund).params)
	assert.Equal(t, "key-1", s.last(createRefund).key())
	assert.Equal(t, url.Values{"metadata[refund]": {"100 0 0 1772366400"}}, s.last(updateCharge).params)
}

func TestRefund_RefusesInvalidAmountsAndUnpaidInvoices(t *testing.T) {
	paidInUSD := openInvoice.with(object{"status": "paid", "currency": "usd"})
	for name, c := range map[string]struct {
		invoice object
		amount  int64
		want    fault.Code
	}{
		"more than was paid": {paidInvoice, 42001, fault.Conflict},
		"nothing":            {paidInvoice, 0, fault.Invalid},
		"another currency":   {paidInUSD, 100, fault.Invalid},
		"not paid":           {openInvoice, 100, fault.Conflict},
		"paid with credit":   {paidInvoice.with(object{"payments": list()}), 100, fault.Conflict},
	} {
		s := newStub(t).respond(readInvoice, ok(c.invoice)).respond(createRefund, invalidRequest(object{"param": "amount"}))
		_, err := s.provider().Refund(t.Context(), payment.Refund{Key: "key-1", InvoiceID: "in_1", Amount: aud(c.amount)})
		assert.Equal(t, c.want, fault.CodeOf(err), name)
	}
}
