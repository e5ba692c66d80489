package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const insufficientFunds = "4000000000009995"

func order(priceID, interval string) map[string]any {
	return map[string]any{"priceId": priceID, "interval": interval, "currency": "AUD"}
}

// changeTo asks for the yearly professional plan.
func (b *browser) changeTo() answer {
	b.t.Helper()
	return b.post("/vc-admin/org/subscription/update?debug=true", order("professional_yearly", "yearly"))
}

func (b *browser) pay(body map[string]any) answer {
	b.t.Helper()
	return b.post("/vc-admin/org/subscription/pay", body)
}

// confirm finishes what the bank asks for in the browser: complete or fail.
func (b *browser) confirm(in *intent, outcome string) {
	b.t.Helper()
	require.NotNil(b.t, in)
	a := b.post("/dev/payments/intents/"+in.ClientSecret+"/confirm", map[string]any{"outcome": outcome})
	require.Equal(b.t, http.StatusOK, a.Status)
}

// paidStandard is a member who has paid for a year of the standard plan.
func (h *house) paidStandard(t *testing.T) *browser {
	t.Helper()
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	body := order("standard_yearly", "yearly")
	body["paymentMethodId"], body["no_trial"] = b.card("4242424242424242"), true
	require.Equal(t, "active", into[subscription](b.subscribe(body)).Status)
	return b
}

func TestChangePlan_DeclinedChangeKeepsThePaidPlan(t *testing.T) {
	h := newHouse(t)
	b := h.paidStandard(t)
	before := b.detail().Detail.License
	b.addCard(insufficientFunds)

	answered := into[subscription](b.changeTo())

	assert.Equal(t, "incomplete", answered.Status, "the screen must not take it for a success")
	require.NotNil(t, answered.LatestInvoice)
	assert.Equal(t, "requires_payment_method", answered.LatestInvoice.PaymentIntent.Status)
	require.NotNil(t, answered.PendingChange)
	assert.Equal(t, pendingChange{
		PriceID: "professional_yearly", InvoiceID: answered.LatestInvoice.ID, Amount: 81600 - 42000, Currency: "AUD",
		ExpiresAt: answered.PendingChange.ExpiresAt,
	}, *answered.PendingChange)

	detail := b.detail().Detail
	assert.Equal(t, answered.PendingChange, detail.License.PendingChange)
	detail.License.PendingChange = nil
	assert.Equal(t, before, detail.License, "plan, status and period are what was paid for")
	require.NotNil(t, detail.OpenPayment)
	assert.Equal(t, "plan_change", detail.OpenPayment.Kind)
	assert.Equal(t, answered.LatestInvoice.ID, detail.OpenPayment.InvoiceID)
	assert.Equal(t, int64(81600-42000), detail.OpenPayment.Amount)
	assert.Equal(t, "Your card has insufficient funds.", detail.OpenPayment.Reason)
	assert.NotNil(t, detail.OpenPayment.ExpiresAt)
	assert.NotNil(t, detail.OpenPayment.Since)

	listed := into[struct{ Data []subscription }](b.post("/vc-admin/org/subscription/list", nil)).Data
	require.Len(t, listed, 1)
	assert.Equal(t, "active", listed[0].Status)
	assert.Equal(t, "standard_yearly", listed[0].PriceID)
	assert.NotNil(t, listed[0].PendingChange)

	h.advance(t, 20*24*time.Hour)
	detail = b.detail().Detail
	assert.Equal(t, before, detail.License, "nothing is lost after 15 days either")
	assert.Nil(t, detail.OpenPayment)
}

func TestChangePlan_DeclinedChangeKeepsTheTrial(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	body := order("standard_yearly", "yearly")
	body["paymentMethodId"] = b.card(insufficientFunds)
	require.Equal(t, "trialing", into[subscription](b.subscribe(body)).Status)
	before := b.detail().Detail.License

	assert.Equal(t, "incomplete", into[subscription](b.changeTo()).Status)

	detail := b.detail().Detail
	assert.Equal(t, "trialing", detail.License.Raw.Status)
	assert.Equal(t, "standard", detail.License.Raw.Metadata.Name)
	assert.Equal(t, before.Raw.TrialEnd, detail.License.Raw.TrialEnd)
	assert.Equal(t, int64(81600), detail.OpenPayment.Amount)
}

