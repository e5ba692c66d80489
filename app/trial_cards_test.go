package app_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// subscribeWith requests a subscription with a new or a saved card.
func subscribeWith(t *testing.T, env *apptest.Env, user *apptest.User, methodID string, noTrial bool) (billing.Subscription, error) {
	t.Helper()
	return env.App.Subscribe.Do(t.Context(), user.Identity,
		app.SubscribeRequest{MethodID: methodID, Price: apptest.StandardMonthly, NoTrial: noTrial})
}

// sharedTrials returns the organisations with a trial with the same card, as an operator sees them.
func sharedTrials(t *testing.T, env *apptest.Env, user *apptest.User) (organisationIDs []string) {
	t.Helper()
	view, err := env.App.ViewOrganisation.Do(operators.WithOperator(t.Context(), operators.CommandLine("olga")), user.OrganisationID)
	require.NoError(t, err)
	for _, trial := range view.SharedTrialCards {
		organisationIDs = append(organisationIDs, trial.OrganisationID)
	}
	return organisationIDs
}

func TestTrialCards_ShowsTrialsWithTheSameCard(t *testing.T) {
	env := apptest.New(t)
	ann, bob, cleo := env.SignUp("ann"), env.SignUp("bob"), env.SignUp("cleo")
	assert.Equal(t, billing.Trialing, ann.Subscribe(apptest.Visa, apptest.StandardMonthly).Status)
	assert.Equal(t, billing.Trialing, bob.Subscribe(apptest.Visa, apptest.StandardYearly).Status)
	cleo.Subscribe(apptest.Mastercard, apptest.StandardMonthly)
	env.DeliverEvents()
	assert.Equal(t, []string{bob.OrganisationID}, sharedTrials(t, env, ann))
	assert.Equal(t, []string{ann.OrganisationID}, sharedTrials(t, env, bob))
	assert.Empty(t, sharedTrials(t, env, cleo))
}

func TestTrialCards_ShowsCardsThatWereSavedDuringTheTrial(t *testing.T) {
	env := apptest.New(t)
	ann, bob := env.SignUp("ann"), env.SignUp("bob")
	ann.Subscribe(apptest.Visa, apptest.StandardMonthly)
	bob.Subscribe(apptest.Mastercard, apptest.StandardMonthly)
	env.DeliverEvents()
	assert.Empty(t, sharedTrials(t, env, bob))
	bob.AddCard(apptest.Visa)
	for range 2 {
		_, err := env.App.ListCards.Do(t.Context(), bob.Identity)
		require.NoError(t, err)
	}
	assert.Equal(t, []string{ann.OrganisationID}, sharedTrials(t, env, bob))
}

func TestTrialCards_PurchaseWithoutTrialRecordsNothing(t *testing.T) {
	env := apptest.New(t)
	ann, bob := env.SignUp("ann"), env.SignUp("bob")
	ann.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	bob.Subscribe(apptest.Visa, apptest.StandardMonthly)
	env.DeliverEvents()
	assert.Empty(t, sharedTrials(t, env, bob))
}

func TestTrialCards_RefusesASecondTrialWithTheCard(t *testing.T) {
	env := apptest.New(t, apptest.WithOneTrialForEachCard())
	ann, bob := env.SignUp("ann"), env.SignUp("bob")
	assert.Equal(t, billing.Trialing, ann.Subscribe(apptest.Visa, apptest.StandardMonthly).Status)

	card := env.CreateCard(apptest.Visa)
	_, err := subscribeWith(t, env, bob, card, false)
	assertCode(t, fault.Conflict, err)
	assert.Equal(t, "This card was already used for a free trial. Please use another one, or contact us.", fault.MessageOf(err))
	assert.Empty(t, bob.Account().Subscriptions)
	_, err = subscribeWith(t, env, bob, "", false) // with the card, which is saved now
	assertCode(t, fault.Conflict, err)
	_, err = subscribeWith(t, env, bob, card, false)
	assertCode(t, fault.Conflict, err)
	assert.Empty(t, sharedTrials(t, env, ann), "bob had no trial")

	sub, err := subscribeWith(t, env, bob, env.CreateCard(apptest.Mastercard), false)
	require.NoError(t, err)
	assert.Equal(t, billing.Trialing, sub.Status)
	cleo := env.SignUp("cleo")
	sub, err = subscribeWith(t, env, cleo, env.CreateCard(apptest.Visa), true)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, sub.Status)
}

// TestTrialCards_DeclinedCardDoesNotUseTheTrial saves a card that the provider then refuses.
func TestTrialCards_DeclinedCardDoesNotUseTheTrial(t *testing.T) {
	env := apptest.New(t, apptest.WithOneTrialForEachCard())
	ann, bob := env.SignUp("ann"), env.SignUp("bob")
	_, err := subscribeWith(t, env, ann, env.CreateCard(apptest.DeclinedCard), false)
	assertCode(t, fault.Declined, err)
	_, err = subscribeWith(t, env, bob, env.CreateCard(apptest.DeclinedCard), false)
	assertCode(t, fault.Declined, err)
	assert.Equal(t, billing.Trialing, ann.Subscribe(apptest.Visa, apptest.StandardMonthly).Status)
}

func TestTrialCards_OneOfTwoConcurrentTrialsWithACardBegins(t *testing.T) {
	env := apptest.New(t, apptest.WithOneTrialForEachCard())
	users := []*apptest.User{env.SignUp("ann"), env.SignUp("bob")}
	errs := make([]error, len(users))
	var wg sync.WaitGroup
	for i, user := range users {
		card := env.CreateCard(apptest.Visa)
		wg.Go(func() { _, errs[i] = subscribeWith(t, env, user, card, false) })
	}
	wg.Wait()
	trials := 0
	for i, user := range users {
		if errs[i] == nil {
			trials++
			continue
		}
		assertCode(t, fault.Conflict, errs[i])
		assert.Empty(t, user.Account().Subscriptions)
	}
	assert.Equal(t, 1, trials)
}
