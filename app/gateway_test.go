package app_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/storage"
)

// gatewayFixture is a fixture with a provider that collects its charges through a gateway. The gateway of newGatewayFixture
// collects bank debits, which take three days.
type gatewayFixture struct {
	*fixture
	engine  *enginepayment.Provider
	gateway *fakegateway.Provider
	isDown  bool // whether all requests to the gateway fail

	mu    sync.Mutex
	calls []string // the methods of the requests to the gateway
}

func newGatewayFixture(t *testing.T) *gatewayFixture {
	t.Helper()
	return newFixtureWithGateway(t, fakegateway.Config{
		Kind: billing.BankDebitMethod, Settlement: 3 * day, ReturnWindow: 7 * day, KeyRetention: 30 * day,
	})
}

func newFixtureWithGateway(t *testing.T, c fakegateway.Config) *gatewayFixture {
	t.Helper()
	f := &gatewayFixture{}
	f.fixture = newFixture(t, apptest.WithGateway(c, f.recordCall))
	f.engine, f.gateway = f.Gateway()
	return f
}

func (f *gatewayFixture) recordCall(c fakegateway.Call) error {
	f.mu.Lock() // the worker charges several customers concurrently
	defer f.mu.Unlock()
	if !c.HasActed {
		f.calls = append(f.calls, c.Method)
	}
	if f.isDown {
		return fault.New(fault.Unavailable, "The gateway is down.")
	}
	return nil
}

// advanceAndRunWorker moves the clock by the duration and runs the worker of the provider.
func (f *gatewayFixture) advanceAndRunWorker(d time.Duration) {
	f.t.Helper()
	_, err := f.Clock.Advance(d)
	require.NoError(f.t, err)
	_, err = f.engine.Tick(f.t.Context(), f.ReceiveEvent.Apply)
	require.NoError(f.t, err)
}

// subscribeAndPayOnPage subscribes to a plan without a trial and pays from a bank account on the gateway's page.
func (f *gatewayFixture) subscribeAndPayOnPage(user *apptest.User, behaviour fakegateway.Behaviour) {
	f.t.Helper()
	sub, err := f.Subscribe.Do(f.t.Context(), user.Identity, app.SubscribeRequest{Price: standardMonthly, NoTrial: true})
	require.NoError(f.t, err)
	require.NotEmpty(f.t, sub.Next.URL)
	_, err = f.gateway.CompletePage(sub.Next.URL, behaviour)
	require.NoError(f.t, err)
	f.advanceAndRunWorker(time.Minute)
}

// saveMethodOnPage saves a bank account as the default method on the gateway's page.
func (f *gatewayFixture) saveMethodOnPage(user *apptest.User, behaviour fakegateway.Behaviour) {
	f.t.Helper()
	page, err := f.SetUpMethod.Do(f.t.Context(), user.Identity)
	require.NoError(f.t, err)
	_, err = f.gateway.CompletePage(page.URL, behaviour)
	require.NoError(f.t, err)
	f.advanceAndRunWorker(time.Minute)
}

// hasLicense reports whether the stored copy has a live subscription.
func (f *gatewayFixture) hasLicense(user *apptest.User) bool {
	f.t.Helper()
	return f.account(user.Identity).LiveSubscription() != nil
}

func TestSubscribe_TrialHasTheReasonOfARefusedMethod(t *testing.T) {
	f := newGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	sub, err := f.Subscribe.Do(t.Context(), user.Identity, app.SubscribeRequest{Price: standardMonthly})
	require.NoError(t, err)
	require.Equal(t, billing.Redirect, sub.Next.Kind)
	assert.Empty(t, f.account(user.Identity).MethodRefusal())

	_, err = f.gateway.CompletePage(sub.Next.URL, fakegateway.DeclinesSaving)
	require.NoError(t, err)
	f.advanceAndRunWorker(time.Minute)

	assert.Equal(t, "Your bank declined the payment.", f.account(user.Identity).MethodRefusal())
	f.saveMethodOnPage(user, fakegateway.Pays)
	assert.Empty(t, f.account(user.Identity).MethodRefusal())
}

// The page that Subscribe should have opened is missing. The customer does not wait for the worker.
func TestPayOpenInvoice_OpensThePageAfterTheGatewayRecovers(t *testing.T) {
	f := newGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	f.isDown = true
	sub, err := f.Subscribe.Do(t.Context(), user.Identity, app.SubscribeRequest{Price: standardMonthly, NoTrial: true})
	require.NoError(t, err)
	require.Equal(t, billing.Wait, sub.Next.Kind)
	pay := func() billing.Subscription {
		sub, err := f.PayOpenInvoice.Do(t.Context(), user.Identity,
			app.PayRequest{InvoiceID: sub.LatestInvoice.ID, Amount: sub.LatestInvoice.AmountDue.Minor()})
		require.NoError(t, err)
		return sub
	}
	require.Equal(t, billing.Wait, pay().Next.Kind)
	f.isDown = false

	sub = pay()

	assert.Equal(t, billing.Redirect, sub.Next.Kind)
	assert.NotEmpty(t, sub.Next.URL)
}

