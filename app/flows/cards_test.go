package flows

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// subscribeWithCard subscribes without a trial and returns the subscription and the id of the card.
func (env *testEnv) subscribeWithCard(user *apptest.User, number string) (sub billing.Subscription, cardID string) {
	env.t.Helper()
	cardID = env.CreateCard(number)
	sub, err := env.App.Subscribe.Do(env.t.Context(), user.Identity, app.SubscribeRequest{
		MethodID: cardID, Price: apptest.StandardMonthly, NoTrial: true,
	})
	require.NoError(env.t, err)
	return sub, cardID
}

// readCardIDs returns the ids of the cards that the provider has saved, newest first, and the id of the default card.
func (env *testEnv) readCardIDs(user *apptest.User) (ids []string, defaultID string) {
	env.t.Helper()
	customerID := user.Account().CustomerID
	cards, err := env.Provider.Cards(env.t.Context(), customerID)
	require.NoError(env.t, err)
	for _, card := range cards {
		ids = append(ids, card.ID)
	}
	customer, err := env.Provider.Customer(env.t.Context(), customerID)
	require.NoError(env.t, err)
	if customer.Default != nil {
		defaultID = customer.Default.ID
	}
	return ids, defaultID
}

// requireCards requires the saved cards, newest first, and the default card.
func (env *testEnv) requireCards(user *apptest.User, defaultID string, ids ...string) {
	env.t.Helper()
	gotIDs, gotDefaultID := env.readCardIDs(user)
	require.Equal(env.t, ids, gotIDs)
	require.Equal(env.t, defaultID, gotDefaultID)
}

func TestSavedCards_CardOfADeclinedPaymentIsDetachedAndTheFormerDefaultRestored(t *testing.T) {
	nextRequests := map[string]func(env *testEnv, user *apptest.User) error{
		"the cards are listed": func(env *testEnv, user *apptest.User) error {
			_, err := env.App.ListCards.Do(env.t.Context(), user.Identity)
			return err
		},
		"the customer is shown": func(env *testEnv, user *apptest.User) error {
			_, err := env.App.ShowCustomer.Do(env.t.Context(), user.Identity)
			return err
		},
		"the background job runs": func(env *testEnv, _ *apptest.User) error {
			env.Advance(15 * time.Minute)
			_, err := env.App.CleanUpCards.Do(env.t.Context())
			return err
		},
		"the default card is chosen": func(env *testEnv, user *apptest.User) error {
			ids, _ := env.readCardIDs(user)
			_, err := env.App.SetDefaultCard.Do(env.t.Context(), user.Identity, ids[1])
			return err
		},
		"the default card pays": func(env *testEnv, user *apptest.User) error {
			sub, err := env.App.Subscribe.Do(env.t.Context(), user.Identity,
				app.SubscribeRequest{Price: apptest.StandardMonthly, NoTrial: true})
			assert.Equal(env.t, billing.Active, sub.Status)
			return err
		},
	}
	for name, send := range nextRequests {
		t.Run(name, func(t *testing.T) {
			env, user := signUp(t)
			visa := user.AddCard(apptest.Visa)
			mastercard := user.AddCard(apptest.Mastercard)
			sub, _ := env.subscribeWithCard(user, apptest.DeclinedChargesCard)
			require.Equal(t, billing.Incomplete, sub.Status)

			require.NoError(t, send(env, user))

			env.requireCards(user, mastercard.ID, mastercard.ID, visa.ID)
			env.RequireNoPendingOperations()
			env.RequireCopyMatchesProvider(user)
		})
	}
}

