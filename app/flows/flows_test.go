package flows

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

const day = 24 * time.Hour

// takeoverDelay is longer than the time after which a server settles an operation of another server.
const takeoverDelay = 3 * time.Minute

func TestMain(m *testing.M) { postgrestest.Run(m) }

// testEnv adds the helpers of this package to an Env.
type testEnv struct {
	*apptest.Env
	t *testing.T
}

func newEnv(t *testing.T, opts ...apptest.Option) *testEnv {
	t.Helper()
	return &testEnv{Env: apptest.New(t, opts...), t: t}
}

// signUp returns a new environment and a user who has signed up.
func signUp(t *testing.T) (*testEnv, *apptest.User) {
	t.Helper()
	env := newEnv(t)
	return env, env.SignUp("ann")
}

// startServers returns n servers on the same database. The first one is env.App.
func (env *testEnv) startServers(n int) []*app.UseCases {
	servers := []*app.UseCases{env.App}
	for len(servers) < n {
		servers = append(servers, env.NewAppWithOwnStore())
	}
	return servers
}

// subscribeAtProvider creates a subscription directly at the provider. The application finds it only after an event or in
// a refresh.
func (env *testEnv) subscribeAtProvider(user *apptest.User, key string, trialDays int) billing.Subscription {
	env.t.Helper()
	sub, err := env.Provider.Subscribe(env.t.Context(), payment.NewSubscription{
		Key: key, CustomerID: user.Account().CustomerID, MethodID: env.CreateCard(apptest.Visa), TrialDays: trialDays,
		Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
	})
	require.NoError(env.t, err)
	return sub
}

// runConcurrently runs all functions concurrently and returns their errors.
func runConcurrently(fns ...func() error) []error {
	errs := make([]error, len(fns))
	var ready, wg sync.WaitGroup
	ready.Add(len(fns))
	for i, fn := range fns {
		wg.Go(func() {
			ready.Done()
			ready.Wait()
			errs[i] = fn()
		})
	}
	wg.Wait()
	return errs
}
