package paymenttest

import (
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// env contains the testing.T and the harness of one behaviour. Its methods skip the test if the provider or the
// environment lacks a capability that they need.
type env struct {
	*testing.T
	Harness
}

const (
	// trialDays is longer than the longest settlement, 14 days, so that a payment during a trial arrives before its end.
	trialDays = 20
	// maxPeriodDelay is longer than the time from the start of a period to the arrival of its payment, plus the difference
	// between calendar months.
	maxPeriodDelay = 18 * day
)

var (
	standard            = price("standard", catalogue.Yearly)
	standardMonthly     = price("standard", catalogue.Monthly)
	professional        = price("professional", catalogue.Yearly)
	professionalMonthly = price("professional", catalogue.Monthly)
	standardUSD         = catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "USD"}
)

func price(product string, interval catalogue.Interval) catalogue.PriceRef {
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: "AUD"}
}

func aud(minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	if err != nil {
		panic(err) // the currency is known
	}
	return amount
}

func newKey() string { return "key-" + rand.Text() }

// skipWithout skips the test when one of the capabilities is missing.
func (t *env) skipWithout(capabilities ...payment.Capability) {
	t.Helper()
	for _, c := range capabilities {
		if reason, missing := t.missingReason(c); missing {
			t.Skip(string(c) + ": " + reason)
		}
	}
}

// assertFault asserts that the error has one of the codes.
func (t *env) assertFault(err error, codes ...fault.Code) {
	t.Helper()
	require.Error(t, err)
	assert.Contains(t, codes, fault.CodeOf(err), "%v", err)
}

// customerRequest returns a request with a new key for a new organisation.
func customerRequest() payment.NewCustomer {
	return payment.NewCustomer{
		Key: newKey(), OrganisationID: "org-" + rand.Text(), Name: "Northside Clinic",
		Email: "billing@northside.example", Phone: "+61 2 5550 1234", Currency: "AUD",
		Address: account.Address{
			Line1: "1 High Street", City: "Sydney", State: "New South Wales", PostalCode: "2000", Country: "AU",
		},
	}
}

// createCustomer creates a customer without a card.
func (t *env) createCustomer() billing.Customer {
	t.Helper()
	c, err := t.Provider.CreateCustomer(t.Context(), customerRequest())
	require.NoError(t, err)
	return c
}

func (t *env) readCustomer(id string) billing.Customer {
	t.Helper()
	c, err := t.Provider.Customer(t.Context(), id)
	require.NoError(t, err)
	c.Buyer, c.Phone = nil, "" // only Customer reports them
	return c
}

// payingCustomer creates a customer that can subscribe. The customer has a default card if cards are entered in the
// browser.
func (t *env) payingCustomer() billing.Customer {
	t.Helper()
	t.skipWithout(Payments)
	if !t.savesCards() {
		return t.createCustomer()
	}
	return t.customerWithMethod(Pays)
}

// saveMethodIfSupported saves a card that pays, if the provider saves cards.
func (t *env) saveMethodIfSupported(customerID string) {
	t.Helper()
	if t.savesCards() {
		t.saveMethod(customerID, Pays)
	}
}

// availableTrialDays returns the length of a trial if the provider has trials, otherwise 0.
func (t *env) availableTrialDays() int {
	if _, missing := t.missingReason(payment.Trials); missing {
		return 0
	}
	return trialDays
}

// trialLengths returns 0, and the length of a trial if the provider has trials.
func (t *env) trialLengths() []int {
	return slices.Compact([]int{0, t.availableTrialDays()})
}

// subscribe starts a subscription to the standard plan and completes its payment.
func (t *env) subscribe(customerID string, days int) billing.Subscription {
	t.Helper()
	s := t.startSubscription(customerID, standard, days)
	if t.methodIDForRequest(customerID) != "" {
		return s
	}
	return t.completePayment(s)
}

// startSubscription starts a subscription, which charges the default method if there is one.
func (t *env) startSubscription(customerID string, ref catalogue.PriceRef, days int) billing.Subscription {
	t.Helper()
	if days > 0 {
		t.skipWithout(payment.Trials)
	}
	s, err := t.Provider.Subscribe(t.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: customerID, MethodID: t.methodIDForRequest(customerID), Price: ref, TrialDays: days,
	})
	require.NoError(t, err)
	return s
}

// methodIDForRequest returns the MethodID for a request that charges the default method. With EntryRedirect the request
// must name the method, see payment.Cards; otherwise MethodID is "".
func (t *env) methodIDForRequest(customerID string) string {
	t.Helper()
	if !t.Provider.Capabilities().Redirects() {
		return ""
	}
	if method := t.readCustomer(customerID).Default; method != nil {
		return method.ID
	}
	return ""
}

// subscribeMonthly returns a paid monthly subscription to the standard plan.
func (t *env) subscribeMonthly() billing.Subscription {
	t.Helper()
	return t.completePayment(t.startSubscription(t.payingCustomer().ID, standardMonthly, 0))
}

