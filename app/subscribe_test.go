package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestSubscribe_StartsATrialAndReturnsTheSetupSecret(t *testing.T) {
	f, caller := newSignedUpFixture(t)

	sub := f.subscribe(caller, authenticationCard, standardMonthly, false)

	assert.Equal(t, billing.Trialing, sub.Status)
	assert.Equal(t, f.Clock.Now().AddDate(0, 0, 7), sub.TrialEnd)
	assert.NotEmpty(t, sub.PendingSetup.ClientSecret)
	account := f.account(caller)
	assert.Equal(t, sub.ID, account.LiveSubscription().ID)
	assert.Empty(t, account.LiveSubscription().PendingSetup.ClientSecret, "secrets are not stored")
	assert.False(t, account.TrialUsedAt.IsZero())
	assert.Equal(t, "AUD", account.Currency)
}

func TestSubscribe_WithoutTrialKeepsTheTrialForLater(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	assert.Equal(t, billing.Active, f.subscribe(caller, visa, standardMonthly, true).Status)
	assert.True(t, f.account(caller).TrialUsedAt.IsZero())
}

func TestSubscribe_ChargesTheDefaultCard(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	card := f.addCard(caller, visa)
	sub, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly, NoTrial: true})
	require.NoError(t, err)
	assert.Equal(t, billing.Active, sub.Status)
	assert.Equal(t, []string{card.ID}, f.cardIDs(caller))
}

func TestSubscribe_RefusesInvalidRequests(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(f *fixture, req *app.SubscribeRequest)
		want    fault.Code
	}{
		"unknown price": {func(_ *fixture, req *app.SubscribeRequest) { req.Price.PriceID = "premium_monthly" },
			fault.Invalid},
		"interval of another price": {func(_ *fixture, req *app.SubscribeRequest) { req.Price.Interval = "yearly" }, fault.Invalid},
		"unknown currency":          {func(_ *fixture, req *app.SubscribeRequest) { req.Price.Currency = "zzz" }, fault.Invalid},
		"no price":                  {func(_ *fixture, req *app.SubscribeRequest) { req.Price = app.PriceChoice{} }, fault.Invalid},
		"another customer": {func(_ *fixture, req *app.SubscribeRequest) { req.CustomerID = "cus_other" },
			fault.Forbidden},
		"card number":  {func(_ *fixture, req *app.SubscribeRequest) { req.MethodID = visa }, fault.NotFound},
		"unknown card": {func(_ *fixture, req *app.SubscribeRequest) { req.MethodID = "pm_unknown" }, fault.NotFound},
		"card that is declined when saved": {
			func(f *fixture, req *app.SubscribeRequest) { req.MethodID = f.CreateCard(declinedCard) }, fault.Declined,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			req := app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: standardMonthly}
			tt.prepare(f, &req)

			_, err := f.Subscribe.Do(t.Context(), caller, req)

			assertCode(t, tt.want, err)
			assert.Nil(t, f.account(caller).LiveSubscription())
			f.RequireNoPendingOperations()
		})
	}
}

func TestSubscribe_RefusesAnOrganisationWithoutACustomer(t *testing.T) {
	f := newFixture(t)
	caller := identityOf(f.signUpUnverified())

	_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly})

	assertCode(t, fault.Conflict, err)
}

func TestSubscribe_RefusesAnOrganisationWithADeveloperLicense(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.grantDevLicense(caller, "professional")

	_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly})

	assertCode(t, fault.Forbidden, err)
}

func TestSubscribe_IsRefusedWhenTheProviderHasASubscription(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	customerID := f.account(caller).CustomerID
	_, err := f.provider.AddCard(t.Context(), payment.NewCard{Key: "card", CustomerID: customerID, MethodID: f.CreateCard(visa)})
	require.NoError(t, err)
	sub, err := f.provider.Subscribe(t.Context(), payment.NewSubscription{
		Key: "made at the provider", CustomerID: customerID, Price: priceOf(t, standardMonthly), Sole: true, First: true,
	})
	require.NoError(t, err)

	_, err = f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: standardMonthly})

	assert.Equal(t, billing.ErrAlreadySubscribed(sub.Status), err, "the error contains the status at the provider")
	assert.Equal(t, sub.ID, f.account(caller).LiveSubscription().ID)
}

func TestSubscribe_TrialIsUsedOnceOverAllPlans(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	trialSub := f.subscribe(caller, visa, standardMonthly, false)
	require.NoError(t, f.provider.CancelKeepingInvoice(t.Context(), trialSub.ID))

	sub := f.subscribe(caller, visa, professionalYearly, false)

	assert.Equal(t, billing.Active, sub.Status)
	assert.True(t, sub.TrialEnd.IsZero())
}

