package crash

import (
	"context"
	"database/sql"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

// comparison compares the records with the database and the provider.
type comparison struct {
	*harness
	store    *sqlstorage.Store
	provider payment.Provider
	fake     *fakepayment.Provider // the provider itself, or the provider behind the fake Stripe API; nil for a gateway
	gateway  *fakegateway.Provider // nil without a gateway
	clock    *devclock.Clock
	app      *app.UseCases
}

// settleAndCompare settles all pending operations and compares the records, the database and the provider. No server may
// run.
func (h *harness) settleAndCompare() {
	h.advanceClocks(takeoverDelay)
	h.withComparison(comparison.compare)
}

// settleRenewals charges what has become due at a gateway, as a server does in the background. No server may run. Other
// providers charge by themselves.
func (h *harness) settleRenewals() {
	if h.usesGateway {
		h.withComparison(func(comparison) {})
	}
}

// withComparison opens the database and the provider, settles all pending operations, and calls do.
func (h *harness) withComparison(do func(comparison)) {
	c := comparison{harness: h}
	var err error
	c.clock, err = devclock.Open(h.devFile("clock"), nil)
	require.NoError(h.t, err)
	c.store, err = sqlstorage.Open(h.t.Context(), h.database)
	require.NoError(h.t, err)
	defer func() { assert.NoError(h.t, c.store.Close()) }()
	c.store.UseClock(c.clock.Now)
	closeProvider := c.openProvider()
	defer closeProvider()
	c.settlePendingOperations()
	do(c)
}

// compare compares the records, the database and the provider.
func (c comparison) compare() {
	customers := map[string]bool{}
	for _, r := range c.recorder.records {
		if org := c.compareAccount(r); org.Billing.CustomerID != "" {
			customers[org.Billing.CustomerID] = true
			c.compareBilling(r, org)
		}
	}
	c.compareCustomers(customers)
	c.compareCounts()
}

// openProvider opens the provider and returns a function that closes it.
func (c *comparison) openProvider() (closeProvider func()) {
	if c.usesGateway {
		return c.openGateway()
	}
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
	fake, err := fakepayment.Open(fakepayment.Config{
		Path: c.devFile("payments"), Clock: c.clock, Prices: catalogue.Default(),
	})
	require.NoError(c.t, err)
	c.provider, c.fake = fake, fake
	return func() { assert.NoError(c.t, fake.Stop(context.Background())) }
}

// settlePendingOperations settles the pending operations, as a server does in the background.
func (c *comparison) settlePendingOperations() {
	c.app = app.New(app.Ports{
		Catalogue: catalogue.Default(), Store: c.store, Provider: c.provider, Clock: c.clock, Log: slog.New(slog.DiscardHandler),
	})
	for count := 1; count > 0; {
		var err error
		count, err = c.app.Reconcile.Do(c.t.Context())
		require.NoError(c.t, err)
	}
	c.settleAtGateway()
	pendingOps, err := c.store.PendingOperations(c.t.Context(), 0, 100)
	require.NoError(c.t, err)
	for _, op := range pendingOps {
		c.report.addDuplicate("an operation stays pending: %+v", op)
	}
}

// compareAccount compares the stored user and organisation with the record and returns the organisation.
func (c *comparison) compareAccount(r *record) account.Organisation {
	recordedUser := &user{record: r}
	storedUser, err := c.store.UserByEmail(c.t.Context(), recordedUser.email())
	if err != nil {
		c.report.addLoss("user %d: %v", r.userNumber, err)
		return account.Organisation{}
	}
	if r.userID != "" && r.userID != storedUser.ID || r.orgID != "" && r.orgID != storedUser.OrganisationID ||
		r.isVerified && !storedUser.IsVerified() {
		c.report.addLoss("user %d acknowledged: %+v, there is %+v", r.userNumber, *r, storedUser)
	}
	org, err := c.store.Organisation(c.t.Context(), storedUser.OrganisationID)
	if err != nil || org.Name != recordedUser.name() {
		c.report.addLoss("user %d: organisation %+v %v", r.userNumber, org, err)
	}
	return org
}

// compareCustomers compares the customers at the provider with the stored customers.
func (c *comparison) compareCustomers(storedCustomerIDs map[string]bool) {
	idsAtProvider, idsInDatabase := c.customerIDs(), slices.Sorted(maps.Keys(storedCustomerIDs))
	slices.Sort(idsAtProvider)
	if !slices.Equal(idsAtProvider, idsInDatabase) {
		c.report.addDuplicate("customers at the provider: %v, stored: %v", idsAtProvider, idsInDatabase)
	}
}

// compareCounts compares the numbers of organisations and users with the number of records. It counts the unverified
// registrations of a repeated sign-up once.
func (c *comparison) compareCounts() {
	driver, name := "pgx", c.database
	if path, ok := strings.CutPrefix(c.database, "sqlite:"); ok {
		driver, name = "sqlite", path
	}
	db, err := sql.Open(driver, name)
	require.NoError(c.t, err)
	defer func() { assert.NoError(c.t, db.Close()) }()
	for table, key := range map[string]string{"organisations": "name_key", "users": "email_key"} {
		var count int
		require.NoError(c.t, db.QueryRowContext(c.t.Context(), "SELECT COUNT(DISTINCT "+key+") FROM "+table).Scan(&count))
		if count != len(c.recorder.records) {
			c.report.addDuplicate("%d %s, for %d users", count, table, len(c.recorder.records))
		}
	}
}

// compareBilling compares a customer at the provider with the stored copy and the record.
func (c *comparison) compareBilling(r *record, org account.Organisation) {
	customer := org.Billing.CustomerID
	invoices := c.customerInvoices(customer)
	if r.customerID != "" && r.customerID != customer {
		c.report.addLoss("user %d: customer %s became %s", r.userNumber, r.customerID, customer)
	}
	c.compareCards(r, customer)
	subs, err := c.provider.ListSubscriptions(c.t.Context(), customer)
	require.NoError(c.t, err)
	c.compareCopies(r, subs, org.Billing)
	c.compareSubscriptions(r, subs)
	c.compareInvoices(r, invoices)
	c.requireReceipts(r, org, invoices)
	if c.usesGateway {
		c.compareCharges(r, customer, subs, invoices)
	}
}

// customerInvoices returns the customer's invoices at the provider.
func (c *comparison) customerInvoices(customerID string) []billing.Invoice {
	list, err := c.provider.ListInvoices(c.t.Context(), payment.InvoiceQuery{CustomerID: customerID, Limit: 100})
	require.NoError(c.t, err)
	require.False(c.t, list.HasMore)
	return list.Invoices
}

// requireReceipts requires that each payment has caused an email. The database refuses a second email about a payment.
func (c *comparison) requireReceipts(r *record, org account.Organisation, invoices []billing.Invoice) {
	event := payment.Event{ID: "evt_last_" + org.ID, Kind: payment.SubscriptionChanged, CustomerID: org.Billing.CustomerID}
	require.NoError(c.t, c.app.ReceiveEvent.Apply(c.t.Context(), event))
	notices, err := c.store.Notices(c.t.Context(), org.ID)
	require.NoError(c.t, err)
	for _, inv := range invoices {
		amountPaid := strconv.FormatInt(inv.AmountPaid.Minor(), 10)
		receipt := billing.Notice{Kind: billing.PaymentReceived, SubjectID: inv.ID, Period: amountPaid}
		if inv.AmountPaid.Minor() > 0 && !slices.Contains(notices, receipt) {
			c.report.addLoss("user %d: no email about the payment of %s", r.userNumber, inv.ID)
		}
	}
}

// compareCards compares the saved cards and the default card with the record.
func (c *comparison) compareCards(r *record, customerID string) {
	cards, err := c.provider.Cards(c.t.Context(), customerID)
	require.NoError(c.t, err)
	var ids []string
	for _, card := range cards {
		ids = append(ids, card.ID)
	}
	_, isMissing := r.missingCard(ids)
	if isMissing || r.hasExtraCard(ids) {
		c.report.addLoss("user %d: cards %v, acknowledged %v", r.userNumber, ids, r.cards)
	}
	customer, err := c.provider.Customer(c.t.Context(), customerID)
	require.NoError(c.t, err)
	if r.defaultCardID != "" && (customer.Default == nil || customer.Default.ID != r.defaultCardID) {
		c.report.addLoss("user %d: default card %+v, acknowledged %s", r.userNumber, customer.Default, r.defaultCardID)
	}
}

// compareCopies compares the stored subscriptions with those at the provider.
func (c *comparison) compareCopies(r *record, subs []billing.Subscription, storedAccount billing.Account) {
	var want billing.Account
	want.RecordSubscriptions(subs...)
	if !assert.ObjectsAreEqual(want.Subscriptions, storedAccount.Subscriptions) {
		c.report.addDuplicate("user %d: subscriptions %+v, stored %+v", r.userNumber, want.Subscriptions, storedAccount.Subscriptions)
	}
}

// compareSubscriptions compares the subscriptions at the provider and the invoices with the record.
func (c *comparison) compareSubscriptions(r *record, subs []billing.Subscription) {
	liveCount, trialCount := 0, 0
	for _, sub := range subs {
		if sub.Status.Live() {
			liveCount++
		}
		if !sub.TrialEnd.IsZero() {
			trialCount++
		}
		c.compareSubscription(r, sub)
	}
	if liveCount > 1 || trialCount > 1 || len(subs) > r.subscriptionCount {
		c.report.addDuplicate("user %d: %d live, %d trials, %d of %d subscriptions", r.userNumber, liveCount, trialCount, len(subs),
			r.subscriptionCount)
	}
	if len(subs) < r.subscriptionCount {
		c.report.addLoss("user %d: %d of %d subscriptions", r.userNumber, len(subs), r.subscriptionCount)
	}
}

// compareInvoices compares the number of the current subscription's invoices, and the payments of all invoices, with the
// record.
func (c *comparison) compareInvoices(r *record, invoices []billing.Invoice) {
	count := 0
	for _, inv := range invoices {
		if r.subscriptionID != "" && inv.SubscriptionID == r.subscriptionID {
			count++
		}
	}
	if count != r.invoiceCount {
		c.report.addDuplicate("user %d: %d invoices instead of %d", r.userNumber, count, r.invoiceCount)
	}
	for _, inv := range invoices {
		if slices.Contains(r.paidInvoices, inv.ID) && inv.Status != billing.InvoicePaid {
			c.report.addLoss("user %d: acknowledged the payment of %+v", r.userNumber, inv)
		}
	}
}

// compareSubscription compares a subscription at the provider with the record.
func (c *comparison) compareSubscription(r *record, sub billing.Subscription) {
	if sub.ID == r.endedSubscriptionID && sub.Status.Live() {
		c.report.addLoss("user %d: acknowledged the end of %+v", r.userNumber, sub)
	}
	if r.bankAccount != "" {
		c.compareBankPayment(r, sub)
		return
	}
	if sub.ID == r.subscriptionID && (!sub.Status.Live() || sub.Price.PriceID() != r.priceID) {
		c.report.addLoss("user %d: acknowledged %s on %s, there is %+v", r.userNumber, r.subscriptionID, r.priceID, sub)
	}
}

// customerIDs returns the IDs of all customers at the provider.
func (c *comparison) customerIDs() (ids []string) {
	if c.usesGateway {
		return c.gatewayCustomerIDs()
	}
	require.NoError(c.t, c.fake.Read(c.t.Context(), func(s fakepayment.Snapshot) error {
		for _, customer := range s.Customers() {
			ids = append(ids, customer.ID)
		}
		return nil
	}))
	return ids
}
