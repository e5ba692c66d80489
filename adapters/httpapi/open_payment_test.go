package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const cardWithInsufficientFunds = "4000000000009995"

// requestUpgrade requests the yearly professional plan.
func (b *browser) requestUpgrade() response {
	b.t.Helper()
	return b.post("/vc-admin/org/subscription/update?debug=true", priceBody("professional_yearly", "yearly"))
}

func (b *browser) pay(body map[string]any) response {
	b.t.Helper()
	return b.post("/vc-admin/org/subscription/pay", body)
}

// confirm ends the authentication of a payment or card with the outcome "complete" or "fail".
func (b *browser) confirm(pi *intent, outcome string) {
	b.t.Helper()
	require.NotNil(b.t, pi)
	res := b.post("/dev/payments/intents/"+pi.ClientSecret+"/confirm", map[string]any{"outcome": outcome})
	require.Equal(b.t, http.StatusOK, res.Status)
}

// signUpWithPaidPlan returns the browser of a user who has paid for the yearly standard plan.
func (s *testServer) signUpWithPaidPlan(t *testing.T) *browser {
	t.Helper()
	b := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	body := disableTrial(priceBody("standard_yearly", "yearly"))
	body["paymentMethodId"] = b.createCard("4242424242424242")
	require.Equal(t, "active", b.subscribe(body).Status)
	return b
}

func TestChangePlan_DeclinedChangeKeepsPaidPlan(t *testing.T) {
	s := newTestServer(t)
	b := s.signUpWithPaidPlan(t)
	paidLicense := b.detail().License
	b.addCard(cardWithInsufficientFunds)

	sub := decodeJSON[subscription](b.requestUpgrade())

	assert.Equal(t, "incomplete", sub.Status, "in the specification, active means that the change succeeded")
	require.NotNil(t, sub.LatestInvoice)
	assert.Equal(t, "requires_payment_method", sub.LatestInvoice.PaymentIntent.Status)
	require.NotNil(t, sub.PendingChange)
	assert.Equal(t, pendingChange{
		PriceID: "professional_yearly", InvoiceID: sub.LatestInvoice.ID, Amount: 81600 - 42000, Currency: "AUD",
		ExpiresAt: sub.PendingChange.ExpiresAt,
	}, *sub.PendingChange)

	detail := b.detail()
	assert.Equal(t, sub.PendingChange, detail.License.PendingChange)
	detail.License.PendingChange = nil
	assert.Equal(t, paidLicense, detail.License, "the plan, status and period that were paid for stay")
	require.NotNil(t, detail.OpenPayment)
	assert.Equal(t, "plan_change", detail.OpenPayment.Kind)
	assert.Equal(t, sub.LatestInvoice.ID, detail.OpenPayment.InvoiceID)
	assert.Equal(t, int64(81600-42000), detail.OpenPayment.Amount)
	assert.Equal(t, "Your card has insufficient funds.", detail.OpenPayment.Reason)
	assert.NotEmpty(t, detail.OpenPayment.FailedMethodID)
	assert.NotNil(t, detail.OpenPayment.FailedAt)
	assert.NotNil(t, detail.OpenPayment.ExpiresAt)
	assert.NotNil(t, detail.OpenPayment.Since)

	subs := decodeJSON[struct{ Data []subscription }](b.post("/vc-admin/org/subscription/list", nil)).Data
	require.Len(t, subs, 1)
	assert.Equal(t, "active", subs[0].Status)
	assert.Equal(t, "standard_yearly", subs[0].PriceID)
	assert.NotNil(t, subs[0].PendingChange)

	s.advance(t, 20*24*time.Hour)
	detail = b.detail()
	assert.Equal(t, paidLicense, detail.License, "the change expired after 15 days")
	assert.Nil(t, detail.OpenPayment)
}

func TestUserDetail_ReportsRenewalThatNeedsApproval(t *testing.T) {
	s := newTestServer(t)
	b := s.signUpWithPaidPlan(t)
	b.addCard("4000002500003155")
	s.advance(t, 366*24*time.Hour)

	detail := b.detail()

	assert.Equal(t, "past_due", detail.License.Raw.Status)
	require.NotNil(t, detail.OpenPayment)
	assert.Equal(t, "overdue", detail.OpenPayment.Kind)
	assert.True(t, detail.OpenPayment.Approval)
	res := b.post("/vc-admin/org/subscription/update", priceBody("professional_yearly", "yearly"))
	res.requireError(http.StatusConflict, "ERRCONFLICT")
	assert.Contains(t, string(res.Body), "Your bank wants you to approve your last payment.")

	b.addCard(cardWithInsufficientFunds)
	payment := b.detail().OpenPayment
	b.pay(map[string]any{"invoiceId": payment.InvoiceID, "amount": payment.Amount})
	assert.False(t, b.detail().OpenPayment.Approval, "the attempt with another card was declined")
}