func TestPay_AnotherCardPaysThePendingChange(t *testing.T) {
	h := newHouse(t)
	b := h.paidStandard(t)
	b.addCard(insufficientFunds)
	b.changeTo()
	open := b.detail().Detail.OpenPayment
	good := b.card("5555555555554444") // made in the browser, not saved

	paid := into[subscription](b.pay(map[string]any{
		"invoiceId": open.InvoiceID, "amount": open.Amount, "paymentMethodId": good, "makeDefault": true,
	}))

	assert.Equal(t, "active", paid.Status)
	assert.Equal(t, "professional_yearly", paid.PriceID)
	assert.Nil(t, paid.PendingChange)
	detail := b.detail().Detail
	assert.Equal(t, "professional", detail.License.Raw.Metadata.Name)
	assert.Nil(t, detail.OpenPayment)
	assert.Equal(t, good, into[customer](b.post("/vc-admin/org/customer", nil)).InvoiceSettings.DefaultPaymentMethod)
	again := b.pay(map[string]any{"invoiceId": open.InvoiceID, "amount": open.Amount})
	assert.Equal(t, "active", into[subscription](again).Status, "paying twice finds it paid")
}

func TestPay_OnlyAnExplicitPaymentPaysThePendingChange(t *testing.T) {
	h := newHouse(t)
	b := h.paidStandard(t)
	b.addCard(insufficientFunds)
	b.changeTo()

	added := b.addCard("5555555555554444")
	require.Equal(t, http.StatusOK, b.setDefault(added).Status)

	assert.Equal(t, "standard", b.detail().Detail.License.Raw.Metadata.Name)
	assert.NotNil(t, b.detail().Detail.OpenPayment)
	confirmed := into[subscription](b.changeTo())
	assert.Equal(t, "active", confirmed.Status, "confirming the same plan again pays it with the default card")
	assert.Equal(t, "professional_yearly", confirmed.PriceID)
}

func TestPay_FailedAuthenticationKeepsThePlanAndCanBeTriedAgain(t *testing.T) {
	h := newHouse(t)
	b := h.paidStandard(t)
	asking := b.addCard("4000002500003155")
	first := into[subscription](b.changeTo())
	require.Equal(t, "requires_action", first.LatestInvoice.PaymentIntent.Status)
	b.confirm(first.LatestInvoice.PaymentIntent, "fail")
	open := b.detail().Detail.OpenPayment
	require.Equal(t, "plan_change", open.Kind)
	assert.Contains(t, open.Reason, "authenticate")

	second := into[subscription](b.pay(map[string]any{"invoiceId": open.InvoiceID, "amount": open.Amount, "paymentMethodId": asking}))

	assert.Equal(t, "incomplete", second.Status)
	assert.Equal(t, "requires_action", second.LatestInvoice.PaymentIntent.Status)
	assert.Equal(t, "standard", b.detail().Detail.License.Raw.Metadata.Name)
	b.confirm(second.LatestInvoice.PaymentIntent, "complete")
	assert.Equal(t, "professional", b.detail().Detail.License.Raw.Metadata.Name)
}

func TestPay_AnotherInvoiceOrAmountIsAQuoteFailure(t *testing.T) {
	h := newHouse(t)
	b := h.paidStandard(t)
	b.addCard(insufficientFunds)
	b.changeTo()
	open := b.detail().Detail.OpenPayment
	for _, named := range []map[string]any{
		{"invoiceId": open.InvoiceID, "amount": open.Amount - 1}, {"invoiceId": "in_other", "amount": open.Amount}, {"setup": true},
	} {
		refused := b.pay(named)
		refused.refused(http.StatusConflict, "ERRQUOTE")
		assert.Equal(t, open.InvoiceID, into[struct{ Quote openPayment }](refused).Quote.InvoiceID)
		assert.Equal(t, open.Amount, into[struct{ Quote openPayment }](refused).Quote.Amount)
	}
	b.pay(map[string]any{"amount": open.Amount}).refused(http.StatusBadRequest, "ERRVALIDATION")
	b.pay(map[string]any{"invoiceId": open.InvoiceID}).refused(http.StatusBadRequest, "ERRVALIDATION")
}

func TestPay_AnotherOrganisationsInvoiceAndCardAreRefused(t *testing.T) {
	h := newHouse(t)
	b := h.paidStandard(t)
	stranger := h.member(t, "Harbour Clinic", "eve@harbour.example")
	theirs := stranger.addCard("4242424242424242")
	b.addCard(insufficientFunds)
	b.changeTo()
	open := b.detail().Detail.OpenPayment

	b.pay(map[string]any{"invoiceId": open.InvoiceID, "amount": open.Amount, "paymentMethodId": theirs}).
		refused(http.StatusNotFound, "ERRNOTFOUND")
	stranger.pay(map[string]any{"invoiceId": open.InvoiceID, "amount": open.Amount}).refused(http.StatusConflict, "ERRQUOTE")
	assert.NotNil(t, b.detail().Detail.OpenPayment)
}

