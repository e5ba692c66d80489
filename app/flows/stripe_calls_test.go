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
	"github.com/vc-admin/diy/ports/payment"
)

// stripeEnv is a testEnv whose server uses the Stripe adapter. It counts the calls of its user.
type stripeEnv struct {
	*testEnv
	user *apptest.User

	mu                         sync.Mutex
	calls, refreshes, invoices int // invoices are lists of the customer's invoices, which calls leaves out with their charges
}

// newStripeEnv subscribes to each price once, because the adapter looks a price up before its first use.
func newStripeEnv(t *testing.T) *stripeEnv {
	t.Helper()
	c := &stripeEnv{testEnv: newEnv(t)}
	api := c.newStripeAPI()
	c.App = c.NewApp(c.Store, c.connectStripe(func(w http.ResponseWriter, r *http.Request) {
		c.count(r)
		api.ServeHTTP(w, r)
	}))
	user := c.SignUp("first")
	for _, price := range []app.PriceChoice{apptest.StandardMonthly, apptest.StandardYearly, apptest.ProfessionalYearly} {
		user.Subscribe(apptest.Visa, price)
		c.CancelAtProvider(user.Account().Subscriptions[0].ID)
	}
	c.requireCalls("a sign-up", 1, func() error { c.user = c.SignUp("ann"); return nil })
	return c
}

func (c *stripeEnv) count(r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.URL.Path == "/v1/invoices" && r.URL.Query().Get("subscription") == "" {
		c.invoices++
		return
	}
	if r.URL.Path == "/v1/charges" && r.URL.Query().Has("created[gte]") {
		return
	}
	c.calls++
	if r.Method == http.MethodGet && r.URL.Path == "/v1/subscriptions" {
		c.refreshes++
	}
}

// requireCalls requires the number of calls to Stripe that fn makes, and that every refresh lists the invoices
// once. The package comment of stripepayment lists the numbers.
func (c *stripeEnv) requireCalls(step string, want int, fn func() error) {
	c.t.Helper()
	c.calls, c.refreshes, c.invoices = 0, 0, 0
	require.NoError(c.t, fn(), step)
	require.Equal(c.t, want, c.calls, step)
	require.Equal(c.t, c.refreshes, c.invoices, step)
}

func errOf[T any](_ T, err error) error { return err }

// buy subscribes with a card, or with the default card for "".
func (c *stripeEnv) buy(card string, price app.PriceChoice) func() error {
	return func() error {
		return errOf(c.App.Subscribe.Do(c.t.Context(), c.user.Identity,
			app.SubscribeRequest{MethodID: card, Price: price, NoTrial: true}))
	}
}

func (c *stripeEnv) add(card string) func() error {
	return func() error { return errOf(c.App.AddCard.Do(c.t.Context(), c.user.Identity, card)) }
}

// send returns a function that sends a request.
func (c *stripeEnv) send(r request) func() error {
	return func() error { return r(c.t.Context(), c.App, c.user) }
}

func TestStripeCalls_PurchasesAndCards(t *testing.T) {
	t.Parallel()
	c := newStripeEnv(t)
	ctx, user := t.Context(), c.user.Identity
	visa, mastercard := c.CreateCard(apptest.Visa), c.CreateCard(apptest.Mastercard)
	cancel := func() { c.CancelAtProvider(c.user.Account().Subscriptions[0].ID) }

	c.requireCalls("first subscription, new card", 4, c.buy(visa, apptest.StandardMonthly))
	c.requireCalls("change of plan, the next charge after it, and the receipt of the first payment", 8, c.send(changePlan))
	c.requireCalls("a card is added", 3, c.add(mastercard))
	c.requireCalls("another default card", 2, func() error { return errOf(c.App.SetDefaultCard.Do(ctx, user, visa)) })
	c.requireCalls("a card is deleted", 3, func() error { return c.App.DeleteCard.Do(ctx, user, mastercard) })
	c.requireCalls("license is read", 0, func() error { _, _, err := c.App.DescribeUser.Do(ctx, user); return err })
	cancel()
	c.requireCalls("later subscription, default card, and the receipt of the change", 5, c.buy("", apptest.StandardYearly))
	cancel()
	c.requireCalls("the default card is deleted, and the receipt of the payment", 5,
		func() error { return c.App.DeleteCard.Do(ctx, user, visa) })
}

