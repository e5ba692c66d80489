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
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// redirectProvider is the fake provider with payments on its own page and without trials.
type redirectProvider struct {
	*fakepayment.Provider
	returnTo string // of the last request
}

func (p *redirectProvider) Capabilities() payment.Capabilities {
	c := p.Provider.Capabilities()
	c.Entry, c.Missing[payment.Trials] = payment.EntryRedirect, "a mandate needs a first payment"
	return c
}

func (p *redirectProvider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	p.returnTo = req.ReturnTo
	return redirectToProvider(p.Provider.Subscribe(ctx, req))
}

func (p *redirectProvider) PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error) {
	p.returnTo = req.ReturnTo
	return redirectToProvider(p.Provider.PayInvoice(ctx, req))
}

func (p *redirectProvider) ListSubscriptions(
	ctx context.Context, customerID string, statuses ...billing.Status,
) ([]billing.Subscription, error) {
	all, err := p.Provider.ListSubscriptions(ctx, customerID, statuses...)
	for i := range all {
		all[i], _ = redirectToProvider(all[i], nil)
	}
	return all, err
}

// redirectToProvider replaces the payment in the browser by the provider's page.
func redirectToProvider(s billing.Subscription, err error) (billing.Subscription, error) {
	if s.LatestInvoice != nil {
		s.LatestInvoice.Payment = nil
	}
	if s.Next.Kind == billing.NewPaymentMethod {
		s.Next.Kind, s.Next.Secret, s.Next.URL = billing.Redirect, "", "https://pay.example/1"
	}
	return s, err
}

// newRedirectFixture returns a fixture whose customer has to make the first payment on the provider's page.
func newRedirectFixture(t *testing.T) (*fixture, *redirectProvider, identity.Identity, billing.Subscription) {
	t.Helper()
	f := newFixture(t, apptest.WithProvider(func(c *fakepayment.Config) { c.PayLater = true }))
	provider := &redirectProvider{Provider: f.provider}
	f.UseCases = f.NewApp(f.Store, provider)
	caller := f.signUp()
	s, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: monthly})
	require.NoError(t, err)
	return f, provider, caller, s
}

// saveMandate saves a payment method as the provider's page does, and returns its id.
func (f *fixture) saveMandate(customerID, number string) string {
	f.t.Helper()
	id := f.CreateCard(number)
	_, err := f.provider.AddCard(f.t.Context(), payment.NewCard{Key: id, CustomerID: customerID, MethodID: id, KeepDefault: true})
	require.NoError(f.t, err)
	return id
}

func TestSubscribe_LeavesTheFirstPaymentToTheProvidersPage(t *testing.T) {
	_, provider, _, s := newRedirectFixture(t)
	assert.Equal(t, billing.Incomplete, s.Status, "the provider has no trials, although the catalogue has")
	assert.Equal(t, billing.Redirect, s.Next.Kind)
	assert.Equal(t, "https://diy.test/vc-admin/diy/pay", provider.returnTo)
}

func TestPayOpenInvoice_VisitsToTheProvidersPageAreNotLimited(t *testing.T) {
	f, provider, caller, s := newRedirectFixture(t)
	for range billing.MaxPaymentAttempts + 1 {
		provider.returnTo = ""
		paid, err := f.PayOpenInvoice.Do(t.Context(), caller,
			app.PayRequest{InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountDue.Minor()})
		require.NoError(t, err)
		assert.Equal(t, "https://pay.example/1", paid.Next.URL)
		assert.NotEmpty(t, provider.returnTo)
	}
}

func TestPayOpenInvoice_ChargesAMandateThatIsNamed(t *testing.T) {
	f, _, caller, s := newRedirectFixture(t)
	declined, good := f.saveMandate(s.CustomerID, unchargeableCard), f.saveMandate(s.CustomerID, visa)
	req := app.PayRequest{InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountDue.Minor(), MakeDefault: true}

	req.MethodID = declined
	after, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.Equal(t, billing.Redirect, after.Next.Kind)
	assert.NotEmpty(t, after.Next.Reason)
	assert.Empty(t, f.defaultCardID(caller), "a declined method does not become the default one")

	req.MethodID = good
	after, err = f.PayOpenInvoice.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, after.Status)
	assert.Equal(t, good, f.defaultCardID(caller))
}

func TestSetDefaultCard_PaysAnOverdueInvoiceWithTheMandate(t *testing.T) {
	f, _, caller, s := newRedirectFixture(t)
	first := f.saveMandate(s.CustomerID, visa)
	_, err := f.PayOpenInvoice.Do(t.Context(), caller, app.PayRequest{
		InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountDue.Minor(), MethodID: first,
	})
	require.NoError(t, err)
	f.Advance(s.CurrentPeriodEnd.Sub(f.Clock.Now()) + 2*time.Hour) // no method is the default one

	declined, err := f.SetDefaultCard.Do(t.Context(), caller, f.saveMandate(s.CustomerID, unchargeableCard))
	require.NoError(t, err)
	require.NotNil(t, declined.Payment)
	assert.Equal(t, app.OverdueDeclined, declined.Payment.Status)
	assert.Equal(t, "Your card was declined.", declined.Payment.Message)

	paid, err := f.SetDefaultCard.Do(t.Context(), caller, first)
	require.NoError(t, err)
	require.NotNil(t, paid.Payment)
	assert.Equal(t, app.OverduePaid, paid.Payment.Status)
	assert.Equal(t, billing.Active, f.account(caller).Live().Status)
}
