package flows

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// subscribeWithCard subscribes without a trial and returns the subscription and the id of the card. The id is "" if the provider
// charges a card before it saves it, and has not saved the card.
func (env *testEnv) subscribeWithCard(user *apptest.User, number string) (sub billing.Subscription, cardID string) {
	env.t.Helper()
	cardID = env.CreateCard(number)
	sub, err := env.App.Subscribe.Do(env.t.Context(), user.Identity, app.SubscribeRequest{
		MethodID: cardID, Price: apptest.StandardMonthly, NoTrial: true,
	})
	require.NoError(env.t, err)
	if env.Provider.Capabilities().ChargesNewMethods {
		cardID = ""
		if sub.Status == billing.Active {
			_, cardID = env.readCardIDs(user)
		}
	}
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

// requireCards requires the saved cards, newest first, and the default card. It ignores an id that is "", see
// subscribeWithCard.
func (env *testEnv) requireCards(user *apptest.User, defaultID string, ids ...string) {
	env.t.Helper()
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	gotIDs, gotDefaultID := env.readCardIDs(user)
	require.Equal(env.t, ids, gotIDs)
	require.Equal(env.t, defaultID, gotDefaultID)
}

func TestSavedCards_CardOfADeclinedFirstPaymentIsDetachedAndTheFormerDefaultRestored(t *testing.T) {
	env, user := signUp(t)
	visa := user.AddCard(apptest.Visa)
	mastercard := user.AddCard(apptest.Mastercard)

	sub, _ := env.subscribeWithCard(user, apptest.DeclinedChargesCard)

	require.Equal(t, billing.Incomplete, sub.Status)
	env.requireCards(user, mastercard.ID, mastercard.ID, visa.ID)
	env.RequireNoPendingOperations()
	env.RequireCopyMatchesProvider(user)
	paidSub, err := env.App.Subscribe.Do(t.Context(), user.Identity, app.SubscribeRequest{Price: apptest.StandardMonthly, NoTrial: true})
	require.NoError(t, err)
	assert.Equal(t, billing.Active, paidSub.Status)
}

func TestSavedCards_DeclinedFirstPaymentLeavesNoCard(t *testing.T) {
	env, user := signUp(t)
	sub, _ := env.subscribeWithCard(user, insufficientFunds)
	require.Equal(t, billing.Incomplete, sub.Status)
	env.requireCards(user, "")
	sub, cardID := env.subscribeWithCard(user, apptest.Visa)
	assert.Equal(t, billing.Active, sub.Status)
	env.requireCards(user, cardID, cardID)
}

func TestSavedCards_SavedCardStaysWhenAFirstPaymentWithItIsDeclined(t *testing.T) {
	env, user := signUp(t)
	card := user.AddCard(apptest.DeclinedChargesCard)
	sub, err := env.App.Subscribe.Do(t.Context(), user.Identity, app.SubscribeRequest{
		MethodID: card.ID, Price: apptest.StandardMonthly, NoTrial: true,
	})
	require.NoError(t, err)
	require.Equal(t, billing.Incomplete, sub.Status)
	env.requireCards(user, card.ID, card.ID)
}

// The provider declines the card. It would refuse the confirmation if the card were detached.
func TestSavedCards_BrowserCanConfirmADeclinedRetryWithItsCard(t *testing.T) {
	env := newEnv(t)
	env.FakeProvider() // at a gateway, the next attempt is another payment
	user := env.SignUp("ann")
	env.subscribeWithCard(user, apptest.DeclinedChargesCard)
	retriedSub, cardID := env.subscribeWithCard(user, apptest.DeclinedChargesCard)

	_, err := env.Provider.Confirm(t.Context(),
		fakepayment.Confirmation{ClientSecret: retriedSub.LatestInvoice.Payment.ClientSecret, MethodID: cardID})

	assert.Equal(t, fault.Declined, fault.CodeOf(err))
	env.requireCards(user, cardID, cardID)
}

func TestSavedCards_CardStaysWhenItsAuthenticationFailsInTheBrowser(t *testing.T) {
	env, user := signUp(t)
	visa := user.AddCard(apptest.Visa)
	sub, cardID := env.subscribeWithCard(user, apptest.AuthenticationCard)
	env.ConfirmIntent(sub.LatestInvoice.Payment, fakepayment.OutcomeFail)
	env.requireCards(user, cmp.Or(cardID, visa.ID), cardID, visa.ID)
	if cardID == "" {
		return // the card is saved with its first payment
	}

	_, err := env.App.SetDefaultCard.Do(t.Context(), user.Identity, visa.ID)
	require.NoError(t, err)
	require.NoError(t, env.App.DeleteCard.Do(t.Context(), user.Identity, cardID), "the customer can remove it")
	env.requireCards(user, visa.ID, visa.ID)
}

func TestSavedCards_IdenticalCardsAreListedOnce(t *testing.T) {
	env, user := signUp(t)
	user.AddCard(apptest.Visa)
	mastercard := user.AddCard(apptest.Mastercard)
	visa := user.AddCard(apptest.Visa)

	cards, err := env.App.ListCards.Do(t.Context(), user.Identity)

	require.NoError(t, err)
	assert.Equal(t, []billing.PaymentMethod{visa, mastercard}, cards)
}

func TestSavedCards_FailedDetachKeepsTheDeclineAndTheCard(t *testing.T) {
	env := newEnv(t)
	env.App = env.NewApp(env.Store, &failingProvider{Provider: env.Provider, isFailing: true})
	user := env.SignUp("ann")
	visa := user.AddCard(apptest.Visa)

	sub, cardID := env.subscribeWithCard(user, apptest.DeclinedChargesCard)

	assert.Equal(t, billing.NewPaymentMethod, sub.Next.Kind)
	env.requireCards(user, visa.ID, cardID, visa.ID)
	env.RequireNoPendingOperations()
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
