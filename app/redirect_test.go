package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// redirectProvider is the fake provider with its own pages for payments and for saving methods.
type redirectProvider struct {
	*fakepayment.Provider
	lastReturnURL   string // ReturnTo of the last request
	lastSetupSecret string // the secret of the last page that saves a method
	setupErr        error  // returned by SetUpMethod; may be nil
}

func (p *redirectProvider) Capabilities() payment.Capabilities {
	c := p.Provider.Capabilities()
	c.Entry = payment.EntryRedirect
	return c
}

func (p *redirectProvider) SetUpMethod(ctx context.Context, req payment.MethodSetup) (billing.NextAction, error) {
	if p.setupErr != nil {
		return billing.NextAction{}, p.setupErr
	}
	next, err := p.Provider.SetUpMethod(ctx, req)
	p.lastReturnURL, p.lastSetupSecret = req.ReturnTo, next.Secret
	return billing.NextAction{Kind: billing.Redirect, URL: "https://pay.example/method"}, err
}

func (p *redirectProvider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	p.lastReturnURL = req.ReturnTo
	return redirectToProvider(p.Provider.Subscribe(ctx, req))
}

func (p *redirectProvider) PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error) {
	p.lastReturnURL = req.ReturnTo
	return redirectToProvider(p.Provider.PayInvoice(ctx, req))
}

// Subscription returns a redirect without a URL, because a read opens no page.
func (p *redirectProvider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	sub, err := redirectToProvider(p.Provider.Subscription(ctx, id))
	sub.Next.URL = ""
	return sub, err
}

func (p *redirectProvider) ListSubscriptions(
	ctx context.Context, customerID string, statuses ...billing.Status,
) ([]billing.Subscription, error) {
	subs, err := p.Provider.ListSubscriptions(ctx, customerID, statuses...)
	for i := range subs {
		subs[i], _ = redirectToProvider(subs[i], nil)
	}
	return subs, err
}

// redirectToProvider returns the subscription with a redirect to the provider's page instead of a payment in the browser,
// and err.
func redirectToProvider(sub billing.Subscription, err error) (billing.Subscription, error) {
	if sub.LatestInvoice != nil {
		sub.LatestInvoice.Payment = nil
	}
	if sub.Next.Kind == billing.NewPaymentMethod {
		sub.Next.Kind, sub.Next.Secret, sub.Next.URL = billing.Redirect, "", "https://pay.example/1"
	}
	return sub, err
}

// newRedirectFixtureWithOpenPayment returns a fixture with a redirectProvider, and a customer who has to make the first
// payment on the provider's page.
func newRedirectFixtureWithOpenPayment(t *testing.T) (*fixture, *redirectProvider, identity.Identity, billing.Subscription) {
	t.Helper()
	f, provider, caller := newRedirectFixture(t)
	sub, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly, NoTrial: true})
	require.NoError(t, err)
	return f, provider, caller, sub
}

// newRedirectFixture returns a fixture with a redirectProvider, and a customer who has not subscribed.
func newRedirectFixture(t *testing.T) (*fixture, *redirectProvider, identity.Identity) {
	t.Helper()
	f := newFixture(t, apptest.WithProvider(func(c *fakepayment.Config) { c.HostedPaymentPage = true }))
	provider := &redirectProvider{Provider: f.FakeProvider()}
	f.UseCases = f.NewApp(f.Store, provider)
	return f, provider, f.signUp()
}

// saveMethodOnPage saves a method on the last page of SetUpMethod and returns its id.
func (f *fixture) saveMethodOnPage(provider *redirectProvider) string {
	f.t.Helper()
	id := f.CreateCard(visa)
	_, err := f.provider.Confirm(f.t.Context(), fakepayment.Confirmation{ClientSecret: provider.lastSetupSecret, MethodID: id})
	require.NoError(f.t, err)
	return id
}

// saveMethodAtProvider saves a payment method as the provider's page does, and returns its id.
func (f *fixture) saveMethodAtProvider(customerID, number string) string {
	f.t.Helper()
	id := f.CreateCard(number)
	_, err := f.provider.AddCard(f.t.Context(), payment.NewCard{Key: id, CustomerID: customerID, MethodID: id, KeepDefault: true})
	require.NoError(f.t, err)
	return id
}

