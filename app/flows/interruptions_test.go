package flows

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// interruptedEnv is a testEnv in which a function runs before one of the provider calls of a request. App is
// a second server. The servers use the fake provider, or the Stripe adapter with a fake Stripe API in front of the
// fake provider.
type interruptedEnv struct {
	*testEnv
	// connect returns a provider that calls beforeCall before each call to it, or to Stripe.
	connect func(beforeCall func()) payment.Provider
	index   int64        // the index of the interrupted call
	calls   atomic.Int64 // the number of calls so far
}

// connections contains functions that return the connect function of an environment.
var connections = map[string]func(env *testEnv) func(beforeCall func()) payment.Provider{
	"fake": func(env *testEnv) func(func()) payment.Provider {
		return func(beforeCall func()) payment.Provider {
			return flakypayment.New(env.Provider, func(flakypayment.Call) flakypayment.Fault {
				return func(context.Context, *flakypayment.Request) error { beforeCall(); return nil }
			})
		}
	},
	"Stripe": func(env *testEnv) func(func()) payment.Provider {
		api := env.newStripeAPI()
		return func(beforeCall func()) payment.Provider {
			return env.connectStripe(func(w http.ResponseWriter, r *http.Request) {
				beforeCall()
				api.ServeHTTP(w, r)
			})
		}
	},
}

// forEachInterruption runs the test with each provider, and once for every provider call that its request makes. Every
// test runs in a new environment.
func forEachInterruption(t *testing.T, test func(env *interruptedEnv)) {
	t.Parallel()
	for name, connection := range connections {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for index, isInterrupted := int64(0), true; isInterrupted; index += everyNthCall {
				t.Run(strconv.FormatInt(index, 10), func(t *testing.T) {
					isInterrupted = false
					env := &interruptedEnv{testEnv: newEnv(t), index: index}
					env.connect = connection(env.testEnv)
					env.App = env.NewApp(env.Store, env.connect(func() {}))
					test(env)
					isInterrupted = env.calls.Load() > index
				})
			}
		})
	}
}

// interrupt sends the request and calls fn before the interrupted call, or after the request if it makes fewer
// calls.
func (env *interruptedEnv) interrupt(user *apptest.User, send request, fn func()) error {
	server := env.NewApp(env.OpenStore(), env.connect(func() {
		if env.calls.Add(1) == env.index+1 {
			fn()
		}
	}))
	err := send(env.t.Context(), server, user)
	if env.calls.Load() <= env.index {
		fn()
	}
	return err
}

// requireCurrent requires that no operation is pending and that the stored copy is what the provider reports, after
// the last event was delivered. It returns the stored copy.
func (env *interruptedEnv) requireCurrent(user *apptest.User) *billing.Account {
	env.t.Helper()
	env.RequireNothingPending()
	if events := env.TakeEvents(); len(events) > 0 {
		env.Deliver(env.App, events[len(events)-1]) // any event refreshes the whole copy
	}
	storedAccount, reportedAccount := user.Account(), billing.Account{}
	subs, err := env.connect(func() {}).ListSubscriptions(env.t.Context(), storedAccount.CustomerID)
	require.NoError(env.t, err)
	reportedAccount.Record(subs...)
	require.Equal(env.t, reportedAccount.Subscriptions, storedAccount.Subscriptions)
	return storedAccount
}

// requireSuccessOrConflict requires that every error is nil or a Conflict.
func requireSuccessOrConflict(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			assert.Equal(t, fault.Conflict, fault.CodeOf(err), "%v", err)
		}
	}
}
