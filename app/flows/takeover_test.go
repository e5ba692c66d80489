package flows

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
)

// otherPurchases return a purchase that takes a quoted purchase over. Each has another card.
var otherPurchases = map[string]func(env *interruptedEnv, user *apptest.User) request{
	"the same plan": func(env *interruptedEnv, user *apptest.User) request {
		quote, confirm := env.requestQuote(user, billing.ChangeNow)
		return confirm(quote.Token)
	},
	"another plan": func(env *interruptedEnv, _ *apptest.User) request {
		return subscribeRequest(apptest.StandardMonthly, true)(env.CreateCard(apptest.Mastercard))
	},
}

// A purchase with a quote creates the subscription first and then pays its invoice, so it can still charge after the
// takeover has found the subscription. The other purchase runs completely before one of its calls.
func TestSubscribe_TakeoverOfARunningQuotedPurchaseChargesOnce(t *testing.T) {
	t.Parallel()
	for name, newOtherPurchase := range otherPurchases {
		t.Run(name, func(t *testing.T) {
			forEachInterruption(t, func(env *interruptedEnv) {
				user := env.SignUp("ann")
				quote, confirm := env.requestQuote(user, billing.ChangeNow)
				purchase, otherPurchase := confirm(quote.Token), newOtherPurchase(env, user)
				var otherErr error

				err := env.sendInterrupted(user, purchase, func() {
					env.Advance(takeoverDelay)
					otherErr = otherPurchase(env.t.Context(), env.App, user)
				})

				requireSuccessOrConflict(env.t, err, otherErr)
				env.requireOnePurchase(user, otherPurchase)
			})
		})
	}
}

// The purchase with the quote waits before it pays. It continues, and ends, before one of the calls of the other purchase.
func TestSubscribe_QuotedPurchaseThatPaysDuringItsTakeoverIsChargedOnce(t *testing.T) {
	t.Parallel()
	for name, newOtherPurchase := range otherPurchases {
		t.Run(name, func(t *testing.T) {
			forEachInterruption(t, func(env *interruptedEnv) {
				if env.stripeAPI == nil {
					return // the fake provider creates and pays a subscription in one call
				}
				user := env.SignUp("ann")
				quote, confirm := env.requestQuote(user, billing.ChangeNow)
				purchase, otherPurchase := confirm(quote.Token), newOtherPurchase(env, user)
				isAboutToPay, isResumed, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
				resume := sync.OnceFunc(func() { close(isResumed) })
				server := env.NewApp(env.OpenStore(), env.connectStripe(func(w http.ResponseWriter, r *http.Request) {
					if strings.HasSuffix(r.URL.Path, "/pay") {
						close(isAboutToPay)
						<-isResumed
					}
					env.stripeAPI.ServeHTTP(w, r)
				}))
				env.t.Cleanup(resume) // the server waits for its requests
				go func() { done <- purchase(env.t.Context(), server, user) }()
				<-isAboutToPay
				env.Advance(takeoverDelay)
				var err error

				otherErr := env.sendInterrupted(user, otherPurchase, func() {
					resume()
					err = <-done
				})

				requireSuccessOrConflict(env.t, err, otherErr)
				env.requireOnePurchase(user, otherPurchase)
			})
		})
	}
}

// requireOnePurchase requires that the customer was charged once, and is not charged again by a repeat of the purchase. If
// both purchases have stopped each other, the repeat succeeds.
func (env *interruptedEnv) requireOnePurchase(user *apptest.User, repeat request) {
	env.t.Helper()
	require.LessOrEqual(env.t, len(user.Charges()), 1)
	env.Advance(takeoverDelay)
	requireSuccessOrConflict(env.t, repeat(env.t.Context(), env.App, user))
	assert.Len(env.t, user.Charges(), 1)
	assert.Len(env.t, env.LiveSubscriptions(), 1)
	env.requireCopyMatchesProvider(user)
}