func TestSubscribe_RedirectsToTheProvidersPageForTheFirstPayment(t *testing.T) {
	_, provider, _, sub := newRedirectFixtureWithOpenPayment(t)
	assert.Equal(t, billing.Incomplete, sub.Status)
	assert.Equal(t, billing.Redirect, sub.Next.Kind)
	assert.Equal(t, "https://diy.test/vc-admin/diy/pay", provider.lastReturnURL)
}

func TestPayOpenInvoice_DoesNotLimitRedirectsToTheProvidersPage(t *testing.T) {
	f, provider, caller, sub := newRedirectFixtureWithOpenPayment(t)
	for range billing.MaxPaymentAttempts + 1 {
		provider.lastReturnURL = ""
		result, err := f.PayOpenInvoice.Do(t.Context(), caller,
			app.PayRequest{InvoiceID: sub.LatestInvoice.ID, Amount: sub.LatestInvoice.AmountDue.Minor()})
		require.NoError(t, err)
		assert.Equal(t, "https://pay.example/1", result.Next.URL)
		assert.NotEmpty(t, provider.lastReturnURL)
	}
}

func TestPayOpenInvoice_ChargesTheSavedMethodOfTheRequest(t *testing.T) {
	f, _, caller, openSub := newRedirectFixtureWithOpenPayment(t)
	declinedID, validID := f.saveMethodAtProvider(openSub.CustomerID, declinedChargesCard), f.saveMethodAtProvider(openSub.CustomerID, visa)
	req := app.PayRequest{InvoiceID: openSub.LatestInvoice.ID, Amount: openSub.LatestInvoice.AmountDue.Minor(), MakeDefault: true}

	req.MethodID = declinedID
	sub, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.Equal(t, billing.Redirect, sub.Next.Kind)
	assert.NotEmpty(t, sub.Next.Reason)
	assert.Empty(t, f.defaultCardID(caller), "a declined method does not become the default one")

	req.MethodID = validID
	sub, err = f.PayOpenInvoice.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, sub.Status)
	assert.Equal(t, validID, f.defaultCardID(caller))
}

func TestSetDefaultCard_PaysAnOverdueInvoiceWithASavedMethod(t *testing.T) {
	f, _, caller, sub := newRedirectFixtureWithOpenPayment(t)
	validID := f.saveMethodAtProvider(sub.CustomerID, visa)
	_, err := f.PayOpenInvoice.Do(t.Context(), caller, app.PayRequest{
		InvoiceID: sub.LatestInvoice.ID, Amount: sub.LatestInvoice.AmountDue.Minor(), MethodID: validID,
	})
	require.NoError(t, err)
	f.Advance(sub.CurrentPeriodEnd.Sub(f.Clock.Now()) + 2*time.Hour) // no method is the default one

	declinedResult, err := f.SetDefaultCard.Do(t.Context(), caller, f.saveMethodAtProvider(sub.CustomerID, declinedChargesCard))
	require.NoError(t, err)
	require.NotNil(t, declinedResult.Payment)
	assert.Equal(t, app.OverdueDeclined, declinedResult.Payment.Status)
	assert.Equal(t, "Your card was declined.", declinedResult.Payment.Message)

	result, err := f.SetDefaultCard.Do(t.Context(), caller, validID)
	require.NoError(t, err)
	require.NotNil(t, result.Payment)
	assert.Equal(t, app.OverduePaid, result.Payment.Status)
	assert.Equal(t, billing.Active, f.account(caller).LiveSubscription().Status)
}

func TestSubscribe_TrialRedirectsToThePageThatSavesAMethod(t *testing.T) {
	f, provider, caller := newRedirectFixture(t)

	sub, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly})

	require.NoError(t, err)
	assert.Equal(t, billing.Trialing, sub.Status)
	assert.Equal(t, billing.NextAction{Kind: billing.Redirect, URL: "https://pay.example/method"}, sub.Next)
	assert.Equal(t, billing.OutcomeRedirect, billing.DecideOutcome(sub, false))
	assert.Equal(t, "https://diy.test/vc-admin/diy/pay", provider.lastReturnURL)
	f.saveMethodOnPage(provider)
	f.Advance(8 * day)
	_, org, err := f.DescribeUser.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, org.Billing.LiveSubscription().Status)
}