func TestCancelPendingChange_KeepsThePlan(t *testing.T) {
	h := newHouse(t)
	b := h.paidStandard(t)
	b.addCard(insufficientFunds)
	b.changeTo()
	for range 2 {
		after := into[subscription](b.post("/vc-admin/org/subscription/pending/cancel", map[string]any{}))
		assert.Equal(t, "active", after.Status)
		assert.Equal(t, "standard_yearly", after.PriceID)
		assert.Nil(t, after.PendingChange)
	}
	assert.Nil(t, b.detail().Detail.OpenPayment)
	assert.Nil(t, b.detail().Detail.License.PendingChange)
	b.post("/vc-admin/org/subscription/update", order("standard_monthly", "monthly"))
	assert.Equal(t, "standard_monthly", into[struct{ Data []subscription }](b.post("/vc-admin/org/subscription/list", nil)).Data[0].PriceID,
		"another change is possible again")
}

func TestCancelPendingChange_PaidMeanwhileSaysSo(t *testing.T) {
	h := newHouse(t)
	b := h.paidStandard(t)
	b.addCard("4000002500003155")
	first := into[subscription](b.changeTo())
	b.confirm(first.LatestInvoice.PaymentIntent, "complete")

	after := into[subscription](b.post("/vc-admin/org/subscription/pending/cancel", nil))

	assert.Equal(t, "professional_yearly", after.PriceID)
	assert.Equal(t, "active", after.Status)
}

func TestPay_OverdueBillAndFirstPayment(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	body := order("standard_monthly", "monthly")
	body["paymentMethodId"], body["no_trial"] = b.card(insufficientFunds), true
	require.Equal(t, "incomplete", into[subscription](b.subscribe(body)).Status)
	open := b.detail().Detail.OpenPayment
	require.NotNil(t, open)
	assert.Equal(t, "first_payment", open.Kind)
	assert.Equal(t, "standard_monthly", open.PriceID)
	paid := b.pay(map[string]any{"invoiceId": open.InvoiceID, "amount": open.Amount, "paymentMethodId": b.card("4242424242424242")})
	assert.Equal(t, "active", into[subscription](paid).Status)

	h.advance(t, 32*24*time.Hour)
	open = b.detail().Detail.OpenPayment
	require.NotNil(t, open, "the default card is still the one that is declined")
	assert.Equal(t, "overdue", open.Kind)
	assert.NotNil(t, open.NextAttemptAt)
	b.changeTo().refused(http.StatusConflict, "ERRCONFLICT")
	paid = b.pay(map[string]any{"invoiceId": open.InvoiceID, "amount": open.Amount, "paymentMethodId": b.card("4242424242424242"), "makeDefault": true})
	assert.Equal(t, "active", into[subscription](paid).Status)
	assert.Nil(t, b.detail().Detail.OpenPayment)
}

func TestPay_TrialAuthenticationIsFinishedLater(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	first := into[subscription](b.subscribe(yearly(b.card("4000002500003155"))))
	b.confirm(first.PendingSetupIntent, "fail")
	open := b.detail().Detail.OpenPayment
	require.NotNil(t, open, "the trial would end unpaid")
	assert.Equal(t, "authentication", open.Kind)
	assert.Zero(t, open.Amount)
	assert.Empty(t, open.InvoiceID)

	again := into[subscription](b.pay(map[string]any{"setup": true, "paymentMethodId": b.card("4000002500003155")}))

	assert.Equal(t, "trialing", again.Status)
	require.NotNil(t, again.PendingSetupIntent)
	b.confirm(again.PendingSetupIntent, "complete")
	assert.Nil(t, b.detail().Detail.OpenPayment)
	b.pay(map[string]any{"setup": true}).refused(http.StatusConflict, "ERRQUOTE")
}

func TestPay_CountsAsAPayment(t *testing.T) {
	h := newStrictHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	b.from = "203.0.113.7"
	for range 20 {
		b.pay(map[string]any{"invoiceId": "in_none", "amount": 1}).refused(http.StatusConflict, "ERRQUOTE")
	}
	b.pay(map[string]any{"invoiceId": "in_none", "amount": 1}).tooOften("180", "3 minutes")
}

func TestPay_ChargesTheSameCardThreeTimesAnHour(t *testing.T) {
	h := newHouse(t)
	b := h.paidStandard(t)
	b.addCard(insufficientFunds)
	b.changeTo()
	open := b.detail().Detail.OpenPayment
	named := map[string]any{"invoiceId": open.InvoiceID, "amount": open.Amount}
	for range 2 {
		require.Equal(t, "incomplete", into[subscription](b.pay(named)).Status)
	}
	b.pay(named).refused(http.StatusTooManyRequests, "ERRRATE")
	b.changeTo().refused(http.StatusTooManyRequests, "ERRRATE")
	named["paymentMethodId"] = b.card("4242424242424242")
	assert.Equal(t, "active", into[subscription](b.pay(named)).Status)
}
