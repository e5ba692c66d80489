package flows

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// sendConcurrently sends all requests concurrently, alternating between the servers.
func (env *testEnv) sendConcurrently(user *apptest.User, servers []*app.UseCases, requests ...request) []error {
	calls := make([]func() error, len(requests))
	for i, r := range requests {
		calls[i] = func() error { return r(env.t.Context(), servers[i%len(servers)], user) }
	}
	return runConcurrently(calls...)
}

func TestSubscribe_ConcurrentCheckoutsCreateOneCustomerAndOneSubscription(t *testing.T) {
	const requestCount = 8
	for _, serverCount := range []int{1, 2} {
		t.Run(fmt.Sprintf("the same request many times, servers: %d", serverCount), func(t *testing.T) {
			env := newEnv(t)
			user, repeat := env.SignUp("ann"), subscribeRequest(apptest.StandardMonthly, true)(env.CreateCard(apptest.Visa))
			requests := make([]request, requestCount)
			for i := range requests {
				requests[i] = repeat
			}
			for _, err := range env.sendConcurrently(user, env.startServers(serverCount), requests...) {
				assert.NoError(t, err, "a repeat succeeds")
			}
			env.requireOnePaidSubscription(user)
		})
		t.Run(fmt.Sprintf("many cards, servers: %d", serverCount), func(t *testing.T) {
			env := newEnv(t)
			user, requests := env.SignUp("ann"), make([]request, requestCount)
			for i := range requests {
				requests[i] = subscribeRequest(apptest.StandardMonthly, true)(env.CreateCard(apptest.Visa))
			}
			env.requireOneSuccess(env.sendConcurrently(user, env.startServers(serverCount), requests...))
			env.requireOnePaidSubscription(user)
		})
	}
}

// requireOneSuccess requires that one request succeeded and all others failed with Conflict.
func (env *testEnv) requireOneSuccess(errs []error) {
	env.t.Helper()
	successCount := 0
	for _, err := range errs {
		if err == nil {
			successCount++
			continue
		}
		require.Equal(env.t, fault.Conflict, fault.CodeOf(err), "%v", err)
	}
	require.Equal(env.t, 1, successCount)
}

// requireOnePaidSubscription requires that there is one subscription, which is live, and one paid invoice.
func (env *testEnv) requireOnePaidSubscription(user *apptest.User) {
	env.t.Helper()
	require.Len(env.t, env.Subscriptions(), 1)
	require.Len(env.t, env.LiveSubscriptions(), 1)
	require.Equal(env.t, 1, env.PaidInvoiceCount())
	env.RequireNoPendingOperations()
	env.RequireCopyMatchesProvider(user)
}

var postgresTemplate = postgrestest.NewTemplate(apptest.Migrate)

// subscribeConcurrently signs a user up without a customer and sends concurrentRequests requests to two servers. Each
// request creates the customer and subscribes with a card of cardID. It returns the results of the requests.
func (env *testEnv) subscribeConcurrently(cardID func() string) (subscriptionIDs []string, errs []error) {
	user, servers := env.signUpWithoutCustomer(), env.startServers(2)
	subscriptionIDs = make([]string, concurrentRequests)
	calls := make([]func() error, concurrentRequests)
	for i := range calls {
		req := app.SubscribeRequest{MethodID: cardID(), Price: apptest.StandardMonthly, NoTrial: true}
		calls[i] = func() error {
			server := servers[i%2]
			if _, err := server.CreateCustomer.Do(env.t.Context(), user.Identity); err != nil {
				return err
			}
			sub, err := server.Subscribe.Do(env.t.Context(), user.Identity, req)
			subscriptionIDs[i] = sub.ID
			return err
		}
	}
	errs = runConcurrently(calls...)
	env.requireOnePaidSubscription(user)
	return subscriptionIDs, errs
}