func TestSubscribe_RefusesAnotherCurrency(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	require.NoError(t, f.provider.CancelKeepingInvoice(t.Context(), f.subscribe(caller, visa, standardMonthly, true).ID))
	euros := standardMonthly
	euros.Currency = "EUR"
	_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: euros})
	assertCode(t, fault.Conflict, err)
	assert.Contains(t, fault.MessageOf(err), "AUD")
}

func TestSubscribe_ReturnsTheProvidersConflictWhenSubscriptionsCannotBeListed(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.injectFaults(func(c flakypayment.Call) flakypayment.Fault {
		switch c.Method {
		case "Subscribe":
			return func(context.Context, *flakypayment.Request) error { return fault.New(fault.Conflict, "not sold") }
		case "ListSubscriptions":
			return flakypayment.TimeoutBeforeExecution.Fault()
		}
		return nil
	})
	_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: standardMonthly})
	require.ErrorContains(t, err, "not sold")
}

func TestSubscribe_DoesNotRetryAfterAConflict(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	flakyProvider := f.injectFaults(func(c flakypayment.Call) flakypayment.Fault {
		if c.Method != "Subscribe" {
			return nil
		}
		return func(context.Context, *flakypayment.Request) error { return fault.New(fault.Conflict, "not sold") }
	})
	_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: standardMonthly})
	require.ErrorContains(t, err, "not sold")
	assert.Equal(t, 1, countCalls(flakyProvider.Calls(), "Subscribe"))
	f.RequireNoPendingOperations()
}

func TestSubscribe_DeclinedCardKeepsTheSubscriptionOpen(t *testing.T) {
	f, caller := newSignedUpFixture(t)

	declinedSub := f.subscribe(caller, declinedChargesCard, standardMonthly, true)

	assert.Equal(t, billing.Incomplete, declinedSub.Status, "a declined charge is an outcome, not an error")
	assert.Nil(t, f.account(caller).License())
	paidSub := f.subscribe(caller, visa, standardMonthly, true)
	assert.Equal(t, declinedSub.ID, paidSub.ID)
	assert.Equal(t, billing.Active, paidSub.Status)
	assert.Len(t, f.User(caller).Charges(), 1)
}

func TestSubscribe_LimitsPaymentAttemptsOnAnOpenInvoice(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := app.SubscribeRequest{MethodID: f.CreateCard(declinedChargesCard), Price: standardMonthly, NoTrial: true}
	limit := billing.MaxPaymentAttempts
	if f.provider.Capabilities().ChargesNewMethods { // nothing shows that two new cards have the same number
		limit = billing.MaxNewCardAttempts
	}
	for range limit { // the charge that creates the invoice counts
		_, err := f.Subscribe.Do(t.Context(), caller, req)
		require.NoError(t, err)
		req.MethodID = f.CreateCard(declinedChargesCard) // the same card number
	}
	_, err := f.Subscribe.Do(t.Context(), caller, req)
	assertCode(t, fault.RateLimited, err)
	assert.Equal(t, time.Hour, fault.RetryAfterOf(err))
}

func TestSubscribe_ReplacesAnOpenSubscriptionForAnotherPrice(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	openSub := f.subscribe(caller, declinedChargesCard, standardMonthly, true)

	sub := f.subscribe(caller, visa, professionalYearly, true)

	assert.NotEqual(t, openSub.ID, sub.ID)
	assert.Equal(t, priceOf(t, professionalYearly), sub.Price)
	assert.Nil(t, f.account(caller).OpenSubscription())
	endedSub, err := f.provider.Subscription(t.Context(), openSub.ID)
	require.NoError(t, err)
	assert.True(t, endedSub.Status.Ended())
}

func TestSubscribe_UnsavableCardKeepsTheOpenSubscription(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	openSub := f.subscribe(caller, declinedChargesCard, standardMonthly, true)

	_, err := f.Subscribe.Do(t.Context(), caller,
		app.SubscribeRequest{MethodID: f.CreateCard(declinedCard), Price: professionalYearly, NoTrial: true})

	if f.provider.Capabilities().ChargesNewMethods { // the card is charged, so its decline is an outcome
		assertCode(t, "", err)
		assert.Equal(t, priceOf(t, professionalYearly), f.account(caller).OpenSubscription().Price)
		return
	}
	assertCode(t, fault.Declined, err)
	assert.Equal(t, openSub.ID, f.account(caller).OpenSubscription().ID)
}

