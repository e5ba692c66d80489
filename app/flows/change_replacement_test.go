package flows

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

// newReplacementEnv returns an environment with the fake provider or the Stripe adapter, and a user. The user has paid
// for a year of the standard plan, and a change to the monthly price is scheduled for the renewal. Requests for which
// isLost returns true don't reach Stripe and get no response.
func newReplacementEnv(t *testing.T, usesStripe bool, isLost func(*http.Request) bool) (*testEnv, *apptest.User) {
	t.Helper()
	env := newEnv(t)
	if usesStripe {
		api := env.newStripeAPI()
		env.App = env.NewApp(env.Store, env.connectStripe(func(w http.ResponseWriter, r *http.Request) {
			if isLost(r) {
				panic(http.ErrAbortHandler)
			}
			api.ServeHTTP(w, r)
		}))
	}
	user := env.SignUp("ann")
	user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardYearly)
	_, err := env.App.ChangePlan.Do(t.Context(), user.Identity, app.ChangeRequest{
		PriceChoice: apptest.StandardMonthly, When: billing.ChangeAtRenewal,
	})
	require.NoError(t, err)
	return env, user
}

// advanceWithWorkers moves the clock in steps of an hour and runs the background workers after each step.
func (env *testEnv) advanceWithWorkers(d time.Duration) {
	env.t.Helper()
	for range d / time.Hour {
		env.Advance(time.Hour)
		for _, runWorker := range []func(context.Context) (int, error){env.App.Reconcile.Do, env.App.RefreshBilling.Do} {
			_, err := runWorker(env.t.Context())
			require.NoError(env.t, err)
		}
	}
}

func isNeverLost(*http.Request) bool { return false }

func TestChangePlan_ChangeNowReplacesTheScheduledChange(t *testing.T) {
	for name, usesStripe := range map[string]bool{"fake": false, "stripe": true} {
		t.Run(name, func(t *testing.T) {
			env, user := newReplacementEnv(t, usesStripe, isNeverLost)
			quote, err := env.App.QuotePrice.Do(t.Context(), user.Identity, app.QuoteRequest{Price: apptest.ProfessionalYearly})
			require.NoError(t, err)

			sub, err := env.App.ChangePlan.Do(t.Context(), user.Identity, app.ChangeRequest{
				PriceChoice: apptest.ProfessionalYearly, Quote: quote.Token,
			})

			require.NoError(t, err)
			assert.Equal(t, "professional", sub.Price.Product)
			assert.Nil(t, sub.Scheduled)
			charges := user.Charges()
			assert.Equal(t, quote.DueNow.Minor(), charges[len(charges)-1].Amount)
			env.Advance(366 * day)
			_, err = env.App.RefreshBilling.Do(t.Context())
			require.NoError(t, err)
			assert.Equal(t, "professional", user.Account().LiveSubscription().Price.Product)
		})
	}
}

func TestChangePlan_DeclinedReplacementKeepsTheScheduledChange(t *testing.T) {
	for name, usesStripe := range map[string]bool{"fake": false, "stripe": true} {
		t.Run(name, func(t *testing.T) {
			env, user := newReplacementEnv(t, usesStripe, isNeverLost)
			scheduledChange := user.Account().LiveSubscription().Scheduled
			user.AddCard(insufficientFunds)
			pendingSub := env.startPendingChange(user)
			assert.Equal(t, scheduledChange, pendingSub.Pending.Replaces)
			assert.Nil(t, pendingSub.Scheduled)

			env.advanceWithWorkers(25 * time.Hour)

			assert.Equal(t, scheduledChange, user.Account().LiveSubscription().Scheduled)
			user.AddCard(apptest.Visa)
			env.Advance(365 * day)
			_, err := env.App.RefreshBilling.Do(t.Context())
			require.NoError(t, err)
			assert.Equal(t, catalogue.Monthly, user.Account().LiveSubscription().Price.Interval)
		})
	}
}

// The server stops after Stripe has released the schedule and before the change.
func TestChangePlan_LostReplacementKeepsTheScheduledChange(t *testing.T) {
	var losesChange atomic.Bool
	env, user := newReplacementEnv(t, true, func(r *http.Request) bool {
		return losesChange.Load() && r.Method == http.MethodPost && r.FormValue("items[0][price]") != ""
	})
	scheduledChange := user.Account().LiveSubscription().Scheduled
	losesChange.Store(true)
	_, err := env.App.ChangePlan.Do(t.Context(), user.Identity, app.ChangeRequest{PriceChoice: apptest.ProfessionalYearly})
	require.Error(t, err)
	losesChange.Store(false)

	env.advanceWithWorkers(2 * time.Hour)

	liveSub := user.Account().LiveSubscription()
	assert.Equal(t, "standard", liveSub.Price.Product)
	assert.Equal(t, scheduledChange, liveSub.Scheduled)
	env.Advance(365 * day)
	_, err = env.App.RefreshBilling.Do(t.Context())
	require.NoError(t, err)
	assert.Equal(t, catalogue.Monthly, user.Account().LiveSubscription().Price.Interval)
}