func TestStripeCalls_QuotesRenewalsAndEnds(t *testing.T) {
	t.Parallel()
	c := newStripeEnv(t)
	quote := func() error {
		return errOf(c.App.QuotePrice.Do(t.Context(), c.user.Identity,
			app.QuoteRequest{Price: apptest.ProfessionalYearly, NoTrial: true}))
	}

	c.requireCalls("quote of a first subscription", 2, quote)
	require.NoError(t, c.buy(c.CreateCard(apptest.Visa), apptest.StandardMonthly)())
	c.requireCalls("quote of a change, and the receipt of the first payment", 4, quote)
	c.requireCalls("change at the renewal, and the next charge after it", 9, func() error {
		req := app.ChangeRequest{PriceChoice: apptest.ProfessionalYearly, When: billing.ChangeAtRenewal}
		return errOf(c.App.ChangePlan.Do(t.Context(), c.user.Identity, req))
	})
	c.requireCalls("the scheduled change is canceled, and the next charge after it", 5, c.send(cancelSchedule))
	c.requireCalls("an end", 3, c.send(endSubscription))
	c.requireCalls("a resumption, and the next charge after it", 4, c.send(resumeSubscription))
}

func TestStripeCalls_CustomersAndEvents(t *testing.T) {
	t.Parallel()
	c := newStripeEnv(t)
	ctx, user := t.Context(), c.user.Identity

	c.requireCalls("the customer is created again", 1, func() error { return errOf(c.App.NewCustomer.Do(ctx, user)) })
	c.requireCalls("the customer is read", 1, func() error { return errOf(c.App.ShowCustomer.Do(ctx, user)) })
	c.requireCalls("the cards are read", 1, func() error { return errOf(c.App.ListCards.Do(ctx, user)) })
	require.NoError(t, c.add(c.CreateCard(apptest.Visa))())
	c.requireCalls("first subscription, default card", 2, c.buy("", apptest.StandardMonthly))
	c.TakeEvents()
	c.CancelAtProvider(c.user.Account().Subscriptions[0].ID)
	events := c.TakeEvents()
	c.requireCalls("an event, and the receipt of the payment", 2, func() error { c.Deliver(c.App, events[0]); return nil })
	c.requireCalls("the same event", 0, func() error { c.Deliver(c.App, events[0]); return nil })
}

func TestStripeCalls_OpenInvoices(t *testing.T) {
	t.Parallel()
	c := newStripeEnv(t)

	c.requireCalls("declined", 6, c.buy(c.CreateCard(apptest.DeclinedChargesCard), apptest.StandardMonthly))
	c.requireCalls("continued", 12, c.buy(c.CreateCard(apptest.Visa), apptest.StandardMonthly))
	require.NoError(t, c.add(c.CreateCard(apptest.DeclinedChargesCard))())
	c.Advance(32 * day)
	_, _, err := c.App.DescribeUser.Do(t.Context(), c.user.Identity)
	require.NoError(t, err)
	c.requireCalls("a card is added while overdue", 8, c.add(c.CreateCard(apptest.Mastercard)))
	c.requireCalls("the same card again, and the receipt of the payment", 9, c.add(c.CreateCard(apptest.Visa)))
}

// providerEnvs contains constructors of an environment with each kind of provider.
var providerEnvs = map[string]func(*testing.T) *testEnv{
	"fake":   func(t *testing.T) *testEnv { return newEnv(t) },
	"Stripe": func(t *testing.T) *testEnv { return newStripeEnv(t).testEnv },
}

// A purchase causes many events. Those without a change store neither the organisation nor its invoices again.
func TestEvent_WithoutAChangeStoresNothing(t *testing.T) {
	t.Parallel()
	for name, newProviderEnv := range providerEnvs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := newProviderEnv(t)
			user := env.SignUp("ben")
			withOverdueInvoice(env, user) // one invoice is paid, and one is tried again later
			apply := func() {
				event := payment.Event{Kind: payment.SubscriptionChanged, CustomerID: user.Account().CustomerID}
				require.NoError(t, env.App.ReceiveEvent.Apply(t.Context(), event))
			}
			apply()
			stored := user.Organisation()
			env.Advance(time.Minute)
			apply()
			assert.Equal(t, stored, user.Organisation(), "the revision increases with every stored invoice")
		})
	}
}
