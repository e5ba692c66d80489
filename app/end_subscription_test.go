package app_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// endSubscription ends the subscription and returns it.
func (f *fixture) endSubscription(caller identity.Identity) billing.Subscription {
	f.t.Helper()
	sub, err := f.EndSubscription.Do(f.t.Context(), caller, app.EndRequest{})
	require.NoError(f.t, err)
	return sub
}

// failNextCharge replaces the default card by one whose charges are declined, and advances the clock until the next
// charge of a monthly subscription has failed.
func (f *fixture) failNextCharge(caller identity.Identity) {
	f.t.Helper()
	f.addCard(caller, declinedChargesCard)
	f.Advance(32 * day)
	require.Equal(f.t, billing.PastDue, f.license(caller).Status)
}

func TestResumeAndCancelChange_UnchangedSubscriptionHasTheSecretOfItsPayment(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	f.failNextCharge(caller)
	want, err := f.provider.Subscription(t.Context(), f.license(caller).ID)
	require.NoError(t, err)
	for name, change := range map[string]func(context.Context, identity.Identity) (billing.Subscription, error){
		"resume":                  f.ResumeSubscription.Do,
		"cancel scheduled change": f.CancelScheduledChange.Do,
		"cancel pending change":   f.CancelPendingChange.Do,
	} {
		t.Run(name, func(t *testing.T) {
			sub, err := change(t.Context(), caller)
			require.NoError(t, err)
			assert.Equal(t, want, sub)
		})
	}
}

func TestEndSubscription_EndsAtPeriodEndAndStoresTheReason(t *testing.T) {
	for name, noTrial := range map[string]bool{"paid subscription": true, "trial": false} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			sub := f.subscribe(caller, visa, standardMonthly, noTrial)
			chargeCount := len(f.User(caller).Charges())

			req := app.EndRequest{Reason: billing.TooExpensive, Comment: "Too much for two rooms."}
			endedSub, err := f.EndSubscription.Do(t.Context(), caller, req)

			require.NoError(t, err)
			assert.Equal(t, sub.CurrentPeriodEnd, endedSub.EndsAt)
			assert.Equal(t, sub.Status, endedSub.Status)
			repeatedSub, err := f.EndSubscription.Do(t.Context(), caller, req)
			require.NoError(t, err)
			assert.Equal(t, endedSub.EndsAt, repeatedSub.EndsAt)
			endings, err := f.Store.EndFeedback(t.Context(), caller.OrganisationID)
			require.NoError(t, err)
			assert.Equal(t, []billing.EndFeedback{{
				OrganisationID: caller.OrganisationID, SubscriptionID: sub.ID, RequestedAt: f.Clock.Now(),
				Reason: req.Reason, Comment: req.Comment,
			}}, endings)
			summary, err := f.ShowBilling.Do(t.Context(), caller)
			require.NoError(t, err)
			assert.Nil(t, summary.NextCharge)
			assert.Nil(t, summary.End)

			f.Advance(100 * day)
			assert.Nil(t, f.license(caller))
			assert.Len(t, f.User(caller).Charges(), chargeCount, "nothing is charged after the end")
			_, err = f.ResumeSubscription.Do(t.Context(), caller)
			assert.ErrorContains(t, err, "It has ended. Subscribe again.")
		})
	}
}

func TestEndSubscription_RefusesAnUnknownReason(t *testing.T) {
	f := newFixture(t)
	_, err := f.EndSubscription.Do(t.Context(), f.signUp(), app.EndRequest{Reason: "bored"})
	assertCode(t, fault.Invalid, err)
	assert.Equal(t, "reason", fault.FieldsOf(err)[0].Name)
}

