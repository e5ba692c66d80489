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

// interruptedEnv is a testEnv that calls a function before one of the provider calls of a request, as if something
// happened at the same time. The request runs on a separate server, not on App. Both servers use the fake provider, or
// the Stripe adapter with a fake Stripe API in front of the fake provider.
type interruptedEnv struct {
	*testEnv
	connect   connectFunc
	stripeAPI http.Handler // nil with the fake provider
	index     int64        // the index of the interrupted call
	callCount atomic.Int64 // the number of calls so far
}

// connectFunc returns a provider that calls beforeCall before each call to the provider or to Stripe.
type connectFunc func(beforeCall func()) payment.Provider

// connectors contains a function for each provider that returns the connectFunc of an environment.
var connectors = map[string]func(env *interruptedEnv) connectFunc{
	"fake": func(env *interruptedEnv) connectFunc {
		return func(beforeCall func()) payment.Provider {
			return flakypayment.New(env.Provider, func(flakypayment.Call) flakypayment.Fault {
				return func(context.Context, *flakypayment.Request) error { beforeCall(); return nil }
			})
		}
	},
	"Stripe": func(env *interruptedEnv) connectFunc {
		env.stripeAPI = env.newStripeAPI()
		return func(beforeCall func()) payment.Provider {
			return env.connectStripe(func(w http.ResponseWriter, r *http.Request) {
				beforeCall()
				env.stripeAPI.ServeHTTP(w, r)
			})
		}
	},
}

// forEachInterruption runs the test with each provider and for each interrupted call, every time in a new environment. It
// interrupts the first provider call of the test's request, and every everyNthCall-th call after it.
func forEachInterruption(t *testing.T, test func(env *interruptedEnv)) {
	t.Parallel()
	for name, newConnectFunc := range connectors {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for index, isInterrupted := int64(0), true; isInterrupted; index += everyNthCall {
				t.Run(strconv.FormatInt(index, 10), func(t *testing.T) {
					isInterrupted = false
					env := &interruptedEnv{testEnv: newEnv(t), index: index}
					env.connect = newConnectFunc(env)
					env.App = env.NewApp(env.Store, env.connect(func() {}))
					test(env)
					isInterrupted = env.callCount.Load() > index
				})
			}
		})
	}
}

// sendInterrupted sends the request and calls fn before the provider call with the index, or after the request if it makes
// fewer calls.
func (env *interruptedEnv) sendInterrupted(user *apptest.User, send request, fn func()) error {
	server := env.NewApp(env.OpenStore(), env.connect(func() {
		if env.callCount.Add(1) == env.index+1 {
			fn()
		}
	}))
	err := send(env.t.Context(), server, user)
	if env.callCount.Load() <= env.index {
		fn()
	}
	return err
}

// requireCopyMatchesProvider requires that no operation is pending, and that the stored copy equals the provider's report
// after the last event is delivered. It returns the stored copy.
func (env *interruptedEnv) requireCopyMatchesProvider(user *apptest.User) *billing.Account {
	env.t.Helper()
	env.RequireNoPendingOperations()
	if events := env.TakeEvents(); len(events) > 0 {
		env.DeliverPayloads(env.App, events[len(events)-1]) // any event refreshes the whole copy
	}
	storedAccount, reportedAccount := user.Account(), billing.Account{}
	subs, err := env.connect(func() {}).ListSubscriptions(env.t.Context(), storedAccount.CustomerID)
	require.NoError(env.t, err)
	reportedAccount.RecordSubscriptions(subs...)
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
