package flows

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// stripeEnv is a testEnv with a server that uses the Stripe adapter. It counts the calls to Stripe.
type stripeEnv struct {
	*testEnv
	user *apptest.User

	mu               sync.Mutex
	refreshCount     int // lists of the customer's subscriptions
	invoiceListCount int // lists of the customer's invoices
	callCount        int // all calls but the lists of invoices and of their charges

	onCall func(*http.Request) // is called before each call; may be nil
}

// newStripeEnv returns an environment with a new user. Another user has subscribed to each price, because the adapter
// looks a price up before its first use.
func newStripeEnv(t *testing.T) *stripeEnv {
	t.Helper()
	env := &stripeEnv{testEnv: newEnv(t)}
	api := env.newStripeAPI()
	env.App = env.NewApp(env.Store, env.connectStripe(func(w http.ResponseWriter, r *http.Request) {
		env.countCall(r)
		if env.onCall != nil {
			env.onCall(r)
		}
		api.ServeHTTP(w, r)
	}))
	user := env.SignUp("first")
	for _, price := range []app.PriceChoice{apptest.StandardMonthly, apptest.StandardYearly, apptest.ProfessionalYearly} {
		user.Subscribe(apptest.Visa, price)
		env.CancelAtProvider(user.Account().Subscriptions[0].ID)
	}
	env.requireCallCount("a sign-up", 1, func() error { env.user = env.SignUp("ann"); return nil })
	return env
}

// countCall increments the counters that the request belongs to.
func (env *stripeEnv) countCall(r *http.Request) {
	env.mu.Lock()
	defer env.mu.Unlock()
	if r.URL.Path == "/v1/invoices" && r.URL.Query().Get("subscription") == "" {
		env.invoiceListCount++
		return
	}
	if r.URL.Path == "/v1/charges" && r.URL.Query().Has("created[gte]") {
		return
	}
	env.callCount++
	if r.Method == http.MethodGet && r.URL.Path == "/v1/subscriptions" {
		env.refreshCount++
	}
}

// requireCallCount requires the number of calls to Stripe that fn makes, and that every refresh lists the invoices
// once. The package comment of stripepayment lists the numbers.
func (env *stripeEnv) requireCallCount(step string, want int, fn func() error) {
	env.t.Helper()
	env.callCount, env.refreshCount, env.invoiceListCount = 0, 0, 0
	require.NoError(env.t, fn(), step)
	require.Equal(env.t, want, env.callCount, step)
	require.Equal(env.t, env.refreshCount, env.invoiceListCount, step)
}

// discardValue returns the error of a call that returns a value and an error.
func discardValue[T any](_ T, err error) error { return err }

// subscribeFunc returns a function that subscribes with a card, or with the default card for "".
func (env *stripeEnv) subscribeFunc(card string, price app.PriceChoice) func() error {
	return func() error {
		return discardValue(env.App.Subscribe.Do(env.t.Context(), env.user.Identity,
			app.SubscribeRequest{MethodID: card, Price: price, NoTrial: true}))
	}
}

// addCardFunc returns a function that saves a card.
func (env *stripeEnv) addCardFunc(card string) func() error {
	return func() error { return discardValue(env.App.AddCard.Do(env.t.Context(), env.user.Identity, card)) }
}

// sendFunc returns a function that sends a request.
func (env *stripeEnv) sendFunc(r request) func() error {
	return func() error { return r(env.t.Context(), env.App, env.user) }
}

