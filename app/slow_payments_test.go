package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestSubscribe_RefusesAnotherPurchaseWhileAPaymentIsProcessing(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := app.SubscribeRequest{MethodID: f.CreateCard(settlingAccount), Price: professionalYearly, NoTrial: true}
	sub, err := f.Subscribe.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.Equal(t, billing.OutcomeProcessing, billing.DecideOutcome(sub, false))

	repeatedSub, err := f.Subscribe.Do(t.Context(), caller, req)
	require.NoError(t, err, "a repeat returns the subscription")
	assert.Equal(t, sub.ID, repeatedSub.ID)
	for _, choice := range []app.PriceChoice{professionalYearly, standardMonthly} {
		_, err := f.Subscribe.Do(t.Context(), caller,
			app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: choice, NoTrial: true})
		assertCode(t, fault.Conflict, err)
		assert.ErrorContains(t, err, "Your payment of $816 AUD is on its way, and your plan starts when it has arrived.")
	}

	payment := f.account(caller).ProcessingPayment()
	require.NotNil(t, payment)
	assert.Equal(t, "Bank account •••• 6819", payment.Method.Label)
	assert.Equal(t, f.Clock.Now().Truncate(time.Second).Add(3*day), payment.ExpectedBy)
	assert.Nil(t, f.account(caller).OpenPayment())
	f.Advance(3 * day)
	assert.Equal(t, billing.Active, f.license(caller).Status)
	assert.Len(t, f.User(caller).Charges(), 1)
}

func TestPayOpenInvoice_ReportsAProcessingPaymentAndDoesNotChargeAgain(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := f.createPendingChange(caller)
	req.MethodID = f.CreateCard(settlingAccount)
	sub, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.Equal(t, billing.OutcomeProcessing, billing.DecideInvoiceOutcome(sub))

	req.MethodID = f.CreateCard(visa)
	repeatedSub, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.Equal(t, billing.OutcomeProcessing, billing.DecideInvoiceOutcome(repeatedSub))
	_, err = f.PayOpenInvoice.Do(t.Context(), caller, app.PayRequest{InvoiceID: "in_other", Amount: 1})
	assertCode(t, fault.Conflict, err)
	_, err = f.CancelPendingChange.Do(t.Context(), caller)
	assertCode(t, fault.Conflict, err)
	_, err = f.EndSubscription.Do(t.Context(), caller, app.EndRequest{})
	assertCode(t, fault.Conflict, err)

	f.Advance(3 * day)
	assert.Equal(t, priceOf(t, professionalYearly), f.license(caller).Price)
	assert.Len(t, f.User(caller).Charges(), 2)
}

func TestAddCard_DoesNotChargeAnOverdueInvoiceAgainWhileItsPaymentIsProcessing(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, paysOnceCard, standardMonthly, true)
	f.Advance(32 * day)
	require.Equal(t, billing.PastDue, f.license(caller).Status)

	result, err := f.AddCard.Do(t.Context(), caller, f.CreateCard(settlingAccount))
	require.NoError(t, err)
	require.NotNil(t, result.Payment)
	assert.Equal(t, app.OverdueProcessing, result.Payment.Status)

	result, err = f.AddCard.Do(t.Context(), caller, f.CreateCard(visa))
	require.NoError(t, err)
	assert.Nil(t, result.Payment, "the invoice is not charged again")
	f.Advance(3 * day)
	assert.Equal(t, billing.Active, f.license(caller).Status)
	assert.Len(t, f.User(caller).Charges(), 2)
}

func TestEndSubscription_EndsImmediatelyWhileThePaymentOfTheOverdueInvoiceIsProcessing(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := app.SubscribeRequest{MethodID: f.CreateCard(paysOnceCard), Price: standardMonthly, NoTrial: true}
	_, err := f.Subscribe.Do(t.Context(), caller, req)
	require.NoError(t, err)
	f.Advance(32 * day)
	_, err = f.AddCard.Do(t.Context(), caller, f.CreateCard(settlingAccount))
	require.NoError(t, err)

	sub, err := f.EndSubscription.Do(t.Context(), caller, app.EndRequest{})
	require.NoError(t, err)
	assert.Equal(t, billing.Canceled, sub.Status)
	_, err = f.Subscribe.Do(t.Context(), caller, req)
	assert.ErrorContains(t, err, "for your former subscription is on its way", "even a repeat of the first purchase is refused")

	f.Advance(3 * day)
	f.subscribe(caller, visa, standardMonthly, true)
	assert.Len(t, f.User(caller).Charges(), 3)
}

func TestListCards_ReturnsTheSameBankAccountOnce(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.addCard(caller, settlingAccount)
	newest := f.addCard(caller, settlingAccount)
	cards, err := f.ListCards.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, []billing.PaymentMethod{newest}, cards)
}

func TestNotices_ReportThePhasesOfASlowPayment(t *testing.T) {
	for name, tt := range map[string]struct {
		accountNumber string
		days          []int
		want          []string
	}{
		"payment arrives": {settlingAccount, []int{3, 7},
			[]string{"Your payment of $816 AUD is on its way", "Payment received: $816 AUD",
				"Your Professional plan has started"}},
		"payment fails": {failingAccount, []int{3}, []string{"Your payment of $816 AUD is on its way", "Payment failed: $816 AUD"}},
		"payment is returned": {returningAccount, []int{3, 7}, []string{
			"Your payment of $816 AUD is on its way", "Payment received: $816 AUD", "Your Professional plan has started",
			"Payment returned: $816 AUD",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newNoticeFixture(t)
			f.subscribe(f.caller, tt.accountNumber, professionalYearly, true)
			var subjects []string
			for _, days := range append([]int{0}, tt.days...) {
				f.Advance(time.Second + time.Duration(days)*day)
				for _, email := range f.receiveEmails() {
					subjects = append(subjects, email.Subject)
					assert.NotContains(t, email.Text, "had failed")
					if strings.HasPrefix(email.Subject, "Payment failed") {
						assert.Contains(t, email.Text,
							"Your bank account has insufficient funds. Your Professional plan has not started.")
					}
				}
			}
			assert.ElementsMatch(t, tt.want, subjects)
		})
	}
}
