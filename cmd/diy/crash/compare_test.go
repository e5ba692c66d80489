package crash

import (
	"context"
	"database/sql"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

// record is what was acknowledged to a user.
type record struct {
	number        int
	user, org     string // ids
	verified      bool
	customer      string
	cards         []string
	numbers       map[string]string // of the cards
	dropped       []string          // cards that may be detached: of declined payments, or identical to newer ones
	defaultCard   string
	subscription  string
	price         string   // its id
	subscriptions int      // with replaced ones
	invoices      int      // of the present subscription
	paid          []string // ids of invoices
	ended         string   // the subscription that was ended
}

// saved records a card as the default. It replaces an identical older card.
func (e *record) saved(card, number string) {
	if e.numbers == nil {
		e.numbers = map[string]string{}
	}
	for _, older := range slices.Clone(e.cards) {
		if older != card && e.numbers[older] == number {
			e.drop(older)
		}
	}
	if !slices.Contains(e.cards, card) {
		e.cards = append(e.cards, card)
	}
	e.numbers[card], e.defaultCard = number, card
}

// drop records that a card may be detached.
func (e *record) drop(card string) {
	e.cards = slices.DeleteFunc(e.cards, func(id string) bool { return id == card })
	e.dropped = append(e.dropped, card)
}

// missing returns a card that should be among the given ones.
func (e *record) missing(there []string) (card string, isMissing bool) {
	i := slices.IndexFunc(e.cards, func(id string) bool { return !slices.Contains(there, id) })
	if i < 0 {
		return "", false
	}
	return e.cards[i], true
}

// hasExtraCard reports whether a card is there that should not be.
func (e *record) hasExtraCard(there []string) bool {
	return slices.ContainsFunc(there, func(id string) bool { return !slices.Contains(e.cards, id) && !slices.Contains(e.dropped, id) })
}

// recorder holds the records of all users.
type recorder struct {
	mu      sync.Mutex
	records []*record
}

// add adds a record.
func (l *recorder) add() *record {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := &record{number: len(l.records) + 1}
	l.records = append(l.records, e)
	return e
}

// comparison compares the records with the database and the provider.
type comparison struct {
	*harness
	store    *sqlstorage.Store
	provider payment.Provider
	fake     *fakepayment.Provider // the provider, or what is behind it
	clock    *devclock.Clock
}

// compare settles what is pending and compares the records, the database and the provider. No server runs.
func (h *harness) compare() {
	h.advance(takeoverDelay)
	c := comparison{harness: h}
	var err error
	c.clock, err = devclock.Open(h.devFile("clock"), nil)
	require.NoError(h.t, err)
	c.store, err = sqlstorage.Open(h.t.Context(), h.database)
	require.NoError(h.t, err)
	defer func() { assert.NoError(h.t, c.store.Close()) }()
	c.store.UseClock(c.clock.Now)
	closing := c.openProvider()
	defer closing()
	c.settle()
	customers := map[string]bool{}
	for _, e := range h.recorder.records {
		if org := c.account(e); org.Billing.CustomerID != "" {
			customers[org.Billing.CustomerID] = true
			c.billing(e, org)
		}
	}
	c.orphans(customers)
	c.count()
}

// openProvider connects to the provider. The function closes it.
func (c *comparison) openProvider() (closing func()) {
	if c.stripe != nil {
		c.fake = c.stripe.fake
		provider, err := stripepayment.New(stripepayment.Config{
			SecretKey: stripeKey, APIURL: c.stripe.URL, WebhookSecrets: []string{webhookSecret},
			Catalogue: catalogue.Default(), Clock: c.clock, Log: slog.New(slog.DiscardHandler),
			LongestRequest: time.Nanosecond, // no server runs
		})
		require.NoError(c.t, err)
		c.provider = provider
		return func() {}
	}
	fake, err := fakepayment.Open(fakepayment.Config{Path: c.devFile("payments"), Clock: c.clock, Prices: catalogue.Default()})
	require.NoError(c.t, err)
	c.provider, c.fake = fake, fake
	return func() { assert.NoError(c.t, fake.Stop(context.Background())) }
}

// settle runs the background job of the servers.
func (c *comparison) settle() {
	useCases := app.New(app.Ports{
		Catalogue: catalogue.Default(), Store: c.store, Provider: c.provider, Clock: c.clock, Log: slog.New(slog.DiscardHandler),
	})
	for settled := 1; settled > 0; {
		var err error
		settled, err = useCases.Reconcile.Do(c.t.Context())
		require.NoError(c.t, err)
	}
	pending, err := c.store.PendingOperations(c.t.Context(), 0, 100)
	require.NoError(c.t, err)
	for _, op := range pending {
		c.report.duplicated("an operation stays pending: %+v", op)
	}
}

// account compares the user and returns the organisation.
func (c *comparison) account(e *record) account.Organisation {
	u := &user{record: e}
	user, err := c.store.UserByEmail(c.t.Context(), u.email())
	if err != nil {
		c.report.lost("user %d: %v", e.number, err)
		return account.Organisation{}
	}
	if e.user != "" && e.user != user.ID || e.org != "" && e.org != user.OrganisationID || e.verified && !user.Verified() {
		c.report.lost("user %d acknowledged: %+v, there is %+v", e.number, *e, user)
	}
	org, err := c.store.Organisation(c.t.Context(), user.OrganisationID)
	if err != nil || org.Name != u.name() {
		c.report.lost("user %d: organisation %+v %v", e.number, org, err)
	}
	return org
}

// orphans compares the customers at the provider with the stored ones.
func (c *comparison) orphans(known map[string]bool) {
	there := c.customers()
	slices.Sort(there)
	ours := slices.Sorted(maps.Keys(known))
	if !slices.Equal(there, ours) {
		c.report.duplicated("customers at the provider: %v, stored: %v", there, ours)
	}
}

// count compares the numbers of accounts.
func (c *comparison) count() {
	driver, name := "pgx", c.database
	if path, ok := strings.CutPrefix(c.database, "sqlite:"); ok {
		driver, name = "sqlite", path
	}
	db, err := sql.Open(driver, name)
	require.NoError(c.t, err)
	defer func() { assert.NoError(c.t, db.Close()) }()
	for _, table := range []string{"organisations", "users"} {
		var found int
		require.NoError(c.t, db.QueryRowContext(c.t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&found))
		if found != len(c.recorder.records) {
			c.report.duplicated("%d %s, for %d users", found, table, len(c.recorder.records))
		}
	}
}

// billing compares a customer at the provider with the stored copy and the record.
func (c *comparison) billing(e *record, org account.Organisation) {
	customer := org.Billing.CustomerID
	if e.customer != "" && e.customer != customer {
		c.report.lost("user %d: customer %s became %s", e.number, e.customer, customer)
	}
	c.cards(e, customer)
	subs, err := c.provider.ListSubscriptions(c.t.Context(), customer)
	require.NoError(c.t, err)
	c.copies(e, subs, org.Billing)
	c.subscriptions(e, subs)
}

func (c *comparison) cards(e *record, customer string) {
	saved, err := c.provider.Cards(c.t.Context(), customer)
	require.NoError(c.t, err)
	var there []string
	for _, card := range saved {
		there = append(there, card.ID)
	}
	_, isMissing := e.missing(there)
	if isMissing || e.hasExtraCard(there) {
		c.report.lost("user %d: cards %v, acknowledged %v", e.number, there, e.cards)
	}
	reported, err := c.provider.Customer(c.t.Context(), customer)
	require.NoError(c.t, err)
	if e.defaultCard != "" && (reported.Default == nil || reported.Default.ID != e.defaultCard) {
		c.report.lost("user %d: default card %+v, acknowledged %s", e.number, reported.Default, e.defaultCard)
	}
}

// copies compares the stored subscriptions with those at the provider.
func (c *comparison) copies(e *record, subs []billing.Subscription, stored billing.Account) {
	var want billing.Account
	want.Record(subs...)
	if !assert.ObjectsAreEqual(want.Subscriptions, stored.Subscriptions) {
		c.report.duplicated("user %d: subscriptions %+v, stored %+v", e.number, want.Subscriptions, stored.Subscriptions)
	}
}

// subscriptions requires the recorded subscription, price and number of invoices.
func (c *comparison) subscriptions(e *record, subs []billing.Subscription) {
	live, trials := 0, 0
	for _, sub := range subs {
		if sub.Status.Live() {
			live++
		}
		if !sub.TrialEnd.IsZero() {
			trials++
		}
		c.subscription(e, sub)
	}
	if live > 1 || trials > 1 || len(subs) > e.subscriptions {
		c.report.duplicated("user %d: %d live, %d trials, %d of %d subscriptions", e.number, live, trials, len(subs), e.subscriptions)
	}
	if len(subs) < e.subscriptions {
		c.report.lost("user %d: %d of %d subscriptions", e.number, len(subs), e.subscriptions)
	}
	c.paidInvoices(e)
}

// paidInvoices requires the recorded number of invoices and payments.
func (c *comparison) paidInvoices(e *record) {
	invoices := c.invoices(e.subscription)
	if len(invoices) != e.invoices {
		c.report.duplicated("user %d: %d invoices instead of %d", e.number, len(invoices), e.invoices)
	}
	for _, inv := range invoices {
		if slices.Contains(e.paid, inv.ID) && inv.Status != "paid" {
			c.report.lost("user %d: acknowledged the payment of %+v", e.number, inv)
		}
	}
}

func (c *comparison) subscription(e *record, sub billing.Subscription) {
	if sub.ID == e.ended && sub.Status.Live() {
		c.report.lost("user %d: acknowledged the end of %+v", e.number, sub)
	}
	if sub.ID == e.subscription && (!sub.Status.Live() || sub.Price.PriceID() != e.price) {
		c.report.lost("user %d: acknowledged %s on %s, there is %+v", e.number, e.subscription, e.price, sub)
	}
}

func (c *comparison) invoices(subscription string) (invoices []fakepayment.InvoiceRecord) {
	require.NoError(c.t, c.fake.Read(c.t.Context(), func(b fakepayment.Snapshot) error {
		invoices = b.InvoicesOf(subscription)
		return nil
	}))
	return invoices
}

// customers returns the ids of all customers at the provider.
func (c *comparison) customers() (ids []string) {
	require.NoError(c.t, c.fake.Read(c.t.Context(), func(b fakepayment.Snapshot) error {
		for _, customer := range b.Customers() {
			ids = append(ids, customer.ID)
		}
		return nil
	}))
	return ids
}
