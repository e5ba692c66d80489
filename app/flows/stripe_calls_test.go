package flows

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

// stripeEnv is a testEnv whose server uses the Stripe adapter, with a log of its calls.
type stripeEnv struct {
	*testEnv
	mu       sync.Mutex
	calls    []string
	invoices int // lists of the customer's invoices, which a refresh makes at the same time as another call
}

var ids = regexp.MustCompile(`/(cus|pm|sub|in|pi)_[^/]*`)

// newStripeEnv subscribes to each price once, because the adapter looks a price up before its first use.
func newStripeEnv(t *testing.T) *stripeEnv {
	t.Helper()
	c := &stripeEnv{testEnv: newEnv(t)}
	face := stripeserver.New(c.Provider, stripeserver.Config{Catalogue: catalogue.Default()})
	stripe := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		if r.URL.Path == "/v1/invoices" && r.URL.Query().Get("subscription") == "" {
			c.invoices++
		} else {
			c.calls = append(c.calls, r.Method+" "+ids.ReplaceAllString(r.URL.Path[len("/v1"):], "/{$1}"))
		}
		c.mu.Unlock()
		face.ServeHTTP(w, r)
	}))
	t.Cleanup(stripe.Close)
	adapter, err := stripepayment.New(stripepayment.Config{
		SecretKey: "sk_test_local", APIURL: stripe.URL, WebhookSecrets: []string{apptest.WebhookSecret}, Catalogue: catalogue.Default(),
		Clock: c.Clock, Timeout: 10 * time.Second,
	})
	require.NoError(t, err)
	c.App = c.NewApp(c.Store, adapter)
	user := c.SignUp("first")
	for _, price := range []app.PriceChoice{apptest.StandardMonthly, apptest.StandardYearly, apptest.ProfessionalYearly} {
		user.Subscribe(apptest.Visa, price)
		c.CancelAtProvider(user.Account().Subscriptions[0].ID)
	}
	return c
}

// callsOf returns the calls to Stripe that fn makes. It requires that every refresh lists the invoices
// once, and leaves these calls out.
func (c *stripeEnv) callsOf(fn func() error) []string {
	c.t.Helper()
	c.takeCalls()
	require.NoError(c.t, fn())
	refreshes := slices.DeleteFunc(slices.Clone(c.calls), func(call string) bool { return call != listSubscriptions[0] })
	require.Len(c.t, refreshes, c.invoices)
	return c.takeCalls()
}

func (c *stripeEnv) takeCalls() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls
	c.calls, c.invoices = nil, 0
	return calls
}

// buy subscribes with a card, or with the default card for "".
func (c *stripeEnv) buy(user *apptest.User, card string, price app.PriceChoice) func() error {
	return func() error {
		_, err := c.App.Subscribe.Do(c.t.Context(), user.Identity, app.SubscribeRequest{CardID: card, Price: price, NoTrial: true})
		return err
	}
}

func (c *stripeEnv) add(user *apptest.User, card string) func() error {
	return func() error { _, err := c.App.AddCard.Do(c.t.Context(), user.Identity, card); return err }
}

// The calls of each step. The package comment of stripepayment lists their numbers.
var (
	saveCard           = []string{"POST /payment_methods/{pm}/attach", "POST /customers/{cus}"}
	listSubscriptions  = []string{"GET /subscriptions"}
	createSubscription = []string{"POST /subscriptions"}
	payInvoice         = []string{"GET /invoices/{in}", "POST /invoices/{in}/pay", "GET /subscriptions/{sub}"}
	readIntent         = []string{"GET /payment_intents/{pi}"} // for the state of an open payment
	listCards          = []string{"GET /customers/{cus}/payment_methods"}
	readCustomer       = []string{"GET /customers/{cus}"}
	detachCard         = []string{"GET /payment_methods/{pm}", "POST /payment_methods/{pm}/detach"}
)

