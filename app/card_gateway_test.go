package app_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// newCardGatewayFixture returns a fixture with a gateway that charges cards, which the customer enters in a field.
func newCardGatewayFixture(t *testing.T) *gatewayFixture {
	t.Helper()
	return newFixtureWithGateway(t, fakegateway.Config{Entry: payment.EntryCardField, KeyRetention: 30 * day})
}

// subscribeWithCard subscribes without a trial and pays with a new card.
func (f *gatewayFixture) subscribeWithCard(user *apptest.User, token string) billing.Subscription {
	f.t.Helper()
	sub, err := f.Subscribe.Do(f.t.Context(), user.Identity, app.SubscribeRequest{
		Price: standardMonthly, NoTrial: true, MethodID: token,
	})
	require.NoError(f.t, err)
	return sub
}

// listCards returns the saved cards, newest first.
func (f *gatewayFixture) listCards(user *apptest.User) []billing.PaymentMethod {
	f.t.Helper()
	cards, err := f.ListCards.Do(f.t.Context(), user.Identity)
	require.NoError(f.t, err)
	return cards
}

// payOverdueInvoice pays the open invoice with a new card that becomes the default one unless it is declined.
func (f *gatewayFixture) payOverdueInvoice(user *apptest.User, behaviour fakegateway.Behaviour) billing.Subscription {
	f.t.Helper()
	open := f.account(user.Identity).OpenPayment()
	require.NotNil(f.t, open)
	sub, err := f.PayOpenInvoice.Do(f.t.Context(), user.Identity, app.PayRequest{
		InvoiceID: open.InvoiceID, Amount: open.Amount.Minor(), MethodID: f.gateway.CreateToken(behaviour), MakeDefault: true,
	})
	require.NoError(f.t, err)
	return sub
}

func TestSubscribe_AnotherCardOfGatewayPaysAfterDecline(t *testing.T) {
	f := newCardGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	for _, behaviour := range []fakegateway.Behaviour{fakegateway.Declines, fakegateway.LacksFunds} {
		sub := f.subscribeWithCard(user, f.gateway.CreateToken(behaviour))
		assert.Equal(t, billing.OutcomeCardDeclined, billing.DecideOutcome(sub, false))
		assert.Empty(t, sub.Next.Secret, "the browser can't confirm the payment with another card")
		assert.False(t, f.hasLicense(user))
	}
	token := f.gateway.CreateToken(fakegateway.Pays)

	sub := f.subscribeWithCard(user, token)

	assert.Equal(t, billing.Active, sub.Status)
	assert.True(t, f.hasLicense(user))
	assert.Equal(t, sub.ID, f.subscribeWithCard(user, token).ID, "a repeat of the request")
	invoices, err := f.engine.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: sub.CustomerID, Limit: 10})
	require.NoError(t, err)
	assert.Len(t, invoices.Invoices, 1)
}

// Each entry of a card creates another token, so the server can't know that it is the same card.
func TestSubscribe_LimitsNewCardsOfGatewayTogether(t *testing.T) {
	f := newCardGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	behaviours := []fakegateway.Behaviour{fakegateway.DeclinesHard, fakegateway.Declines, fakegateway.LacksFunds}
	for i := range billing.MaxNewCardAttempts {
		f.subscribeWithCard(user, f.gateway.CreateToken(behaviours[i%len(behaviours)])) // the charge that creates the invoice counts
	}
	req := app.SubscribeRequest{Price: standardMonthly, NoTrial: true, MethodID: f.gateway.CreateToken(fakegateway.Pays)}
	f.calls = nil

	_, err := f.Subscribe.Do(t.Context(), user.Identity, req)

	assertCode(t, fault.RateLimited, err)
	assert.Equal(t, time.Hour, fault.RetryAfterOf(err))
	assert.Zero(t, countStarts(f.calls))
	f.advanceAndRunWorker(time.Hour)
	sub, err := f.Subscribe.Do(t.Context(), user.Identity, req)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, sub.Status)
}

func TestPayOpenInvoice_LimitsNewCardsOfGatewayButNotTheSavedCard(t *testing.T) {
	f := newCardGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	f.subscribeWithCard(user, f.gateway.CreateToken(fakegateway.PaysOnce))
	f.advanceAndRunWorker(31 * day)
	for range billing.MaxNewCardAttempts {
		f.payOverdueInvoice(user, fakegateway.Declines)
	}
	open := f.account(user.Identity).OpenPayment()
	req := app.PayRequest{InvoiceID: open.InvoiceID, Amount: open.Amount.Minor()}
	withNewCard := req
	withNewCard.MethodID = f.gateway.CreateToken(fakegateway.Declines)

	_, err := f.PayOpenInvoice.Do(t.Context(), user.Identity, withNewCard)

	assertCode(t, fault.RateLimited, err)
	_, err = f.PayOpenInvoice.Do(t.Context(), user.Identity, req)
	require.NoError(t, err, "the default card has attempts of its own")
}