func TestSavedCards_FailedPaymentsLeaveNoCard(t *testing.T) {
	env, user := signUp(t)
	for _, number := range []string{apptest.DeclinedChargesCard, insufficientFunds, "4000000000009987"} {
		sub, _ := env.subscribeWithCard(user, number)
		require.Equal(t, billing.Incomplete, sub.Status)
	}

	cards, err := env.App.ListCards.Do(t.Context(), user.Identity)

	require.NoError(t, err)
	assert.Empty(t, cards)
	env.requireCards(user, "")
	sub, cardID := env.subscribeWithCard(user, apptest.Visa)
	assert.Equal(t, billing.Active, sub.Status)
	env.requireCards(user, cardID, cardID)
	env.RequireNoPendingOperations()
}

// The provider declines the card. It would refuse the confirmation if the card were detached.
func TestSavedCards_BrowserCanConfirmADeclinedRetryWithItsCard(t *testing.T) {
	env, user := signUp(t)
	env.subscribeWithCard(user, apptest.DeclinedChargesCard)
	retriedSub, cardID := env.subscribeWithCard(user, apptest.DeclinedChargesCard)

	_, err := env.Provider.Confirm(t.Context(),
		fakepayment.Confirmation{ClientSecret: retriedSub.LatestInvoice.Payment.ClientSecret, MethodID: cardID})

	assert.Equal(t, fault.Declined, fault.CodeOf(err))
	_, err = env.App.ListCards.Do(t.Context(), user.Identity)
	require.NoError(t, err)
	env.requireCards(user, "")
}

func TestSavedCards_CardOfAnOpenAuthenticationStaysUntilItFails(t *testing.T) {
	for outcome, isSuccess := range map[fakepayment.Outcome]bool{fakepayment.OutcomeComplete: true, fakepayment.OutcomeFail: false} {
		t.Run(string(outcome), func(t *testing.T) {
			env, user := signUp(t)
			visa := user.AddCard(apptest.Visa)
			sub, cardID := env.subscribeWithCard(user, apptest.AuthenticationCard)
			env.Advance(30 * time.Minute)
			cleanedCount, err := env.App.CleanUpCards.Do(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, cleanedCount)
			env.requireCards(user, cardID, cardID, visa.ID)

			env.ConfirmIntent(sub.LatestInvoice.Payment, outcome)
			env.Advance(2 * time.Hour)
			_, err = env.App.CleanUpCards.Do(t.Context())

			require.NoError(t, err)
			if isSuccess {
				env.requireCards(user, cardID, cardID, visa.ID)
			} else {
				env.requireCards(user, visa.ID, visa.ID)
			}
			cleanedCount, err = env.App.CleanUpCards.Do(t.Context())
			require.NoError(t, err)
			assert.Zero(t, cleanedCount)
			env.RequireCopyMatchesProvider(user)
		})
	}
}

func TestSavedCards_FailedAuthenticationOfATrialsCardRestoresTheFormerDefault(t *testing.T) {
	env, user := signUp(t)
	visa := user.AddCard(apptest.Visa)
	trialSub := user.Subscribe(apptest.AuthenticationCard, apptest.StandardMonthly)
	env.ConfirmIntent(trialSub.PendingSetup, fakepayment.OutcomeFail)
	_, _, err := env.App.DescribeUser.Do(t.Context(), user.Identity)
	require.NoError(t, err)

	_, err = env.App.ListCards.Do(t.Context(), user.Identity)

	require.NoError(t, err)
	env.requireCards(user, visa.ID, visa.ID)
	env.Advance(8 * day)
	assert.Equal(t, billing.Active, user.License().Status)
}

func TestSavedCards_NewestOfIdenticalCardsIsKept(t *testing.T) {
	env, user := signUp(t)
	user.AddCard(apptest.Visa)
	mastercard := user.AddCard(apptest.Mastercard)
	visa := user.AddCard(apptest.Visa)

	env.requireCards(user, visa.ID, visa.ID, mastercard.ID)

	sub, cardID := env.subscribeWithCard(user, apptest.Mastercard)
	require.Equal(t, billing.Active, sub.Status)
	env.requireCards(user, cardID, cardID, visa.ID)
	env.RequireCopyMatchesProvider(user)
}