func TestStripeCalls_PurchasesAndCards(t *testing.T) {
	t.Parallel()
	c := newStripeEnv(t)
	ctx := t.Context()
	user := c.SignUp("ann")
	visa, mastercard := c.CreateCard(apptest.Visa), c.CreateCard(apptest.Mastercard)

	assert.Equal(t, slices.Concat(listCards, saveCard, createSubscription), c.callsOf(c.buy(user, visa, apptest.StandardMonthly)), "a first subscription, new card")
	assert.Equal(t, slices.Concat(listSubscriptions, []string{"GET /subscriptions/{sub}", "GET /invoices", "GET /charges", "POST /subscriptions/{sub}", "POST /subscriptions/{sub}"}),
		c.callsOf(func() error {
			_, err := c.App.ChangePlan.Do(ctx, user.Identity, app.ChangeRequest{PriceChoice: apptest.ProfessionalYearly})
			return err
		}), "a change of plan")
	assert.Equal(t, slices.Concat(saveCard, listCards), c.callsOf(c.add(user, mastercard)), "a card is added")
	assert.Equal(t, []string{"GET /customers/{cus}/payment_methods/{pm}", "POST /customers/{cus}"},
		c.callsOf(func() error { _, err := c.App.SetDefaultCard.Do(ctx, user.Identity, visa); return err }), "the default card changes")
	assert.Equal(t, []string{"GET /customers/{cus}", "GET /payment_methods/{pm}", "POST /payment_methods/{pm}/detach"},
		c.callsOf(func() error { return c.App.DeleteCard.Do(ctx, user.Identity, mastercard) }), "a card is deleted")
	assert.Empty(t, c.callsOf(func() error { _, _, err := c.App.DescribeUser.Do(ctx, user.Identity); return err }), "the license is displayed")

	c.CancelAtProvider(user.Account().Subscriptions[0].ID)
	assert.Equal(t, slices.Concat(listSubscriptions, []string{"GET /customers/{cus}"}, createSubscription),
		c.callsOf(c.buy(user, "", apptest.StandardYearly)), "a later subscription, default card")
	c.CancelAtProvider(user.Account().Subscriptions[0].ID)
	assert.Equal(t, []string{"GET /customers/{cus}", "GET /subscriptions", "GET /payment_methods/{pm}", "POST /payment_methods/{pm}/detach"},
		c.callsOf(func() error { return c.App.DeleteCard.Do(ctx, user.Identity, visa) }), "the default card is deleted")
}

func TestStripeCalls_QuotesRenewalsAndEnds(t *testing.T) {
	t.Parallel()
	c := newStripeEnv(t)
	ctx := t.Context()
	user := c.SignUp("ann")
	quote := func() error {
		_, err := c.App.QuotePrice.Do(ctx, user.Identity, app.QuoteRequest{Price: apptest.ProfessionalYearly, NoTrial: true})
		return err
	}
	preview := []string{"POST /invoices/create_preview"}

	assert.Equal(t, slices.Concat(readCustomer, preview), c.callsOf(quote), "a quote of a first subscription")
	require.NoError(t, c.buy(user, c.CreateCard(apptest.Visa), apptest.StandardMonthly)())
	read := slices.Concat(listSubscriptions, []string{"GET /subscriptions/{sub}"})
	assert.Equal(t, slices.Concat(read, preview), c.callsOf(quote), "a quote of a change")
	assert.Equal(t, slices.Concat(read, []string{
		"GET /invoices", "GET /charges", "POST /subscriptions/{sub}", "POST /subscription_schedules", "POST /subscription_schedules/{sub}", "GET /subscriptions/{sub}",
	}), c.callsOf(func() error {
		_, err := c.App.ChangePlan.Do(ctx, user.Identity, app.ChangeRequest{PriceChoice: apptest.ProfessionalYearly, When: billing.ChangeAtRenewal})
		return err
	}), "a change at the renewal")
	assert.Equal(t, slices.Concat(read, []string{"POST /subscription_schedules/{sub}/release", "GET /subscriptions/{sub}"}), c.callsOf(func() error {
		_, err := c.App.CancelScheduledChange.Do(ctx, user.Identity)
		return err
	}), "it is dropped")
	setEnd := slices.Concat(read, []string{"POST /subscriptions/{sub}"})
	assert.Equal(t, setEnd, c.callsOf(func() error { _, err := c.App.EndSubscription.Do(ctx, user.Identity, app.EndRequest{}); return err }), "an end")
	assert.Equal(t, setEnd, c.callsOf(func() error { _, err := c.App.ResumeSubscription.Do(ctx, user.Identity); return err }), "a resumption")
}