func TestSubscribe_CardOfGatewayIsAuthenticatedInTheBrowser(t *testing.T) {
	f := newCardGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	sub := f.subscribeWithCard(user, f.gateway.CreateToken(fakegateway.Authenticates))
	assert.Equal(t, billing.OutcomeConfirmPayment, billing.DecideOutcome(sub, false))
	assert.Equal(t, sub.Next.Secret, sub.LatestInvoice.Payment.ClientSecret)
	_, err := f.gateway.Authenticate(sub.Next.Secret, true)
	require.NoError(t, err)
	f.advanceAndRunWorker(time.Minute)
	assert.True(t, f.hasLicense(user))
}

// The customer has yet to authenticate the card of the trial. Its secret is not stored, but read at the gateway.
func TestResumeSubscription_UnchangedTrialReturnsTheSecretOfItsCard(t *testing.T) {
	f := newCardGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	req := app.SubscribeRequest{Price: standardMonthly, MethodID: f.gateway.CreateToken(fakegateway.Authenticates)}
	trial, err := f.Subscribe.Do(t.Context(), user.Identity, req)
	require.NoError(t, err)
	require.NotEmpty(t, trial.PendingSetup.ClientSecret)

	sub, err := f.ResumeSubscription.Do(t.Context(), user.Identity)

	require.NoError(t, err)
	assert.Equal(t, trial.ID, sub.ID)
	assert.Equal(t, trial.PendingSetup, sub.PendingSetup)
}

// The card pays the first period and lacks funds at the renewal.
func TestPayOpenInvoice_NewCardOfGatewayPaysOverdueInvoice(t *testing.T) {
	f := newCardGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	f.subscribeWithCard(user, f.gateway.CreateToken(fakegateway.PaysOnce))
	f.advanceAndRunWorker(31 * day)
	require.Equal(t, billing.PastDue, f.account(user.Identity).LiveSubscription().Status)
	firstCards := f.listCards(user)

	f.calls = nil

	declinedSub := f.payOverdueInvoice(user, fakegateway.Declines)

	assert.Equal(t, 1, countStarts(f.calls), "one order charges and saves the card")
	assert.Equal(t, billing.OutcomeCardDeclined, billing.DecideOutcome(declinedSub, false))
	assert.Equal(t, firstCards, f.listCards(user), "the declined card is not kept")
	paidSub := f.payOverdueInvoice(user, fakegateway.Pays)
	assert.Equal(t, billing.Active, paidSub.Status)
	cards := f.listCards(user)
	require.Len(t, cards, 2)
	customer, err := f.engine.Customer(t.Context(), paidSub.CustomerID)
	require.NoError(t, err)
	assert.Equal(t, cards[0].ID, customer.DefaultID())
}

func TestPayOpenInvoice_KeepsNewCardThatIsAuthenticatedOnAPage(t *testing.T) {
	f := newFixtureWithGateway(t, fakegateway.Config{
		Entry: payment.EntryCardField, KeyRetention: 30 * day, AuthenticatesOnPage: true,
	})
	user := f.SignUpOnServer(f.UseCases, "ann")
	f.subscribeWithCard(user, f.gateway.CreateToken(fakegateway.PaysOnce))
	f.advanceAndRunWorker(31 * day)

	sub := f.payOverdueInvoice(user, fakegateway.Authenticates)

	require.Equal(t, billing.OutcomeRedirect, billing.DecideOutcome(sub, false))
	assert.Len(t, f.listCards(user), 1, "the card is saved with the payment")
	assert.True(t, f.account(user.Identity).OpenPayment().NeedsApproval)
	returnTo, err := f.gateway.CompletePage(sub.Next.URL, fakegateway.Pays)
	require.NoError(t, err)
	assert.Contains(t, returnTo, "/vc-admin/diy/pay")
	f.advanceAndRunWorker(time.Minute)
	assert.Equal(t, billing.Active, f.account(user.Identity).LiveSubscription().Status)
	assert.Len(t, f.listCards(user), 2)
}

func TestPayOpenInvoice_NewCardOfGatewayPaysWithoutBecomingTheDefault(t *testing.T) {
	f := newCardGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	f.subscribeWithCard(user, f.gateway.CreateToken(fakegateway.PaysOnce))
	f.advanceAndRunWorker(31 * day)
	firstCards := f.listCards(user)
	open := f.account(user.Identity).OpenPayment()
	req := app.PayRequest{InvoiceID: open.InvoiceID, Amount: open.Amount.Minor(), MethodID: f.gateway.CreateToken(fakegateway.Pays)}

	sub, err := f.PayOpenInvoice.Do(t.Context(), user.Identity, req)

	require.NoError(t, err)
	assert.Equal(t, billing.Active, sub.Status)
	customer, err := f.engine.Customer(t.Context(), sub.CustomerID)
	require.NoError(t, err)
	assert.Equal(t, firstCards[0].ID, customer.DefaultID())
	assert.Len(t, f.listCards(user), 2)
}