// storeThatSettlesNothing is the store of a server that stops before it settles its operations.
type storeThatSettlesNothing struct{ storage.Store }

func (storeThatSettlesNothing) SettleOperation(context.Context, string, billing.Settlement, time.Time) (bool, error) {
	return false, fault.New(fault.Unavailable, "The server has stopped.")
}

// The repeat joins the pending operation and reads the subscription, and that read has no URL.
func TestSubscribe_JoinedRepeatReturnsThePageOfTheGateway(t *testing.T) {
	f := newGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	req := app.SubscribeRequest{Price: standardMonthly, NoTrial: true}
	stoppedServer := f.NewApp(storeThatSettlesNothing{f.Store}, f.engine)
	sub, err := stoppedServer.Subscribe.Do(t.Context(), user.Identity, req)
	require.NoError(t, err)

	repeatedSub, err := f.Subscribe.Do(t.Context(), user.Identity, req)

	require.NoError(t, err)
	assert.Equal(t, sub.ID, repeatedSub.ID)
	assert.Equal(t, sub.Next.URL, repeatedSub.Next.URL)
	assert.NotEmpty(t, repeatedSub.Next.URL)
}

// Both organisations pay from the same bank account. Its debits are accepted, and fail after three days.
func TestSubscribe_DebitOfAnEmptyBankAccountGrantsNoLicense(t *testing.T) {
	f := newGatewayFixture(t)
	users := []*apptest.User{f.SignUpOnServer(f.UseCases, "ann"), f.SignUpOnServer(f.UseCases, "ben")}
	for range 2 { // each organisation tries twice
		for _, user := range users {
			f.subscribeAndPayOnPage(user, fakegateway.FailsLate)
			assert.False(t, f.hasLicense(user), "while the debit is in progress")

			f.advanceAndRunWorker(3 * day)

			assert.False(t, f.hasLicense(user), "after the debit has failed")
			payment := f.account(user.Identity).OpenPayment()
			require.NotNil(t, payment)
			assert.NotEmpty(t, payment.Reason)
		}
	}

	f.subscribeAndPayOnPage(users[0], fakegateway.Pays)
	f.advanceAndRunWorker(3 * day)

	assert.True(t, f.hasLicense(users[0]))
	assert.False(t, f.hasLicense(users[1]))
}

// The bank takes the first payment back after it has arrived.
func TestSubscribe_RefusesAnotherSubscriptionWhileAReturnedDebitIsOwed(t *testing.T) {
	f := newGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	f.subscribeAndPayOnPage(user, fakegateway.ReturnsLate)
	f.advanceAndRunWorker(3 * day)
	require.True(t, f.hasLicense(user))
	f.advanceAndRunWorker(7 * day)
	require.Equal(t, billing.PastDue, f.account(user.Identity).LiveSubscription().Status)

	_, err := f.EndSubscription.Do(t.Context(), user.Identity, app.EndRequest{})
	require.NoError(t, err)
	_, err = f.Subscribe.Do(t.Context(), user.Identity, app.SubscribeRequest{Price: standardMonthly, NoTrial: true})

	assertCode(t, fault.Conflict, err)
	assert.False(t, f.hasLicense(user))
}

// The dashboard reads the latest invoice of the subscription, and the emails are derived from the list of invoices.
func TestTick_EmailsAboutEachFailedDebitHaveTheNextAttemptOfTheBillingPage(t *testing.T) {
	f := newGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	f.subscribeAndPayOnPage(user, fakegateway.Pays)
	f.advanceAndRunWorker(3 * day)
	f.saveMethodOnPage(user, fakegateway.FailsLate)
	f.advanceAndRunWorker(28 * day) // the renewal is debited

	for range 2 {
		f.advanceAndRunWorker(3*day + time.Hour) // the debit fails
		f.DeliverEmails(f.UseCases)

		attemptAt := f.account(user.Identity).OpenPayment().NextAttemptAt
		require.True(t, attemptAt.After(f.Clock.Now()))
		email, date := f.Mailbox.Emails()[0], timezone.ForAddress("AU", "New South Wales").Date(attemptAt) // "15 April 2026"
		assert.Equal(t, "Payment failed: $39 AUD, next attempt on "+strings.TrimSuffix(date, " 2026"), email.Subject)
		assert.Contains(t, email.Text, "We will try again on "+date)

		f.advanceAndRunWorker(attemptAt.Sub(f.Clock.Now()) + time.Hour) // the invoice is debited again
	}
}
