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
	return concurrently(calls...)
}

func TestPitfall01_ConcurrentCheckoutsCreateOneCustomerAndOneSubscription(t *testing.T) {
	const many = 8
	for _, servers := range []int{1, 2} {
		t.Run(fmt.Sprintf("the same request many times, servers: %d", servers), func(t *testing.T) {
			env := newEnv(t)
			user, repeat := env.SignUp("ann"), subscribeRequest(apptest.StandardMonthly, true)(env.CreateCard(apptest.Visa))
			requests := make([]request, many)
			for i := range requests {
				requests[i] = repeat
			}
			for _, err := range env.sendConcurrently(user, env.servers(servers), requests...) {
				assert.NoError(t, err, "a repeat succeeds")
			}
			env.requireOnePaid(user)
		})
		t.Run(fmt.Sprintf("many cards, servers: %d", servers), func(t *testing.T) {
			env := newEnv(t)
			user, requests := env.SignUp("ann"), make([]request, many)
			for i := range requests {
				requests[i] = subscribeRequest(apptest.StandardMonthly, true)(env.CreateCard(apptest.Visa))
			}
			env.requireOneSuccess(env.sendConcurrently(user, env.servers(servers), requests...))
			env.requireOnePaid(user)
		})
	}
}

// requireOneSuccess requires that one request succeeded and all others failed with Conflict.
func (env *testEnv) requireOneSuccess(errs []error) {
	env.t.Helper()
	succeeded := 0
	for _, err := range errs {
		if err == nil {
			succeeded++
			continue
		}
		require.Equal(env.t, fault.Conflict, fault.CodeOf(err), "%v", err)
	}
	require.Equal(env.t, 1, succeeded)
}

func (env *testEnv) requireOnePaid(user *apptest.User) {
	env.t.Helper()
	require.Len(env.t, env.Subscriptions(), 1)
	require.Len(env.t, env.LiveSubscriptions(), 1)
	require.Equal(env.t, 1, env.PaidInvoices())
	env.RequireNothingPending()
	env.RequireConsistent(user)
}

var postgresTemplate = postgrestest.NewTemplate(apptest.Migrate)

// subscribeConcurrently sends concurrentRequests requests of one organisation, which has no customer yet, to
// two servers. Each request creates the customer and subscribes.
func (env *testEnv) subscribeConcurrently(cardID func() string) (subscriptionIDs []string, errs []error) {
	user, servers := env.signUpWithoutCustomer(), env.servers(2)
	subscriptionIDs = make([]string, concurrentRequests)
	calls := make([]func() error, concurrentRequests)
	for i := range calls {
		req := app.SubscribeRequest{MethodID: cardID(), Price: apptest.StandardMonthly, NoTrial: true}
		calls[i] = func() error {
			server := servers[i%2]
			if _, err := server.NewCustomer.Do(env.t.Context(), user.Identity); err != nil {
				return err
			}
			sub, err := server.Subscribe.Do(env.t.Context(), user.Identity, req)
			subscriptionIDs[i] = sub.ID
			return err
		}
	}
	errs = concurrently(calls...)
	env.requireOnePaid(user)
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

// slowProvider blocks Subscribe until release is closed.
type slowProvider struct {
	payment.Provider
	sent, release chan struct{}
}

func (p *slowProvider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	close(p.sent)
	<-p.release
	return p.Provider.Subscribe(context.WithoutCancel(ctx), req)
}

// The clock by which operation ages are measured moves during a slow payment, or differs between the
// servers, so that a second request takes the operation over.
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
			for _, servers := range []int{1, 2} {
				t.Run(fmt.Sprintf("%s, %d servers on %s", offset, servers, name), func(t *testing.T) {
					t.Parallel()
					newEnv(t, database(t)...).subscribeWhileSlow(servers, offset)
				})
			}
		}
	}
}

func (env *testEnv) subscribeWhileSlow(servers int, offset time.Duration) {
	t := env.t
	user := env.SignUp("ann")
	slow := &slowProvider{Provider: env.Provider, sent: make(chan struct{}), release: make(chan struct{})}
	skewed := env.OpenStore()
	first, second := env.NewApp(env.Store, slow), env.NewApp(skewed, env.Provider)
	if servers == 1 {
		first = env.NewApp(skewed, slow)
	}
	slowRequest := subscribeRequest(apptest.StandardMonthly, true)(env.CreateCard(apptest.Visa))
	quickRequest := subscribeRequest(apptest.StandardMonthly, true)(env.CreateCard(apptest.Mastercard))
	ended := make(chan error, 1)
	go func() { ended <- slowRequest(context.WithoutCancel(t.Context()), first, user) }()
	<-slow.sent
	skewed.UseClock(func() time.Time { return env.Clock.Now().Add(offset) })

	require.NoError(t, quickRequest(t.Context(), second, user), "it takes over")
	close(slow.release)

	slowErr := <-ended
	assert.Equal(t, fault.Conflict, fault.CodeOf(slowErr))
	require.ErrorIs(t, slowErr, payment.ErrKeyRetired)
	subs := env.Subscriptions()
	require.Len(t, subs, 1)
	assert.Equal(t, billing.Active, subs[0].Status)
	assert.Len(t, user.Charges(), 1)
}
