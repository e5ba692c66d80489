package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestSubscribe_AuthenticatesTheCardOfATrialImmediately(t *testing.T) {
	env, user := signUp(t)

	sub := user.Subscribe(apptest.AuthenticationCard, apptest.StandardMonthly)
	require.Equal(t, billing.Trialing, sub.Status)
	require.Equal(t, billing.OutcomeConfirmSetup, billing.DecideOutcome(sub, false))
	env.ConfirmIntent(sub.PendingSetup, fakepayment.OutcomeComplete)

	require.NotNil(t, user.License())
	assert.Nil(t, user.Account().LiveSubscription().PendingSetup, "no event is needed")
	env.Advance(7 * day)
	assert.Equal(t, billing.Active, user.License().Status)
	env.RequireCopyMatchesProvider(user)
}

func TestSubscribe_ExpiredFirstPaymentStartsANewSubscription(t *testing.T) {
	env, user := signUp(t)
	user.SubscribeWithoutTrial(apptest.DeclinedChargesCard, apptest.StandardMonthly)
	env.Advance(day)
	assert.Nil(t, user.License())

	user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)

	assert.Equal(t, billing.Active, user.License().Status)
	assert.Len(t, env.Subscriptions(), 2)
	env.RequireCopyMatchesProvider(user)
}

func TestSubscribe_PastDueBlocksASecondSubscriptionButNotANewCard(t *testing.T) {
	env, user := signUp(t)
	user.Subscribe(apptest.DeclinedChargesCard, apptest.StandardMonthly)
	env.Advance(7 * day)
	require.Equal(t, billing.PastDue, user.License().Status)

	_, err := env.App.Subscribe.Do(t.Context(), user.Identity,
		app.SubscribeRequest{MethodID: env.CreateCard(apptest.Visa), Price: apptest.StandardMonthly})
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))

	validCard := user.AddCard(apptest.Visa)
	cards, err := env.App.ListCards.Do(t.Context(), user.Identity)
	require.NoError(t, err)
	require.Len(t, cards, 2)
	customer, err := env.App.ShowCustomer.Do(t.Context(), user.Identity)
	require.NoError(t, err)
	assert.Equal(t, validCard, *customer.Default)

	env.Advance(4 * day)
	assert.Equal(t, billing.Active, user.License().Status)
	env.RequireCopyMatchesProvider(user)
}

func TestSubscribe_ChargesTheDefaultCard(t *testing.T) {
	env, user := signUp(t)
	user.Subscribe(apptest.Visa, apptest.StandardMonthly)
	declinedCard := user.AddCard(apptest.DeclinedChargesCard)

	env.Advance(7 * day)

	assert.Equal(t, billing.PastDue, user.License().Status)
	assert.Equal(t, fault.Conflict, fault.CodeOf(env.App.DeleteCard.Do(t.Context(), user.Identity, declinedCard.ID)))
}
