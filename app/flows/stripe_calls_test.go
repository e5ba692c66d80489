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
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
)

// counted is a world whose server asks its bank in Stripe's way, and counts.
type counted struct {
	*world
	mu    sync.Mutex
	asked []string
}

var ids = regexp.MustCompile(`/(cus|pm|sub|in|pi)_[^/]*`)

// newCounted knows the prices already, as a server does that has sold before.
func newCounted(t *testing.T) *counted {
	t.Helper()
	c := &counted{world: newWorld(t)}
	face := stripeserver.New(c.Bank.Provider, stripeserver.Config{Catalogue: catalogue.Default()})
	stripe := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.asked = append(c.asked, r.Method+" "+ids.ReplaceAllString(r.URL.Path[len("/v1"):], "/{$1}"))
		c.mu.Unlock()
		face.ServeHTTP(w, r)
	}))
	t.Cleanup(stripe.Close)
	adapter, err := stripepayment.New(stripepayment.Config{
		SecretKey: "sk_test_local", APIURL: stripe.URL, WebhookSecrets: []string{flowtest.Secret}, Catalogue: catalogue.Default(),
		Clock: c.Clock, Timeout: 10 * time.Second,
	})
	require.NoError(t, err)
	c.UseCases = c.Server(c.Store, adapter)
	who := c.Member(c.UseCases, "first")
	for _, price := range []app.PriceChoice{standardMonthly, standardYearly, professionalYearly} {
		c.subscribed(who, flowtest.Visa, price)
		c.cancelAtTheProvider(c.account(who).Subscriptions[0].ID)
	}
	return c
}

// calls are where Stripe is asked on the way to an answer.
func (c *counted) calls(act func() error) []string {
	c.t.Helper()
	c.take()
	require.NoError(c.t, act())
	return c.take()
}

func (c *counted) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.asked
	c.asked = nil
	return taken
}

// buys subscribes with the card, "" for the default one.
func (c *counted) buys(who identity.Identity, card string, price app.PriceChoice) func() error {
	return func() error {
		_, err := c.Subscribe.Do(c.t.Context(), who, app.SubscribeRequest{CardID: card, Price: price, NoTrial: true})
		return err
	}
}

func (c *counted) adds(who identity.Identity, card string) func() error {
	return func() error { _, err := c.AddCard.Do(c.t.Context(), who, card); return err }
}

// What the documentation of the adapter says of how often Stripe is asked is what happens.
var (
	saving   = []string{"POST /payment_methods/{pm}/attach", "POST /customers/{cus}"}
	listing  = []string{"GET /subscriptions"}
	starting = []string{"POST /subscriptions"}
	paying   = []string{"GET /invoices/{in}", "POST /invoices/{in}/pay", "GET /subscriptions/{sub}"}
	looking  = []string{"GET /payment_intents/{pi}"} // at what is still to be paid
	owned    = []string{"GET /customers/{cus}/payment_methods"}
	defaults = []string{"GET /customers/{cus}"}
	removing = []string{"GET /payment_methods/{pm}", "POST /payment_methods/{pm}/detach"}
)

func TestStripeIsAskedAsOftenAsIsSaid(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	ctx := t.Context()
	who := c.member()
	visa, mastercard := c.Card(flowtest.Visa), c.Card(flowtest.Mastercard)

	assert.Equal(t, slices.Concat(owned, saving, starting), c.calls(c.buys(who, visa, standardMonthly)), "a first subscription, new card")
	assert.Equal(t, slices.Concat(listing, []string{"GET /subscriptions/{sub}", "GET /invoices", "POST /subscriptions/{sub}", "POST /subscriptions/{sub}"}),
		c.calls(func() error { _, err := c.ChangePlan.Do(ctx, who, professionalYearly); return err }), "a change of plan")
	assert.Equal(t, slices.Concat(saving, owned), c.calls(c.adds(who, mastercard)), "a card is added")
	assert.Equal(t, []string{"GET /customers/{cus}/payment_methods/{pm}", "POST /customers/{cus}"},
		c.calls(func() error { _, err := c.SetDefaultCard.Do(ctx, who, visa); return err }), "another one is made the default")
	assert.Equal(t, []string{"GET /customers/{cus}", "GET /payment_methods/{pm}", "POST /payment_methods/{pm}/detach"},
		c.calls(func() error { return c.DeleteCard.Do(ctx, who, mastercard) }), "a card is deleted")
	assert.Empty(t, c.calls(func() error { _, _, err := c.DescribeUser.Do(ctx, who); return err }), "somebody looks")

	c.cancelAtTheProvider(c.account(who).Subscriptions[0].ID)
	assert.Equal(t, slices.Concat(listing, []string{"GET /customers/{cus}"}, starting),
		c.calls(c.buys(who, "", standardYearly)), "a later subscription, default card")
	c.cancelAtTheProvider(c.account(who).Subscriptions[0].ID)
	assert.Equal(t, []string{"GET /customers/{cus}", "GET /subscriptions", "GET /payment_methods/{pm}", "POST /payment_methods/{pm}/detach"},
		c.calls(func() error { return c.DeleteCard.Do(ctx, who, visa) }), "the default card is deleted")
}

func TestStripeIsAskedAsOftenAsIsSaidOfPeople(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	ctx := t.Context()
	var who identity.Identity

	assert.Equal(t, []string{"POST /customers"}, c.calls(func() error { who = c.member(); return nil }), "somebody registers")
	assert.Equal(t, []string{"GET /customers/{cus}"}, c.calls(func() error { _, err := c.NewCustomer.Do(ctx, who); return err }))
	assert.Equal(t, []string{"GET /customers/{cus}"}, c.calls(func() error { _, err := c.ShowCustomer.Do(ctx, who); return err }))
	assert.Equal(t, []string{"GET /customers/{cus}/payment_methods"}, c.calls(func() error { _, err := c.ListCards.Do(ctx, who); return err }))
	require.NoError(t, c.adds(who, c.Card(flowtest.Visa))())
	assert.Equal(t, slices.Concat([]string{"GET /customers/{cus}"}, starting), c.calls(c.buys(who, "", standardMonthly)), "default card")
	c.Arrived()
	c.cancelAtTheProvider(c.account(who).Subscriptions[0].ID)
	news := c.Arrived()
	assert.Equal(t, listing, c.calls(func() error { c.Deliver(c.UseCases, news[0]); return nil }), "an event")
	assert.Empty(t, c.calls(func() error { c.Deliver(c.UseCases, news[0]); return nil }), "the same event")
}

func TestStripeIsAskedAsOftenAsIsSaidOfBillsThatAreOpen(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	who := c.member()

	counting := defaults
	assert.Equal(t, slices.Concat(owned, saving, starting, looking, counting),
		c.calls(c.buys(who, c.Card(flowtest.NeverCharged), standardMonthly)), "declined")
	assert.Equal(t, slices.Concat(listing, looking, defaults, owned, removing, owned, saving, paying),
		c.calls(c.buys(who, c.Card(flowtest.Visa), standardMonthly)), "continued")

	require.NoError(t, c.adds(who, c.Card(flowtest.NeverCharged))())
	c.Advance(32 * day)
	_, _, err := c.DescribeUser.Do(t.Context(), who)
	require.NoError(t, err)
	assert.Equal(t, slices.Concat(listing, looking, saving, paying, owned),
		c.calls(c.adds(who, c.Card(flowtest.Mastercard))), "overdue")
	assert.Equal(t, slices.Concat(saving, owned, listing, defaults, owned, removing),
		c.calls(c.adds(who, c.Card(flowtest.Visa))), "the same card again")
}
