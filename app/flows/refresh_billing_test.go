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
	within  time.Duration // the time after which RefreshBilling finds the change
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
			env.Confirm(sub.LatestInvoice.Payment, fakepayment.Complete)
		}, time.Hour, billing.Active},
	{"a first payment is never made", apptest.AuthenticationCard, true,
		func(env *testEnv, _ *apptest.User, _ billing.Subscription) { env.Advance(23 * time.Hour) }, time.Second,
		billing.IncompleteExpired},
	{"it is canceled at the provider", apptest.Visa, true,
		func(env *testEnv, _ *apptest.User, sub billing.Subscription) { env.CancelAtProvider(sub.ID) }, 7 * day,
		billing.Canceled},
}

func TestRefreshBilling_FindsUnreportedChanges(t *testing.T) {
	t.Parallel()
	for _, c := range unreportedChanges {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			env, user := signUp(t)
			sub, err := env.App.Subscribe.Do(t.Context(), user.Identity,
				app.SubscribeRequest{Price: apptest.StandardMonthly, MethodID: env.CreateCard(c.card), NoTrial: c.noTrial})
			require.NoError(t, err)

			c.change(env, user, sub)
			require.NotEqual(t, c.want, user.Account().Subscriptions[0].Status)
			env.Advance(c.within)
			_, err = env.App.RefreshBilling.Do(t.Context())

			require.NoError(t, err)
			assert.Equal(t, c.want, user.Account().Subscriptions[0].Status)
			env.RequireConsistent(user)
		})
	}
}

// countLists returns how often the subscriptions were listed.
func countLists(names []string) (n int) {
	for _, name := range names {
		if name == "ListSubscriptions" {
			n++
		}
	}
	return n
}

func TestRefreshBilling_ServersShareTheChecks(t *testing.T) {
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
	var counters []*interceptor
	for range 4 {
		counter := &interceptor{hook: noFault}
		server := env.NewApp(env.OpenStore(), flakypayment.New(env.Provider, counter.providerFault))
		counters = append(counters, counter)
		calls = append(calls, func() error { _, err := server.RefreshBilling.Do(t.Context()); return err })
	}
	for _, err := range concurrently(calls...) {
		require.NoError(t, err)
	}

	queries := 0
	for _, counter := range counters {
		queries += countLists(counter.names)
	}
	assert.Equal(t, userCount, queries, "one query for each")
	for _, user := range users {
		assert.Equal(t, billing.PastDue, user.Account().Live().Status)
	}
	server, counter := env.withInterceptor(noFault)
	count, err := server.RefreshBilling.Do(t.Context())
	require.NoError(t, err)
	assert.Zero(t, count)
	assert.Zero(t, countLists(counter.names))
}

// A subscription that was created at the provider is found within a week, also without any event.
func TestRefreshBilling_FindsASubscriptionCreatedAtTheProvider(t *testing.T) {
	for name, signUp := range map[string]func(env *testEnv) *apptest.User{
		"who never subscribed": func(env *testEnv) *apptest.User { return env.SignUp("ann") },
		"whose customer was created late": func(env *testEnv) *apptest.User {
			user := env.signUpWithFault(failEvery("CreateCustomer", after))
			env.Advance(takeoverDelay)
			_, err := env.App.Reconcile.Do(t.Context())
			require.NoError(t, err)
			return user
		},
		"whose subscription is over": func(env *testEnv) *apptest.User {
			user := env.SignUp("ann")
			env.CancelAtProvider(user.Subscribe(apptest.Visa, apptest.StandardMonthly).ID)
			env.DeliverEvents()
			require.Equal(t, billing.Canceled, user.Account().PastLicense().Status)
			return user
		},
	} {
		t.Run(name, func(t *testing.T) {
			env := newEnv(t)
			user := signUp(env)
			sub := env.subscribeAtProvider(user, "by-hand", 0)
			require.Nil(t, user.License())

			env.Advance(7 * day)
			count, err := env.App.RefreshBilling.Do(t.Context())

			require.NoError(t, err)
			assert.Equal(t, 1, count)
			require.NotNil(t, user.License())
			assert.Equal(t, sub.ID, user.License().ID)
			env.RequireConsistent(user)
		})
	}
}

func TestRefreshBilling_SkipsOrganisationsWithoutACustomer(t *testing.T) {
	env := newEnv(t)
	user := env.signUpWithFault(failEvery("BeginOperation", before))
	env.Advance(400 * day)
	server, counter := env.withInterceptor(noFault)

	count, err := server.RefreshBilling.Do(t.Context())

	require.NoError(t, err)
	assert.Zero(t, count)
	assert.Zero(t, countLists(counter.names))
	_, err = env.App.ShowCustomer.Do(t.Context(), user.Identity)
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
}