// completePayment pays the latest invoice, if it is open, by transfer or on the provider's page, and returns the
// subscription. It changes nothing if the provider charges the customer itself.
func (t *env) completePayment(s billing.Subscription) billing.Subscription {
	t.Helper()
	switch entry := t.Provider.Capabilities().Entry; {
	case entry == payment.EntryInvoice && s.LatestInvoice != nil && s.LatestInvoice.Status == billing.InvoiceOpen:
		t.PayInvoice(t.T, s.LatestInvoice.ID)
	case entry == payment.EntryRedirect && s.Next.Kind == billing.Redirect:
		t.checkout(t.openPage(s).Next.URL, Pays)
	default:
		return s
	}
	return t.refresh(s)
}

// assertPaid asserts that the latest invoice is paid.
func (t *env) assertPaid(s billing.Subscription) {
	t.Helper()
	require.NotNil(t, s.LatestInvoice)
	assert.Equal(t, billing.InvoicePaid, s.LatestInvoice.Status)
	if s.LatestInvoice.Payment != nil {
		t.assertPayment(s, billing.Succeeded)
	}
}

// trySubscribe requests a subscription to the price without naming a payment method.
func (t *env) trySubscribe(customerID string, ref catalogue.PriceRef) (billing.Subscription, error) {
	t.Helper()
	return t.Provider.Subscribe(t.Context(), payment.NewSubscription{Key: newKey(), CustomerID: customerID, Price: ref})
}

// declinedSubscription returns a subscription whose first payment was declined.
func (t *env) declinedSubscription() billing.Subscription {
	t.Helper()
	s := t.subscribe(t.customerWithMethod(DeclinedWhenCharged).ID, 0)
	require.Equal(t, billing.Incomplete, s.Status)
	return s
}

// unpaidSubscription returns a subscription whose first payment was declined or is open on the provider's page.
func (t *env) unpaidSubscription() billing.Subscription {
	t.Helper()
	if t.Provider.Capabilities().Entry != payment.EntryRedirect {
		return t.declinedSubscription()
	}
	s := t.startSubscription(t.payingCustomer().ID, standard, 0)
	require.Equal(t, billing.Incomplete, s.Status)
	return s
}

// readSubscription reads a subscription, which must be in the status.
func (t *env) readSubscription(id string, want billing.Status) billing.Subscription {
	t.Helper()
	s, err := t.Provider.Subscription(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, want, s.Status)
	assertInvoiceReadsAgree(t.Context(), t, t.Provider, s.CustomerID)
	return s
}

// refresh returns the current state of the subscription, in any status.
func (t *env) refresh(s billing.Subscription) billing.Subscription {
	t.Helper()
	updatedSub, err := t.Provider.Subscription(t.Context(), s.ID)
	require.NoError(t, err)
	assertInvoiceReadsAgree(t.Context(), t, t.Provider, s.CustomerID)
	return updatedSub
}

// subscriptionIDs returns the ids of the customer's subscriptions in the order of the list.
func (t *env) subscriptionIDs(customerID string, statuses ...billing.Status) []string {
	t.Helper()
	subs, err := t.Provider.ListSubscriptions(t.Context(), customerID, statuses...)
	require.NoError(t, err)
	require.NotNil(t, subs, "an empty list is not nil")
	ids := make([]string, 0, len(subs))
	for _, s := range subs {
		assert.Equal(t, customerID, s.CustomerID)
		ids = append(ids, s.ID)
	}
	return ids
}

// cancel ends the subscription now.
func (t *env) cancel(subscriptionID string) billing.Subscription {
	t.Helper()
	s, err := t.Provider.CancelSubscription(t.Context(), payment.Cancellation{Key: newKey(), SubscriptionID: subscriptionID})
	require.NoError(t, err)
	return s
}

// confirmPayment completes or fails the authentication of a payment in the browser.
func (t *env) confirmPayment(clientSecret string, complete bool) billing.IntentStatus {
	t.Helper()
	t.skipWithout(Authentication)
	return t.ConfirmPayment(t.T, clientSecret, complete)
}

// confirmSetup completes or fails the authentication of a card in the browser.
func (t *env) confirmSetup(clientSecret string, complete bool) billing.IntentStatus {
	t.Helper()
	t.skipWithout(Authentication)
	return t.ConfirmSetup(t.T, clientSecret, complete)
}

// checkout visits the provider's page with a method of the scenario.
func (t *env) checkout(url string, scenario Scenario) {
	t.Helper()
	t.skipWithout(hostedCheckout)
	t.Checkout(t.T, url, scenario)
}

// advance lets time pass at the provider.
func (t *env) advance(d time.Duration) {
	t.Helper()
	t.skipWithout(ClockControl)
	t.Advance(t.T, d)
}

// advanceTo lets time pass at the provider until the given time.
func (t *env) advanceTo(end time.Time) {
	t.Helper()
	t.advance(end.Sub(t.Now()))
}
