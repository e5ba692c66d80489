package crash

import (
	"context"
	"database/sql"
	"log/slog"
	"maps"
	"slices"
	"strconv"
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

// record contains the data that was acknowledged to a user.
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
	account       string   // the bank account that pays the subscription; "" for a card
}

// saveCard records a card as the default. It replaces an identical older card.
func (r *record) saveCard(card, number string) {
	if r.numbers == nil {
		r.numbers = map[string]string{}
	}
	for _, older := range slices.Clone(r.cards) {
		if older != card && r.numbers[older] == number {
			r.drop(older)
		}
	}
	if !slices.Contains(r.cards, card) {
		r.cards = append(r.cards, card)
	}
	r.numbers[card], r.defaultCard = number, card
}

// drop records that a card may be detached.
func (r *record) drop(card string) {
	r.cards = slices.DeleteFunc(r.cards, func(id string) bool { return id == card })
	r.dropped = append(r.dropped, card)
}

// missingCard returns a card that should be among the given ones.
func (r *record) missingCard(found []string) (card string, isMissing bool) {
	i := slices.IndexFunc(r.cards, func(id string) bool { return !slices.Contains(found, id) })
	if i < 0 {
		return "", false
	}
	return r.cards[i], true
}

// hasExtraCard reports whether one of the cards was neither saved nor dropped.
func (r *record) hasExtraCard(found []string) bool {
	return slices.ContainsFunc(found,
		func(id string) bool { return !slices.Contains(r.cards, id) && !slices.Contains(r.dropped, id) })
}

// recorder stores the records of all users.
type recorder struct {
	mu      sync.Mutex
	records []*record
}

// add adds a record.
func (r *recorder) add() *record {
	r.mu.Lock()
	defer r.mu.Unlock()
	added := &record{number: len(r.records) + 1}
	r.records = append(r.records, added)
	return added
}

// comparison compares the records with the database and the provider.
type comparison struct {
	*harness
	store    *sqlstorage.Store
	provider payment.Provider
	fake     *fakepayment.Provider // the provider, or the one behind the fake Stripe API
	clock    *devclock.Clock
	app      *app.UseCases
}

// compare settles all pending operations and compares the records, the database and the provider. No server runs.
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
	for _, r := range h.recorder.records {
		if org := c.compareAccount(r); org.Billing.CustomerID != "" {
			customers[org.Billing.CustomerID] = true
			c.compareBilling(r, org)
		}
	}
	c.compareCustomers(customers)
	c.compareCounts()
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
	c.app = app.New(app.Ports{
		Catalogue: catalogue.Default(), Store: c.store, Provider: c.provider, Clock: c.clock, Log: slog.New(slog.DiscardHandler),
	})
	for settled := 1; settled > 0; {
		var err error
		settled, err = c.app.Reconcile.Do(c.t.Context())
		require.NoError(c.t, err)
	}
	pending, err := c.store.PendingOperations(c.t.Context(), 0, 100)
	require.NoError(c.t, err)
	for _, op := range pending {
		c.report.addDuplicate("an operation stays pending: %+v", op)
	}
}

// compareAccount compares the user and returns the organisation.
func (c *comparison) compareAccount(r *record) account.Organisation {
	u := &user{record: r}
	user, err := c.store.UserByEmail(c.t.Context(), u.email())
	if err != nil {
		c.report.addLoss("user %d: %v", r.number, err)
		return account.Organisation{}
	}
	if r.user != "" && r.user != user.ID || r.org != "" && r.org != user.OrganisationID || r.verified && !user.Verified() {
		c.report.addLoss("user %d acknowledged: %+v, there is %+v", r.number, *r, user)
	}
	org, err := c.store.Organisation(c.t.Context(), user.OrganisationID)
	if err != nil || org.Name != u.name() {
		c.report.addLoss("user %d: organisation %+v %v", r.number, org, err)
	}
	return org
}

// compareCustomers compares the customers at the provider with the stored ones.
func (c *comparison) compareCustomers(known map[string]bool) {
	found := c.customers()
	slices.Sort(found)
	ours := slices.Sorted(maps.Keys(known))
	if !slices.Equal(found, ours) {
		c.report.addDuplicate("customers at the provider: %v, stored: %v", found, ours)
	}
}

// compareCounts compares the numbers of accounts.
func (c *comparison) compareCounts() {
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
			c.report.addDuplicate("%d %s, for %d users", found, table, len(c.recorder.records))
		}
	}
}

// compareBilling compares a customer at the provider with the stored copy and the record.
func (c *comparison) compareBilling(r *record, org account.Organisation) {
	customer := org.Billing.CustomerID
	if r.customer != "" && r.customer != customer {
		c.report.addLoss("user %d: customer %s became %s", r.number, r.customer, customer)
	}
	c.compareCards(r, customer)
	subs, err := c.provider.ListSubscriptions(c.t.Context(), customer)
	require.NoError(c.t, err)
	c.compareCopies(r, subs, org.Billing)
	c.compareSubscriptions(r, subs)
	c.requireReceipts(r, org)
}