func TestSubscribe_TrialStartsWithoutASavedMethodAndBecomesPastDue(t *testing.T) {
	f, _, caller := newRedirectFixture(t)
	trialSub, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly})
	require.NoError(t, err)

	assert.Equal(t, billing.Trialing, f.account(caller).LiveSubscription().Status)
	f.Advance(8 * day)

	_, org, err := f.DescribeUser.Do(t.Context(), caller)
	require.NoError(t, err)
	sub := org.Billing.LiveSubscription()
	assert.Equal(t, trialSub.ID, sub.ID)
	assert.Equal(t, billing.PastDue, sub.Status)
	assert.Equal(t, billing.Redirect, sub.Next.Kind)
}

func TestSubscriptionChanges_WithoutActionOpenNoPage(t *testing.T) {
	f, provider, caller := newRedirectFixture(t)
	_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly})
	require.NoError(t, err)
	f.Advance(8 * day) // the trial has ended without a method, so the first invoice is paid on a page
	for name, change := range map[string]func(context.Context, identity.Identity) (billing.Subscription, error){
		"resume": f.ResumeSubscription.Do, "cancel the scheduled change": f.CancelScheduledChange.Do,
		"cancel the pending change": f.CancelPendingChange.Do,
	} {
		provider.lastReturnURL = ""
		sub, err := change(t.Context(), caller)
		require.NoError(t, err, name)
		assert.Equal(t, billing.Redirect, sub.Next.Kind, name)
		assert.Empty(t, provider.lastReturnURL, name)
	}
}

func TestSubscribe_TrialStartsWhenThePageForMethodsFails(t *testing.T) {
	f, provider, caller := newRedirectFixture(t)
	provider.setupErr = fault.New(fault.Unavailable, "down")

	sub, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly})

	require.NoError(t, err)
	assert.Equal(t, billing.Trialing, sub.Status)
	assert.Equal(t, billing.NoAction, sub.Next.Kind)
}

func TestSubscribe_TrialDoesNotRedirectACustomerWithASavedMethod(t *testing.T) {
	f, provider, caller := newRedirectFixture(t)
	_, err := f.SetUpMethod.Do(t.Context(), caller)
	require.NoError(t, err)
	f.saveMethodOnPage(provider)
	provider.setupErr = fault.New(fault.Internal, "no page is needed")

	sub, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly})

	require.NoError(t, err)
	assert.Equal(t, billing.OutcomeSucceeded, billing.DecideOutcome(sub, false))
}

func TestSetUpMethod_EachCallOpensAPageThatSavesTheDefaultMethod(t *testing.T) {
	f, provider, caller := newRedirectFixture(t)
	for range 2 {
		page, err := f.SetUpMethod.Do(t.Context(), caller)
		require.NoError(t, err)
		assert.Equal(t, "https://pay.example/method", page.URL)
		assert.Equal(t, "https://diy.test/vc-admin/diy/cards", provider.lastReturnURL)
		methodID := f.saveMethodOnPage(provider)
		cards, err := f.ListCards.Do(t.Context(), caller)
		require.NoError(t, err)
		require.Len(t, cards, 1, "the older of identical methods is removed")
		assert.Equal(t, methodID, cards[0].ID)
		assert.Equal(t, methodID, f.defaultCardID(caller))
	}
}

func TestSetUpMethod_IsUnsupportedByAProviderWithoutAPageForMethods(t *testing.T) {
	f := newFixture(t)
	_, err := f.SetUpMethod.Do(t.Context(), f.signUp())
	assert.Equal(t, fault.Unsupported, fault.CodeOf(err))
}

func TestAddCard_PaysAnOverdueInvoiceWithAMethodSavedOnTheProvidersPage(t *testing.T) {
	f, provider, caller := newRedirectFixture(t)
	_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly})
	require.NoError(t, err)
	f.Advance(8 * day)
	_, err = f.SetUpMethod.Do(t.Context(), caller)
	require.NoError(t, err)
	methodID := f.saveMethodOnPage(provider)

	result, err := f.AddCard.Do(t.Context(), caller, methodID)

	require.NoError(t, err)
	require.NotNil(t, result.Payment)
	assert.Equal(t, app.OverduePaid, result.Payment.Status)
	assert.Equal(t, billing.Active, f.account(caller).LiveSubscription().Status)
}
