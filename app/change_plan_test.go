package app_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestChangePlan_UpdatesTheSubscriptionInPlace(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	originalSub := f.subscribe(caller, visa, standardMonthly, true)

	sub, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})

	require.NoError(t, err)
	assert.Equal(t, originalSub.ID, sub.ID)
	assert.Equal(t, priceOf(t, professionalYearly), sub.Price)
	assert.Equal(t, priceOf(t, professionalYearly), f.account(caller).LiveSubscription().Price)
	_, err = f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
	assertCode(t, fault.Conflict, err)
}

func TestChangePlan_RequiresALiveSubscriptionAndAKnownPrice(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	_, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
	assertCode(t, fault.Conflict, err)

	sub := f.subscribe(caller, visa, standardMonthly, true)
	require.NoError(t, f.provider.CancelKeepingInvoice(t.Context(), sub.ID))
	_, err = f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
	assertCode(t, fault.Conflict, err)
	assert.Nil(t, f.account(caller).LiveSubscription(), "the copy is refreshed")

	_, err = f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: app.PriceChoice{PriceID: "premium_yearly"}})
	assertCode(t, fault.Invalid, err)
}

func TestChangePlan_RefusesAnOrganisationWithADeveloperLicense(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.grantDevLicense(caller, "standard")
	_, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
	assertCode(t, fault.Forbidden, err)
}

func TestChangePlan_DeclinedChangeIsPendingUntilARepeatPaysIt(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	payRequest := f.createPendingChange(caller)
	liveSub := f.account(caller).LiveSubscription()
	assert.Equal(t, priceOf(t, standardMonthly), liveSub.Price)
	assert.Equal(t, payRequest.InvoiceID, liveSub.Pending.InvoiceID)

	_, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalMonthly})
	assertCode(t, fault.Conflict, err)

	for range 2 { // the first request was the first of three attempts with the default card
		repeatedSub, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
		require.NoError(t, err)
		assert.NotNil(t, repeatedSub.Pending)
	}
	_, err = f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
	assertCode(t, fault.RateLimited, err)

	f.addCard(caller, visa)
	sub, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
	require.NoError(t, err)
	assert.Equal(t, priceOf(t, professionalYearly), sub.Price, "choosing the plan again pays the change")
}

func TestChangePlan_RepeatSucceeds(t *testing.T) {
	for name, number := range map[string]string{"change is made": visa, "change is pending": declinedChargesCard} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			f.subscribe(caller, visa, standardMonthly, true)
			f.addCard(caller, number)
			flakyProvider := f.injectFaults(failOnce("ChangePlan", flakypayment.TimeoutAfterExecution))
			_, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
			assertCode(t, fault.Unavailable, err)

			sub, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})

			require.NoError(t, err)
			assert.Equal(t, number == visa, sub.Price == priceOf(t, professionalYearly))
			assert.Equal(t, number != visa, sub.Pending != nil)
			assert.Equal(t, 2, countCalls(flakyProvider.Calls(), "ChangePlan"))
			f.RequireNoPendingOperations()
		})
	}
}

func TestChangePlan_RepeatOfAnExpiredChangeIsRefused(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	f.addCard(caller, declinedChargesCard)
	f.injectFaults(failOnce("ChangePlan", flakypayment.TimeoutAfterExecution))
	_, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
	assertCode(t, fault.Unavailable, err)
	sub, err := f.provider.Subscription(t.Context(), f.account(caller).LiveSubscription().ID)
	require.NoError(t, err)
	require.NoError(t, f.provider.VoidInvoice(t.Context(), sub.Pending.InvoiceID))

	_, err = f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})

	assertCode(t, fault.Conflict, err)
	assert.ErrorContains(t, err, "expired")
}

// Another server executes a repeat after the first request was validated and before its operation is stored.
func TestChangePlan_ConcurrentRepeatSucceeds(t *testing.T) {
	for name, number := range map[string]string{"change is made": visa, "change is pending": declinedChargesCard} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			f.subscribe(caller, visa, standardMonthly, true)
			f.addCard(caller, number)
			otherServer := f.NewAppWithOwnStore()
			f.callBeforeBegin(func() {
				_, err := otherServer.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
				assert.NoError(t, err)
			})

			sub, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})

			require.NoError(t, err)
			assert.Equal(t, number == visa, sub.Price == priceOf(t, professionalYearly))
			assert.Equal(t, number != visa, sub.Pending != nil)
			f.RequireNoPendingOperations()
		})
	}
}

func TestCancelPendingChange_KeepsThePlan(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	_, err := f.CancelPendingChange.Do(t.Context(), caller)
	assertCode(t, fault.Conflict, err)
	f.createPendingChange(caller)

	for range 2 {
		sub, err := f.CancelPendingChange.Do(t.Context(), caller)
		require.NoError(t, err)
		assert.Nil(t, sub.Pending)
		assert.Equal(t, billing.Active, sub.Status)
	}
	assert.Nil(t, f.account(caller).LiveSubscription().Pending)
}

func TestChangePlan_AtRenewalChargesTheQuotedAmount(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, professionalMonthly, true)
	quote := f.requestQuote(caller, standardMonthly, billing.ChangeAtRenewal)
	assert.Zero(t, quote.DueNow.Minor())
	assert.Equal(t, int64(3900), quote.Next.Amount.Minor())

	sub, err := f.ChangePlan.Do(t.Context(), caller,
		app.ChangeRequest{PriceChoice: standardMonthly, When: billing.ChangeAtRenewal, Quote: quote.Token})
	require.NoError(t, err)
	require.NotNil(t, sub.Scheduled)
	assert.Equal(t, quote.Next.At, sub.Scheduled.At)
	summary, err := f.ShowBilling.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, &billing.Charge{Amount: quote.Next.Amount, At: quote.Next.At}, summary.NextCharge)

	f.requestQuote(caller, professionalYearly, billing.ChangeNow) // a quote keeps the scheduled change
	f.Advance(32 * day)
	require.Equal(t, "standard", f.license(caller).Price.Product)
	charges := f.User(caller).Charges()
	assert.Equal(t, int64(3900), charges[len(charges)-1].Amount)
}