func TestPayOpenInvoice_RefusesAnotherInvoiceOrAmount(t *testing.T) {
	s := newTestServer(t)
	b := s.signUpWithPaidPlan(t)
	b.addCard(cardWithInsufficientFunds)
	b.requestUpgrade()
	payment := b.detail().OpenPayment
	for _, body := range []map[string]any{
		{"invoiceId": payment.InvoiceID, "amount": payment.Amount - 1}, {"invoiceId": "in_other", "amount": payment.Amount},
		{"setup": true},
	} {
		res := b.pay(body)
		res.requireError(http.StatusConflict, "ERRQUOTE")
		assert.Equal(t, payment.InvoiceID, decodeJSON[struct{ Quote openPayment }](res).Quote.InvoiceID)
		assert.Equal(t, payment.Amount, decodeJSON[struct{ Quote openPayment }](res).Quote.Amount)
	}
	b.pay(map[string]any{"amount": payment.Amount}).requireError(http.StatusBadRequest, "ERRVALIDATION")
	b.pay(map[string]any{"invoiceId": payment.InvoiceID}).requireError(http.StatusBadRequest, "ERRVALIDATION")
}

func TestPayOpenInvoice_RefusesInvoiceAndCardOfAnotherOrganisation(t *testing.T) {
	s := newTestServer(t)
	b := s.signUpWithPaidPlan(t)
	eve := s.signUp(t, "Harbour Clinic", "eve@harbour.example")
	foreignCardID := eve.addCard("4242424242424242")
	b.addCard(cardWithInsufficientFunds)
	b.requestUpgrade()
	payment := b.detail().OpenPayment

	b.pay(map[string]any{"invoiceId": payment.InvoiceID, "amount": payment.Amount, "paymentMethodId": foreignCardID}).
		requireError(http.StatusNotFound, "ERRNOTFOUND")
	eve.pay(map[string]any{"invoiceId": payment.InvoiceID, "amount": payment.Amount}).requireError(http.StatusConflict, "ERRQUOTE")
	assert.NotNil(t, b.detail().OpenPayment)
}

func TestChangePlan_DeclinedChangeReportsScheduledChangeThatItReplaces(t *testing.T) {
	b := newTestServer(t).signUpWithPaidPlan(t)
	change := priceBody("standard_monthly", "monthly")
	change["when"] = "renewal"
	require.Equal(t, http.StatusOK, b.post("/vc-admin/org/subscription/update", change).Status)
	renewalChange := b.detail().License.ScheduledChange
	require.NotNil(t, renewalChange)
	b.addCard(cardWithInsufficientFunds)

	sub := decodeJSON[subscription](b.requestUpgrade())

	assert.Equal(t, renewalChange, sub.PendingChange.Replaces)
	license := b.detail().License
	assert.Equal(t, renewalChange, license.PendingChange.Replaces)
	assert.Nil(t, license.ScheduledChange)
	require.Equal(t, http.StatusOK, b.post("/vc-admin/org/subscription/pending/cancel", map[string]any{}).Status)
	assert.Equal(t, renewalChange, b.detail().License.ScheduledChange)
}

func TestSubscribe_ReportsProcessingPayment(t *testing.T) {
	s := newTestServer(t)
	b := s.signUp(t, "Harbour Clinic", "eve@harbour.example")
	body := priceBody("professional_yearly", "yearly")
	body["paymentMethodId"], body["no_trial"] = b.createCard("6000000000056819"), true

	sub := b.subscribe(body)

	assert.Equal(t, "processing", sub.Outcome)
	detail := b.detail()
	assert.Nil(t, detail.OpenPayment)
	expectedBy := s.clock.Now().Add(3 * 24 * time.Hour).Truncate(time.Second)
	require.NotNil(t, detail.Processing)
	assert.WithinDuration(t, expectedBy, *detail.Processing.ExpectedBy, time.Minute)
	detail.Processing.ExpectedBy = nil
	assert.Equal(t, &processingPayment{
		Kind: "first_payment", InvoiceID: sub.LatestInvoice.ID, Currency: "AUD", PriceID: "professional_yearly", Amount: 81600,
		Method: &struct{ Kind, Label string }{"bank_debit", "Bank account •••• 6819"},
	}, detail.Processing)
	res := b.trySubscribe(priceBody("standard_monthly", "monthly"))
	res.requireError(http.StatusConflict, "ERRCONFLICT")
	assert.Contains(t, string(res.Body), "Your payment of $816 AUD is on its way")

	s.advance(t, 3*24*time.Hour)
	assert.Equal(t, "active", b.detail().License.Raw.Status)
	assert.Nil(t, b.detail().Processing)
}