func TestStripeCalls_PurchasesAndCardsMakeTheDocumentedNumber(t *testing.T) {
	t.Parallel()
	env := newStripeEnv(t)
	ctx, caller := t.Context(), env.user.Identity
	visa, mastercard := env.CreateCard(apptest.Visa), env.CreateCard(apptest.Mastercard)
	cancel := func() { env.CancelAtProvider(env.user.Account().Subscriptions[0].ID) }

	env.requireCallCount("first subscription, new card", 4, env.subscribeFunc(visa, apptest.StandardMonthly))
	env.requireCallCount("change of plan, the next charge after it, and the receipt of the first payment", 9, env.sendFunc(changePlan))
	env.requireCallCount("a card is added", 2, env.addCardFunc(mastercard))
	env.requireCallCount("another default card", 2,
		func() error { return discardValue(env.App.SetDefaultCard.Do(ctx, caller, visa)) })
	env.requireCallCount("a card is deleted", 4, func() error { return env.App.DeleteCard.Do(ctx, caller, mastercard) })
	env.requireCallCount("license is read", 0, func() error { _, _, err := env.App.DescribeUser.Do(ctx, caller); return err })
	cancel()
	env.requireCallCount("later subscription, default card, and the receipt of the change", 5, env.subscribeFunc("", apptest.StandardYearly))
	cancel()
	env.requireCallCount("the default card is deleted, and the receipt of the payment", 6,
		func() error { return env.App.DeleteCard.Do(ctx, caller, visa) })
}

func TestStripeCalls_QuotesRenewalsAndEndsMakeTheDocumentedNumber(t *testing.T) {
	t.Parallel()
	env := newStripeEnv(t)
	quote := func() error {
		return discardValue(env.App.QuotePrice.Do(t.Context(), env.user.Identity,
			app.QuoteRequest{Price: apptest.ProfessionalYearly, NoTrial: true}))
	}

	env.requireCallCount("quote of a first subscription", 2, quote)
	require.NoError(t, env.subscribeFunc(env.CreateCard(apptest.Visa), apptest.StandardMonthly)())
	env.requireCallCount("quote of a change, and the receipt of the first payment", 5, quote)
	env.requireCallCount("change at the renewal, and the next charge after it", 9, func() error {
		req := app.ChangeRequest{PriceChoice: apptest.ProfessionalYearly, When: billing.ChangeAtRenewal}
		return discardValue(env.App.ChangePlan.Do(t.Context(), env.user.Identity, req))
	})
	env.requireCallCount("the scheduled change is canceled, and the next charge after it", 5, env.sendFunc(cancelScheduledChange))
	env.requireCallCount("an end", 3, env.sendFunc(endSubscription))
	env.requireCallCount("a resumption, and the next charge after it", 4, env.sendFunc(resumeSubscription))
}

func TestStripeCalls_QuotedPurchaseMakesTheDocumentedNumber(t *testing.T) {
	t.Parallel()
	env := newStripeEnv(t)
	req := app.QuoteRequest{Price: apptest.StandardYearly, NoTrial: true}
	quote, err := env.App.QuotePrice.Do(t.Context(), env.user.Identity, req)
	require.NoError(t, err)
	env.requireCallCount("first subscription with a quote, new card", 9, func() error {
		return discardValue(env.App.Subscribe.Do(t.Context(), env.user.Identity, app.SubscribeRequest{
			MethodID: env.CreateCard(apptest.Visa), Price: req.Price, NoTrial: true, Quote: quote.Token,
		}))
	})
}

// Staff add credit after the last preview, before Stripe creates the subscription.
func TestSubscribe_RefusesAnotherAmountThanQuotedAndChargesTheNextQuote(t *testing.T) {
	t.Parallel()
	env := newStripeEnv(t)
	req := app.SubscribeRequest{MethodID: env.CreateCard(apptest.Visa), Price: apptest.StandardYearly, NoTrial: true}
	quote, err := env.App.QuotePrice.Do(t.Context(), env.user.Identity, app.QuoteRequest{Price: req.Price, NoTrial: true})
	require.NoError(t, err)
	credit, err := money.New(1000, "AUD")
	require.NoError(t, err)
	env.onCall = func(r *http.Request) {
		if r.Method+r.URL.Path == "POST/v1/subscriptions" {
			env.onCall = nil
			_, err := env.Provider.AddCredit(t.Context(), payment.CreditGrant{
				Key: "credit", CustomerID: env.user.Organisation().Billing.CustomerID, Amount: credit,
			})
			assert.NoError(t, err)
		}
	}

	req.Quote = quote.Token
	_, err = env.App.Subscribe.Do(t.Context(), env.user.Identity, req)
	require.EqualError(t, err, billing.ErrQuoteOutdated().Error())
	assert.Empty(t, env.user.Charges())
	assert.Nil(t, env.user.Account().LiveSubscription())
	assert.Nil(t, env.user.Account().OpenSubscription())

	quote, err = env.App.QuotePrice.Do(t.Context(), env.user.Identity, app.QuoteRequest{Price: req.Price, NoTrial: true})
	require.NoError(t, err)
	require.EqualValues(t, 41000, quote.DueNow.Minor())
	req.Quote = quote.Token
	sub, err := env.App.Subscribe.Do(t.Context(), env.user.Identity, req)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, sub.Status)
	require.Len(t, env.user.Charges(), 1)
	assert.Equal(t, quote.DueNow, sub.LatestInvoice.AmountDue)
}