// A bank that wants each payment authenticated would refuse to save the card without the customer.
func TestSubscribe_CardThatIsAlwaysAuthenticatedPaysAfterADecline(t *testing.T) {
	f := newCardGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	f.subscribeWithCard(user, f.gateway.CreateToken(fakegateway.Declines))
	f.calls = nil

	sub := f.subscribeWithCard(user, f.gateway.CreateToken(fakegateway.Authenticates))

	assert.Equal(t, billing.OutcomeConfirmPayment, billing.DecideOutcome(sub, true))
	assert.Equal(t, 1, countStarts(f.calls))
	_, err := f.gateway.Authenticate(sub.Next.Secret, true)
	require.NoError(t, err)
	f.advanceAndRunWorker(time.Minute)
	assert.True(t, f.hasLicense(user))
	assert.Len(t, f.listCards(user), 1)
}

// countStarts returns the number of orders among the calls.
func countStarts(calls []string) (n int) {
	for _, call := range calls {
		if call == "Start" {
			n++
		}
	}
	return n
}

// authenticateCard completes the authentication that err requires.
func (f *gatewayFixture) authenticateCard(err error) {
	f.t.Helper()
	authentication, isNeeded := errors.AsType[*payment.AuthenticationError](err)
	require.True(f.t, isNeeded, "%v", err)
	_, err = f.gateway.Authenticate(authentication.Next.Secret, true)
	require.NoError(f.t, err)
}

func TestAddCard_CardOfGatewayIsAuthenticatedBeforeItPaysTheOverdueInvoice(t *testing.T) {
	f := newCardGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	f.subscribeWithCard(user, f.gateway.CreateToken(fakegateway.PaysOnce))
	f.advanceAndRunWorker(31 * day)
	token := f.gateway.CreateToken(fakegateway.Authenticates)
	_, err := f.AddCard.Do(t.Context(), user.Identity, token)
	assert.Len(t, f.listCards(user), 1)
	f.authenticateCard(err)

	result, err := f.AddCard.Do(t.Context(), user.Identity, token)

	require.NoError(t, err)
	require.Len(t, f.listCards(user), 2)
	assert.Equal(t, f.listCards(user)[0].ID, result.ID)
	require.NotNil(t, result.Payment)
	assert.Equal(t, app.OverdueRequiresAction, result.Payment.Status, "this bank wants each payment authenticated")
	_, err = f.gateway.Authenticate(result.Payment.Intent.ClientSecret, true)
	require.NoError(t, err)
	f.advanceAndRunWorker(time.Minute)
	assert.Equal(t, billing.Active, f.account(user.Identity).LiveSubscription().Status)
}

func TestPayOpenInvoice_AnotherCardOfATrialIsAuthenticatedOnce(t *testing.T) {
	f := newCardGatewayFixture(t)
	user := f.SignUpOnServer(f.UseCases, "ann")
	trial, err := f.Subscribe.Do(t.Context(), user.Identity, app.SubscribeRequest{
		Price: standardMonthly, MethodID: f.gateway.CreateToken(fakegateway.AuthenticatesOnce),
	})
	require.NoError(t, err)
	_, err = f.gateway.Authenticate(trial.PendingSetup.ClientSecret, false)
	require.NoError(t, err)
	f.advanceAndRunWorker(time.Minute)
	token := f.gateway.CreateToken(fakegateway.Authenticates)

	_, err = f.PayOpenInvoice.Do(t.Context(), user.Identity, app.PayRequest{Setup: true, MethodID: token})

	f.authenticateCard(err)
	card, err := f.AddCard.Do(t.Context(), user.Identity, token)
	require.NoError(t, err)
	f.advanceAndRunWorker(time.Minute)
	assert.Nil(t, f.account(user.Identity).OpenPayment())
	customer, err := f.engine.Customer(t.Context(), trial.CustomerID)
	require.NoError(t, err)
	assert.Equal(t, card.ID, customer.DefaultID())
}

// Bank debits of the gateway take three days, and cards pay immediately.
func TestChangePlan_CardOfGatewayPaysAChangeOnTheLastDayOfThePeriod(t *testing.T) {
	for method, want := range map[string]fault.Code{visa: "", settlingAccount: fault.Conflict} {
		f := newFixtureWithGateway(t, fakegateway.CardsAndDebits())
		user := f.SignUpOnServer(f.UseCases, "ann")
		f.subscribe(user.Identity, method, standardMonthly, true)
		f.Advance(4 * day)
		f.DeliverEvents()
		f.Advance(f.account(user.Identity).LiveSubscription().CurrentPeriodEnd.Sub(f.Clock.Now()) - day)

		_, err := f.ChangePlan.Do(t.Context(), user.Identity, app.ChangeRequest{PriceChoice: professionalMonthly})

		assertCode(t, want, err)
	}
}