// requireReceipts requires that an email about each payment was queued. The database refuses a second one.
func (c *comparison) requireReceipts(r *record, org account.Organisation) {
	event := payment.Event{ID: "evt_last_" + org.ID, Kind: payment.SubscriptionChanged, CustomerID: org.Billing.CustomerID}
	require.NoError(c.t, c.app.ReceiveEvent.Apply(c.t.Context(), event))
	queued, err := c.store.Notices(c.t.Context(), org.ID)
	require.NoError(c.t, err)
	list, err := c.provider.ListInvoices(c.t.Context(), payment.InvoicePage{CustomerID: org.Billing.CustomerID, Limit: 100})
	require.NoError(c.t, err)
	for _, inv := range list.Invoices {
		paid := strconv.FormatInt(inv.AmountPaid.Minor(), 10)
		receipt := billing.Notice{Kind: billing.PaymentReceived, About: inv.ID, Period: paid}
		if inv.AmountPaid.Minor() > 0 && !slices.Contains(queued, receipt) {
			c.report.addLoss("user %d: no email about the payment of %s", r.number, inv.ID)
		}
	}
}

func (c *comparison) compareCards(r *record, customer string) {
	saved, err := c.provider.Cards(c.t.Context(), customer)
	require.NoError(c.t, err)
	var found []string
	for _, card := range saved {
		found = append(found, card.ID)
	}
	_, isMissing := r.missingCard(found)
	if isMissing || r.hasExtraCard(found) {
		c.report.addLoss("user %d: cards %v, acknowledged %v", r.number, found, r.cards)
	}
	reported, err := c.provider.Customer(c.t.Context(), customer)
	require.NoError(c.t, err)
	if r.defaultCard != "" && (reported.Default == nil || reported.Default.ID != r.defaultCard) {
		c.report.addLoss("user %d: default card %+v, acknowledged %s", r.number, reported.Default, r.defaultCard)
	}
}

// compareCopies compares the stored subscriptions with those at the provider.
func (c *comparison) compareCopies(r *record, subs []billing.Subscription, stored billing.Account) {
	var want billing.Account
	want.Record(subs...)
	if !assert.ObjectsAreEqual(want.Subscriptions, stored.Subscriptions) {
		c.report.addDuplicate("user %d: subscriptions %+v, stored %+v", r.number, want.Subscriptions, stored.Subscriptions)
	}
}

// compareSubscriptions requires the recorded subscription, price and number of invoices.
func (c *comparison) compareSubscriptions(r *record, subs []billing.Subscription) {
	live, trials := 0, 0
	for _, sub := range subs {
		if sub.Status.Live() {
			live++
		}
		if !sub.TrialEnd.IsZero() {
			trials++
		}
		c.compareSubscription(r, sub)
	}
	if live > 1 || trials > 1 || len(subs) > r.subscriptions {
		c.report.addDuplicate("user %d: %d live, %d trials, %d of %d subscriptions", r.number, live, trials, len(subs),
			r.subscriptions)
	}
	if len(subs) < r.subscriptions {
		c.report.addLoss("user %d: %d of %d subscriptions", r.number, len(subs), r.subscriptions)
	}
	c.comparePaidInvoices(r)
}

// comparePaidInvoices requires the recorded number of invoices and payments.
func (c *comparison) comparePaidInvoices(r *record) {
	invoices := c.invoices(r.subscription)
	if len(invoices) != r.invoices {
		c.report.addDuplicate("user %d: %d invoices instead of %d", r.number, len(invoices), r.invoices)
	}
	for _, inv := range invoices {
		if slices.Contains(r.paid, inv.ID) && inv.Status != "paid" {
			c.report.addLoss("user %d: acknowledged the payment of %+v", r.number, inv)
		}
	}
}

func (c *comparison) compareSubscription(r *record, sub billing.Subscription) {
	if sub.ID == r.ended && sub.Status.Live() {
		c.report.addLoss("user %d: acknowledged the end of %+v", r.number, sub)
	}
	if r.account != "" {
		c.compareAccountPayment(r, sub)
		return
	}
	if sub.ID == r.subscription && (!sub.Status.Live() || sub.Price.PriceID() != r.price) {
		c.report.addLoss("user %d: acknowledged %s on %s, there is %+v", r.number, r.subscription, r.price, sub)
	}
}

func (c *comparison) invoices(subscription string) (invoices []fakepayment.InvoiceRecord) {
	require.NoError(c.t, c.fake.Read(c.t.Context(), func(b fakepayment.Snapshot) error {
		invoices = b.SubscriptionInvoices(subscription)
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