func TestEndSubscription_CancelsThePlanChangeAndResumingDoesNotRestoreIt(t *testing.T) {
	for name, change := range map[string]func(*fixture, identity.Identity){
		"pending change": func(f *fixture, caller identity.Identity) { f.createPendingChange(caller) },
		"scheduled change": func(f *fixture, caller identity.Identity) {
			f.subscribe(caller, visa, standardMonthly, true)
			_, err := f.ChangePlan.Do(f.t.Context(), caller,
				app.ChangeRequest{PriceChoice: professionalYearly, When: billing.ChangeAtRenewal})
			require.NoError(f.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			change(f, caller)
			endedSub := f.endSubscription(caller)
			assert.Nil(t, endedSub.Pending)
			assert.Nil(t, endedSub.Scheduled)
			assert.NotZero(t, endedSub.EndsAt)
			_, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalYearly})
			assert.ErrorContains(t, err, "Resume first")

			sub, err := f.ResumeSubscription.Do(t.Context(), caller)
			require.NoError(t, err)
			assert.Nil(t, sub.Pending)
			assert.Nil(t, sub.Scheduled)
			f.addCard(caller, visa)
			f.Advance(32 * day)
			assert.Equal(t, priceOf(t, standardMonthly), f.license(caller).Price)
		})
	}
}

// The first overdue invoice in 12 months is voided. The next one stays owed, and blocks subscribing.
func TestEndSubscription_EndsAnOverdueSubscriptionImmediately(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	f.failNextCharge(caller)
	summary, err := f.ShowBilling.Do(t.Context(), caller)
	require.NoError(t, err)
	require.Equal(t, billing.EndNowVoid, summary.End.Kind)

	sub := f.endSubscription(caller)
	assert.Equal(t, billing.Canceled, sub.Status)
	assert.Equal(t, billing.InvoiceVoid, sub.LatestInvoice.Status)
	f.subscribe(caller, visa, standardMonthly, true)
	f.failNextCharge(caller)

	summary, err = f.ShowBilling.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, billing.EndNowOwed, summary.End.Kind)
	sub = f.endSubscription(caller)
	assert.Equal(t, billing.Canceled, sub.Status)
	_, err = f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: standardMonthly})
	assertCode(t, fault.Conflict, err)
	assert.ErrorContains(t, err, "is not paid")
}

// The invoice is paid after the decision and before the request to the provider, so the subscription keeps its paid
// period.
func TestEndSubscription_IsRefusedWhenTheOverdueInvoiceIsPaidAtTheSameTime(t *testing.T) {
	for _, kind := range []billing.EndKind{billing.EndNowVoid, billing.EndNowOwed} {
		t.Run(string(kind), func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			sub := f.subscribe(caller, visa, standardMonthly, true)
			card := f.defaultCardID(caller)
			f.failNextCharge(caller)
			if kind == billing.EndNowOwed {
				f.recordVoidedInvoice(caller)
			}
			overdueSub, err := f.provider.Subscription(t.Context(), sub.ID)
			require.NoError(t, err)
			f.callBeforeBegin(func() {
				require.NoError(t, f.provider.ChargeInvoice(t.Context(), overdueSub.LatestInvoice.ID, card))
			})

			_, err = f.EndSubscription.Do(t.Context(), caller, app.EndRequest{})

			assertCode(t, fault.Conflict, err)
			assert.ErrorContains(t, err, "was paid just now")
			f.DeliverEvents()
			assert.Equal(t, billing.Active, f.license(caller).Status)
		})
	}
}

func TestHold_RefusesChangesAndAllowsEnding(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	sub := f.subscribe(caller, visa, professionalMonthly, true)
	f.Dispute(sub.LatestInvoice.ID)
	f.DeliverEvents()

	_, err := f.QuotePrice.Do(t.Context(), caller, app.QuoteRequest{Price: standardMonthly})
	assert.ErrorContains(t, err, "contact us")
	for _, timing := range []billing.ChangeTiming{billing.ChangeNow, billing.ChangeAtRenewal} {
		_, err = f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: standardMonthly, When: timing})
		assert.ErrorContains(t, err, "contact us")
	}
	assert.Equal(t, billing.HoldDisputed, f.endSubscription(caller).Hold)
}