func TestPostgres_ManyConcurrentRepeatsCreateOneSubscriptionAndSucceed(t *testing.T) {
	env := newEnv(t, apptest.WithDatabase(postgresTemplate.URL(t)))
	card := env.CreateCard(apptest.Visa)
	ids, errs := env.subscribeConcurrently(func() string { return card })
	for i := range ids {
		require.NoError(t, errs[i])
		require.Equal(t, env.LiveSubscriptions()[0].ID, ids[i])
	}
}

func TestPostgres_ManyConcurrentCardsCreateOneSubscription(t *testing.T) {
	env := newEnv(t, apptest.WithDatabase(postgresTemplate.URL(t)))
	_, errs := env.subscribeConcurrently(func() string { return env.CreateCard(apptest.Visa) })
	env.requireOneSuccess(errs)
}

// slowProvider is a provider that closes subscribeCalled when Subscribe is called, and then waits until release is closed.
type slowProvider struct {
	payment.Provider
	subscribeCalled, release chan struct{}
}

func (p *slowProvider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	close(p.subscribeCalled)
	<-p.release
	return p.Provider.Subscribe(context.WithoutCancel(ctx), req)
}

// The clock that measures the age of operations moves during a slow payment, or differs between the servers, so that a
// second request takes the operation over.
func TestTakeover_SlowPaymentAndMovedClocksCreateOneSubscription(t *testing.T) {
	t.Parallel()
	databases := map[string]func(t *testing.T) []apptest.Option{
		"SQLite": func(*testing.T) []apptest.Option { return nil },
		"PostgreSQL": func(t *testing.T) []apptest.Option {
			return []apptest.Option{apptest.WithDatabase(postgresTemplate.URL(t))}
		},
	}
	for _, offset := range []time.Duration{125 * time.Second, 130 * time.Second, time.Hour, -time.Hour, 30 * day, -30 * day} {
		for name, database := range databases {
			for _, serverCount := range []int{1, 2} {
				t.Run(fmt.Sprintf("%s, %d servers on %s", offset, serverCount, name), func(t *testing.T) {
					t.Parallel()
					newEnv(t, database(t)...).requireTakeoverOfSlowPurchase(serverCount, offset)
				})
			}
		}
	}
}

// requireTakeoverOfSlowPurchase requires that a second request takes over a slow purchase when the clock of the store has
// moved by the offset, and that only the second request creates a subscription.
func (env *testEnv) requireTakeoverOfSlowPurchase(serverCount int, offset time.Duration) {
	t := env.t
	user := env.SignUp("ann")
	provider := &slowProvider{Provider: env.Provider, subscribeCalled: make(chan struct{}), release: make(chan struct{})}
	skewedStore := env.OpenStore()
	slowServer, quickServer := env.NewApp(env.Store, provider), env.NewApp(skewedStore, env.Provider)
	if serverCount == 1 {
		slowServer = env.NewApp(skewedStore, provider)
	}
	slowRequest := subscribeRequest(apptest.StandardMonthly, true)(env.CreateCard(apptest.Visa))
	quickRequest := subscribeRequest(apptest.StandardMonthly, true)(env.CreateCard(apptest.Mastercard))
	slowErrs := make(chan error, 1)
	go func() { slowErrs <- slowRequest(context.WithoutCancel(t.Context()), slowServer, user) }()
	<-provider.subscribeCalled
	skewedStore.UseClock(func() time.Time { return env.Clock.Now().Add(offset) })

	require.NoError(t, quickRequest(t.Context(), quickServer, user), "the second request takes over")
	close(provider.release)

	slowErr := <-slowErrs
	assert.Equal(t, fault.Conflict, fault.CodeOf(slowErr))
	require.ErrorIs(t, slowErr, payment.ErrKeyRetired)
	subs := env.Subscriptions()
	require.Len(t, subs, 1)
	assert.Equal(t, billing.Active, subs[0].Status)
	assert.Len(t, user.Charges(), 1)
}