func TestSubscribe_RepeatAfterSuccessReturnsTheSubscription(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := app.SubscribeRequest{MethodID: f.CreateCard(authenticationCard), Price: standardMonthly}
	firstSub, err := f.Subscribe.Do(t.Context(), caller, req)
	require.NoError(t, err)

	secondSub, err := f.Subscribe.Do(t.Context(), caller, req)

	require.NoError(t, err)
	assert.Equal(t, firstSub, secondSub, "the repeat also returns the client secret")
	for name, change := range map[string]func(*app.SubscribeRequest){
		"another card": func(req *app.SubscribeRequest) { req.MethodID = f.CreateCard(mastercard) },
		"no card":      func(req *app.SubscribeRequest) { req.MethodID = "" },
		"no trial":     func(req *app.SubscribeRequest) { req.NoTrial = true },
		"another plan": func(req *app.SubscribeRequest) { req.Price = professionalYearly },
	} {
		otherReq := req
		change(&otherReq)
		_, err := f.Subscribe.Do(t.Context(), caller, otherReq)
		assert.Equal(t, fault.Conflict, fault.CodeOf(err), name)
	}
}

func TestSubscribe_RepeatReturnsTheCurrentSubscriptionNotTheStoredResponse(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: standardMonthly}
	f.injectFaults(failOnce("Subscribe", flakypayment.TimeoutAfterExecution))
	_, err := f.Subscribe.Do(t.Context(), caller, req)
	assertCode(t, fault.Unavailable, err)
	require.NoError(t, f.provider.CancelKeepingInvoice(t.Context(), f.Subscriptions()[0].ID))

	sub, err := f.Subscribe.Do(t.Context(), caller, req)

	require.NoError(t, err)
	assert.Equal(t, billing.Canceled, sub.Status)
	assert.Nil(t, f.account(caller).License())
	assert.Len(t, f.Subscriptions(), 1)
}

// A second request begins and ends after the first one was validated and before its operation is stored.
func TestSubscribe_ConcurrentRequestsCreateOneSubscription(t *testing.T) {
	for name, isRepeat := range map[string]bool{"same card": true, "another card": false} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			req := app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: standardMonthly}
			otherServer, otherReq := f.NewAppWithOwnStore(), req
			if !isRepeat {
				otherReq.MethodID = f.CreateCard(mastercard)
			}
			f.callBeforeBegin(func() {
				_, err := otherServer.Subscribe.Do(t.Context(), caller, otherReq)
				assert.NoError(t, err)
			})

			_, err := f.Subscribe.Do(t.Context(), caller, req)

			assert.Equal(t, isRepeat, err == nil, "%v", err)
			assert.Len(t, f.Subscriptions(), 1)
		})
	}
}

// The key of a slow request is retired by a takeover before the request reaches the provider.
func TestSubscribe_StopsWhenItsKeyWasRetired(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	otherServer := f.NewAppWithOwnStore()
	flakyProvider := f.injectFaults(func(c flakypayment.Call) flakypayment.Fault {
		if c.Method != "Subscribe" {
			return nil
		}
		return func(ctx context.Context, _ *flakypayment.Request) error {
			f.Advance(takeoverWait)
			_, err := otherServer.Reconcile.Do(ctx)
			return err
		}
	})

	_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: standardMonthly})

	require.ErrorIs(t, err, payment.ErrKeyRetired)
	assertCode(t, fault.Conflict, err)
	assert.Equal(t, 1, countCalls(flakyProvider.Calls(), "Subscribe"))
	assert.Nil(t, f.account(caller).LiveSubscription())
	f.RequireNoPendingOperations()
}

func TestSubscribe_KeysAreUniqueAndContainNoIDs(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	keys := map[string]bool{}
	f.injectFaults(func(c flakypayment.Call) flakypayment.Fault {
		if c.Key != "" {
			assert.NotContains(t, keys, c.Key, c.Method)
			keys[c.Key] = true
		}
		for _, id := range []string{caller.OrganisationID, caller.UserID, f.account(caller).CustomerID} {
			assert.NotContains(t, c.Key, id)
		}
		return nil
	})
	f.subscribe(caller, declinedChargesCard, standardMonthly, true)
	f.subscribe(caller, visa, professionalYearly, true)
	f.addCard(caller, mastercard)
	f.addCard(caller, mastercard)
	assert.GreaterOrEqual(t, len(keys), 6)
}