func TestStripeCalls_CustomersAndEvents(t *testing.T) {
	t.Parallel()
	c := newStripeEnv(t)
	ctx := t.Context()
	var user *apptest.User

	assert.Equal(t, []string{"POST /customers"}, c.callsOf(func() error { user = c.SignUp("ann"); return nil }), "a sign-up")
	assert.Equal(t, []string{"GET /customers/{cus}"}, c.callsOf(func() error { _, err := c.App.NewCustomer.Do(ctx, user.Identity); return err }))
	assert.Equal(t, []string{"GET /customers/{cus}"}, c.callsOf(func() error { _, err := c.App.ShowCustomer.Do(ctx, user.Identity); return err }))
	assert.Equal(t, []string{"GET /customers/{cus}/payment_methods"}, c.callsOf(func() error { _, err := c.App.ListCards.Do(ctx, user.Identity); return err }))
	require.NoError(t, c.add(user, c.CreateCard(apptest.Visa))())
	assert.Equal(t, slices.Concat([]string{"GET /customers/{cus}"}, createSubscription), c.callsOf(c.buy(user, "", apptest.StandardMonthly)), "default card")
	c.TakeEvents()
	c.CancelAtProvider(user.Account().Subscriptions[0].ID)
	events := c.TakeEvents()
	assert.Equal(t, listSubscriptions, c.callsOf(func() error { c.Deliver(c.App, events[0]); return nil }), "an event")
	assert.Empty(t, c.callsOf(func() error { c.Deliver(c.App, events[0]); return nil }), "the same event")
}

func TestStripeCalls_OpenInvoices(t *testing.T) {
	t.Parallel()
	c := newStripeEnv(t)
	user := c.SignUp("ann")

	assert.Equal(t, slices.Concat(listCards, saveCard, createSubscription, readIntent, readCustomer),
		c.callsOf(c.buy(user, c.CreateCard(apptest.DeclinedChargesCard), apptest.StandardMonthly)), "declined")
	assert.Equal(t, slices.Concat(listSubscriptions, readIntent, readCustomer, listCards, detachCard, listCards, saveCard, payInvoice),
		c.callsOf(c.buy(user, c.CreateCard(apptest.Visa), apptest.StandardMonthly)), "continued")

	require.NoError(t, c.add(user, c.CreateCard(apptest.DeclinedChargesCard))())
	c.Advance(32 * day)
	_, _, err := c.App.DescribeUser.Do(t.Context(), user.Identity)
	require.NoError(t, err)
	assert.Equal(t, slices.Concat(listSubscriptions, readIntent, saveCard, payInvoice, listCards),
		c.callsOf(c.add(user, c.CreateCard(apptest.Mastercard))), "overdue")
	assert.Equal(t, slices.Concat(saveCard, listCards, listSubscriptions, readCustomer, listCards, detachCard),
		c.callsOf(c.add(user, c.CreateCard(apptest.Visa))), "the same card again")
}

// Nothing of an invoice may be lost or rounded when it is stored, or every event would write it again.
func TestEvent_UnchangedInvoicesAreNotStoredAgain(t *testing.T) {
	t.Parallel()
	for name, newProviderEnv := range map[string]func(*testing.T) *testEnv{
		"fake":   func(t *testing.T) *testEnv { return newEnv(t) },
		"Stripe": func(t *testing.T) *testEnv { return newStripeEnv(t).testEnv },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := newProviderEnv(t)
			user := env.SignUp("ann")
			withOverdueBill(env, user) // one invoice is paid, and one is tried again later
			apply := func() {
				event := payment.Event{Kind: payment.SubscriptionChanged, CustomerID: user.Account().CustomerID}
				require.NoError(t, env.App.ReceiveEvent.Apply(t.Context(), event))
			}
			apply()
			stored := user.Account().Revision
			apply()
			assert.Equal(t, stored, user.Account().Revision, "the revision increases with every stored invoice")
		})
	}
}