func TestStripeCalls_CustomersAndEventsMakeTheDocumentedNumber(t *testing.T) {
	t.Parallel()
	env := newStripeEnv(t)
	ctx, caller := t.Context(), env.user.Identity

	env.requireCallCount("the customer is created again", 1, func() error { return discardValue(env.App.CreateCustomer.Do(ctx, caller)) })
	env.requireCallCount("the customer is read", 1, func() error { return discardValue(env.App.ShowCustomer.Do(ctx, caller)) })
	env.requireCallCount("the cards are read", 1, func() error { return discardValue(env.App.ListCards.Do(ctx, caller)) })
	require.NoError(t, env.addCardFunc(env.CreateCard(apptest.Visa))())
	env.requireCallCount("first subscription, default card", 2, env.subscribeFunc("", apptest.StandardMonthly))
	env.TakeEvents()
	env.CancelAtProvider(env.user.Account().Subscriptions[0].ID)
	events := env.TakeEvents()
	env.requireCallCount("an event, and the receipt of the payment", 2, func() error { env.DeliverPayloads(env.App, events[0]); return nil })
	env.requireCallCount("the same event", 0, func() error { env.DeliverPayloads(env.App, events[0]); return nil })
}

func TestStripeCalls_OpenInvoicesMakeTheDocumentedNumber(t *testing.T) {
	t.Parallel()
	env := newStripeEnv(t)

	env.requireCallCount("a purchase is declined", 8, env.subscribeFunc(env.CreateCard(apptest.DeclinedChargesCard), apptest.StandardMonthly))
	env.requireCallCount("the purchase is repeated with another card", 7, env.subscribeFunc(env.CreateCard(apptest.Visa), apptest.StandardMonthly))
	require.NoError(t, env.addCardFunc(env.CreateCard(apptest.DeclinedChargesCard))())
	env.Advance(32 * day)
	_, _, err := env.App.DescribeUser.Do(t.Context(), env.user.Identity)
	require.NoError(t, err)
	env.requireCallCount("a card is added while overdue", 8, env.addCardFunc(env.CreateCard(apptest.Mastercard)))
	env.requireCallCount("the same card again, and the receipt of the payment", 2, env.addCardFunc(env.CreateCard(apptest.Visa)))
}

// providerEnvs contains constructors of an environment with each kind of provider.
var providerEnvs = map[string]func(*testing.T) *testEnv{
	"fake":   func(t *testing.T) *testEnv { return newEnv(t) },
	"Stripe": func(t *testing.T) *testEnv { return newStripeEnv(t).testEnv },
}

func TestEvent_EventWithoutAChangeStoresNeitherOrganisationNorInvoices(t *testing.T) {
	t.Parallel()
	for name, newProviderEnv := range providerEnvs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := newProviderEnv(t)
			user := env.SignUp("ben")
			prepareOverdueInvoice(env, user) // the first invoice is paid, and the second one is tried again later
			apply := func() {
				event := payment.Event{Kind: payment.SubscriptionChanged, CustomerID: user.Account().CustomerID}
				require.NoError(t, env.App.ReceiveEvent.Apply(t.Context(), event))
			}
			apply()
			org := user.Organisation()
			env.Advance(time.Minute)
			apply()
			assert.Equal(t, org, user.Organisation(), "the revision increases with every stored invoice")
		})
	}
}
