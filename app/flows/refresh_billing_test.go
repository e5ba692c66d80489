package flows

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// unreportedChanges contains changes at the provider whose events are lost.
var unreportedChanges = []struct {
	name    string
	card    string
	noTrial bool
	change  func(env *testEnv, user *apptest.User, sub billing.Subscription)
	delay   time.Duration // the time after which RefreshBilling finds the change
	want    billing.Status
}{
	{"a trial ends and is paid for", apptest.Visa, false,
		func(env *testEnv, _ *apptest.User, _ billing.Subscription) { env.Advance(7 * day) }, 2 * time.Hour, billing.Active},
	{"a trial ends and can't be paid for", apptest.DeclinedChargesCard, false,
		func(env *testEnv, _ *apptest.User, _ billing.Subscription) { env.Advance(7 * day) }, 2 * time.Hour, billing.PastDue},
	{"no payment succeeds", apptest.DeclinedChargesCard, false,
		func(env *testEnv, _ *apptest.User, _ billing.Subscription) { env.Advance(60 * day) }, time.Second, billing.Canceled},
	{"a first payment is made in the browser", apptest.AuthenticationCard, true,
		func(env *testEnv, _ *apptest.User, sub billing.Subscription) {
			env.ConfirmIntent(sub.LatestInvoice.Payment, fakepayment.OutcomeComplete)
		}, time.Hour, billing.Active},
	{"a first payment is never made", apptest.AuthenticationCard, true,
		func(env *testEnv, _ *apptest.User, _ billing.Subscription) { env.Advance(23 * time.Hour) }, time.Second,
		billing.IncompleteExpired},
	{"a subscription is canceled at the provider", apptest.Visa, true,
		func(env *testEnv, _ *apptest.User, sub billing.Subscription) { env.CancelAtProvider(sub.ID) }, 7 * day,
		billing.Canceled},
}

func TestRefreshBilling_FindsUnreportedChanges(t *testing.T) {
	t.Parallel()
	for _, tt := range unreportedChanges {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			env, user := signUp(t)
			sub, err := env.App.Subscribe.Do(t.Context(), user.Identity,
				app.SubscribeRequest{Price: apptest.StandardMonthly, MethodID: env.CreateCard(tt.card), NoTrial: tt.noTrial})
			require.NoError(t, err)

			tt.change(env, user, sub)
			require.NotEqual(t, tt.want, user.Account().Subscriptions[0].Status)
			env.Advance(tt.delay)
			_, err = env.App.RefreshBilling.Do(t.Context())

			require.NoError(t, err)
			assert.Equal(t, tt.want, user.Account().Subscriptions[0].Status)
			env.RequireCopyMatchesProvider(user)
		})
	}
}

// countListCalls returns the number of calls that list subscriptions.
func countListCalls(names []string) (n int) {
	for _, name := range names {
		if name == "ListSubscriptions" {
			n++
		}
	}
	return n
}

func TestRefreshBilling_ConcurrentServersCheckEachOrganisationOnce(t *testing.T) {
	env := newEnv(t)
	const userCount = 20
	var users []*apptest.User
	for i := range userCount {
		user := env.SignUp(fmt.Sprintf("ann%c", 'a'+i))
		user.Subscribe(apptest.DeclinedChargesCard, apptest.StandardMonthly)
		users = append(users, user)
	}
	env.Advance(7*day + 2*time.Hour)

	var calls []func() error
	var interceptors []*interceptor
	for range 4 {
		i := &interceptor{hook: noFault}
		server := env.NewApp(env.OpenStore(), flakypayment.New(env.Provider, i.providerFault))
		interceptors = append(interceptors, i)
		calls = append(calls, func() error { _, err := server.RefreshBilling.Do(t.Context()); return err })
	}
	for _, err := range runConcurrently(calls...) {
		require.NoError(t, err)
	}

	listCount := 0
	for _, interceptor := range interceptors {
		listCount += countListCalls(interceptor.names)
	}
	assert.Equal(t, userCount, listCount, "one list for each organisation")
	for _, user := range users {
		assert.Equal(t, billing.PastDue, user.Account().LiveSubscription().Status)
	}
	server, interceptor := env.newInterceptedServer(noFault)
	refreshedCount, err := server.RefreshBilling.Do(t.Context())
	require.NoError(t, err)
	assert.Zero(t, refreshedCount)
	assert.Zero(t, countListCalls(interceptor.names))
}

// The event of the subscription is lost. RefreshBilling finds it within a week.
func TestRefreshBilling_FindsASubscriptionCreatedAtTheProvider(t *testing.T) {
	for name, signUpUser := range map[string]func(env *testEnv) *apptest.User{
		"customer has never subscribed": func(env *testEnv) *apptest.User { return env.SignUp("ann") },
		"customer was created by Reconcile": func(env *testEnv) *apptest.User {
			user := env.signUpWithFault(failCallsNamed("CreateCustomer", afterEffect))
			env.Advance(takeoverDelay)
			_, err := env.App.Reconcile.Do(t.Context())
			require.NoError(t, err)
			return user
		},
		"earlier subscription has ended": func(env *testEnv) *apptest.User {
			user := env.SignUp("ann")
			env.CancelAtProvider(user.Subscribe(apptest.Visa, apptest.StandardMonthly).ID)
			env.DeliverEvents()
			require.Equal(t, billing.Canceled, user.Account().PastLicense().Status)
			return user
		},
	} {
		t.Run(name, func(t *testing.T) {
			env := newEnv(t)
			user := signUpUser(env)
			sub := env.subscribeAtProvider(user, "by-hand", 0)
			require.Nil(t, user.License())

			env.Advance(7 * day)
			refreshedCount, err := env.App.RefreshBilling.Do(t.Context())

			require.NoError(t, err)
			assert.Equal(t, 1, refreshedCount)
			require.NotNil(t, user.License())
			assert.Equal(t, sub.ID, user.License().ID)
			env.RequireCopyMatchesProvider(user)
		})
	}
}

func TestRefreshBilling_SkipsOrganisationsWithoutACustomer(t *testing.T) {
	env := newEnv(t)
	user := env.signUpWithFault(failCallsNamed("BeginOperation", beforeEffect))
	env.Advance(400 * day)
	server, interceptor := env.newInterceptedServer(noFault)

	refreshedCount, err := server.RefreshBilling.Do(t.Context())

	require.NoError(t, err)
	assert.Zero(t, refreshedCount)
	assert.Zero(t, countListCalls(interceptor.names))
	_, err = env.App.ShowCustomer.Do(t.Context(), user.Identity)
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
}