func TestSavedCards_IdenticalCardStaysWhileAPaymentIsOpen(t *testing.T) {
	env, user := signUp(t)
	sub, cardID := env.subscribeWithCard(user, apptest.AuthenticationCard)

	newCard := user.AddCard(apptest.AuthenticationCard)

	env.requireCards(user, newCard.ID, newCard.ID, cardID)
	env.ConfirmIntent(sub.LatestInvoice.Payment, fakepayment.OutcomeComplete)
	require.Equal(t, billing.Active, user.License().Status)
	_, err := env.App.ListCards.Do(t.Context(), user.Identity)
	require.NoError(t, err)
	env.requireCards(user, newCard.ID, newCard.ID)
}

func TestSavedCards_AddedCardStaysWhenThePaymentOfTheOverdueInvoiceIsDeclined(t *testing.T) {
	env := newEnv(t)
	user := env.signUpPastDue()
	earlierIDs, _ := env.readCardIDs(user)

	card := user.AddCard(insufficientFunds)

	env.requireCards(user, card.ID, append([]string{card.ID}, earlierIDs...)...)
}

// failingProvider is a provider that fails DeleteCard while isFailing is true.
type failingProvider struct {
	payment.Provider
	isFailing bool
}

func (p *failingProvider) DeleteCard(ctx context.Context, req payment.SavedCardRequest) error {
	if p.isFailing {
		return fault.New(fault.Unavailable, "The payment provider did not answer. Please try again.")
	}
	return p.Provider.DeleteCard(ctx, req)
}

func TestSavedCards_FailedDetachIsRepeatedLater(t *testing.T) {
	env := newEnv(t)
	provider := &failingProvider{Provider: env.Provider, isFailing: true}
	env.App = env.NewApp(env.Store, provider)
	user := env.SignUp("ann")
	visa := user.AddCard(apptest.Visa)

	_, cardID := env.subscribeWithCard(user, apptest.DeclinedChargesCard)

	customer, err := env.App.ShowCustomer.Do(t.Context(), user.Identity)
	require.NoError(t, err)
	assert.Equal(t, visa.ID, customer.Default.ID)
	env.requireCards(user, visa.ID, cardID, visa.ID)
	provider.isFailing = false
	env.Advance(30 * time.Minute)
	_, err = env.App.CleanUpCards.Do(t.Context())
	require.NoError(t, err)
	env.requireCards(user, visa.ID, visa.ID)
	env.RequireNoPendingOperations()
}

// signUpPastDue returns a user whose first payment after the trial was declined.
func (env *testEnv) signUpPastDue() *apptest.User {
	env.t.Helper()
	user := env.SignUp("ann")
	user.Subscribe(apptest.DeclinedChargesCard, apptest.StandardMonthly)
	env.Advance(8 * day)
	require.Equal(env.t, billing.PastDue, user.License().Status)
	return user
}

func TestDeleteCard_ConcurrentPurchaseStartsNoTrialWithoutACard(t *testing.T) {
	env, user := signUp(t)
	card := user.AddCard(apptest.Visa)
	servers := env.startServers(2)

	for _, err := range runConcurrently(
		func() error {
			_, err := servers[0].Subscribe.Do(t.Context(), user.Identity, app.SubscribeRequest{Price: apptest.StandardMonthly})
			return err
		},
		func() error { return servers[1].DeleteCard.Do(t.Context(), user.Identity, card.ID) },
	) {
		if err != nil {
			assert.Contains(t, []fault.Code{fault.Conflict, fault.Invalid}, fault.CodeOf(err), "%v", err)
		}
	}

	customer, err := env.App.ShowCustomer.Do(t.Context(), user.Identity)
	require.NoError(t, err)
	assert.Equal(t, len(env.LiveSubscriptions()) == 0, customer.Default == nil)
	env.RequireNoPendingOperations()
}
