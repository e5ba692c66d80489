package flows

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// cardlessEnv is a testEnv with the Stripe adapter. Its user deletes the only card after the adapter has read it, just
// before the purchase arrives at Stripe. Stripe refuses the purchase, and stores the refusal under the purchase's key.
type cardlessEnv struct {
	*testEnv
	stripe        payment.Provider
	user          *apptest.User
	deleteCard    func()
	losesResponse bool // the response to the first purchase is lost

	mu   sync.Mutex
	keys []string // the keys of the purchases, in order
}

func newCardlessEnv(t *testing.T) *cardlessEnv {
	t.Helper()
	env := &cardlessEnv{testEnv: newEnv(t)}
	api := env.newStripeAPI()
	env.stripe = env.connectStripe(func(w http.ResponseWriter, r *http.Request) {
		if env.recordPurchase(r) && env.losesResponse {
			api.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		api.ServeHTTP(w, r)
	})
	env.App = env.NewApp(env.Store, env.stripe)
	env.user = env.SignUp("ann")
	card := env.user.AddCard(apptest.Visa)
	env.deleteCard = func() {
		req := payment.SavedCardRequest{Key: "delete", CustomerID: env.user.Account().CustomerID, MethodID: card.ID}
		require.NoError(t, env.Provider.DeleteCard(t.Context(), req))
	}
	return env
}

// recordPurchase records the key of a purchase, and deletes the card at the first purchase. It reports whether the request
// is the first purchase.
func (env *cardlessEnv) recordPurchase(r *http.Request) bool {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/subscriptions" {
		return false
	}
	env.mu.Lock()
	defer env.mu.Unlock()
	env.keys = append(env.keys, r.Header.Get("Idempotency-Key"))
	if len(env.keys) == 1 {
		env.deleteCard()
	}
	return len(env.keys) == 1
}

func (env *cardlessEnv) subscribeOn(server *app.UseCases) (billing.Subscription, error) {
	return server.Subscribe.Do(env.t.Context(), env.user.Identity,
		app.SubscribeRequest{Price: apptest.StandardMonthly, NoTrial: true})
}

// requirePurchaseWithNewCard requires that the user can subscribe with a new card.
func (env *cardlessEnv) requirePurchaseWithNewCard() {
	env.t.Helper()
	env.user.AddCard(apptest.Visa)
	sub, err := env.subscribeOn(env.App)
	require.NoError(env.t, err)
	assert.Equal(env.t, billing.Active, sub.Status)
	assert.Len(env.t, env.user.Charges(), 1)
	env.RequireNoPendingOperations()
}

func TestStripeKeys_RefusedPurchaseIsRepeatedUnderAnotherKey(t *testing.T) {
	t.Parallel()
	env := newCardlessEnv(t)

	_, err := env.subscribeOn(env.App)

	assert.Equal(t, fault.Invalid, fault.CodeOf(err), "%v", err)
	env.requirePurchaseWithNewCard()
	require.Len(t, env.keys, 2)
	assert.NotEqual(t, env.keys[0], env.keys[1])
}

// The adapter's retry uses the same key, so that its response is the outcome of the first request.
func TestStripeKeys_RefusalAfterALostResponseIsReplayedToTheRetryOnly(t *testing.T) {
	t.Parallel()
	env := newCardlessEnv(t)
	env.losesResponse = true

	_, err := env.subscribeOn(env.App)

	assert.Equal(t, fault.Invalid, fault.CodeOf(err), "%v", err)
	env.requirePurchaseWithNewCard()
	require.Len(t, env.keys, 3)
	assert.Equal(t, env.keys[0], env.keys[1])
	assert.NotEqual(t, env.keys[0], env.keys[2])
}

// The server that got the refusal crashes before it settles the operation. A repeat of the request joins the
// operation and gets the stored refusal, although the customer has a card again. Then the operation is settled.
func TestStripeKeys_RefusalBeforeACrashIsReplayedToOneRepeatOnly(t *testing.T) {
	t.Parallel()
	env := newCardlessEnv(t)
	store := &interceptedStore{Store: env.Store, interceptor: &interceptor{hook: failCallsNamed("SettleOperation", beforeEffect)}}
	_, err := env.subscribeOn(env.NewApp(store, env.stripe))
	assert.Equal(t, fault.Invalid, fault.CodeOf(err), "%v", err)
	_, err = env.Provider.AddCard(t.Context(), payment.NewCard{
		Key: "dashboard", CustomerID: env.user.Account().CustomerID, MethodID: env.CreateCard(apptest.Mastercard),
	})
	require.NoError(t, err)

	_, err = env.subscribeOn(env.App)

	assert.Equal(t, fault.Invalid, fault.CodeOf(err), "%v", err)
	env.requirePurchaseWithNewCard()
	require.Len(t, env.keys, 3)
	assert.Equal(t, env.keys[0], env.keys[1])
	assert.NotEqual(t, env.keys[0], env.keys[2])
}
