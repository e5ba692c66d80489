package enginepayment

import (
	"crypto/rand"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

func TestSubscription_ReportsAuthenticationBeforeItsWebhook(t *testing.T) {
	t.Parallel()
	for complete, want := range map[bool]billing.IntentStatus{true: billing.Succeeded, false: billing.RequiresPaymentMethod} {
		e := newEnv(t, newSQLite(t), cards, nil)
		s, err := e.subscribeWithToken(t, e.createCustomer(t).ID, fakegateway.Authenticates, 0)
		require.NoError(t, err)
		require.Equal(t, billing.ConfirmPayment, s.Next.Kind)
		assert.Equal(t, s.Next.Secret, s.LatestInvoice.Payment.ClientSecret)
		_, err = e.fake.Authenticate(s.Next.Secret, complete)
		require.NoError(t, err)
		assert.Equal(t, want, e.readSubscription(t, s.ID).LatestInvoice.Payment.Status)
	}
}

func TestPayInvoice_FailedApprovalOfARenewalAsksForAnotherCardUntilThePlanEnds(t *testing.T) {
	t.Parallel()
	var orders atomic.Int32
	e := newEnv(t, newSQLite(t), cards, countOrders(&orders))
	s, err := e.subscribeWithToken(t, e.createCustomer(t).ID, fakegateway.Authenticates, 0)
	require.NoError(t, err)
	e.authenticate(t, s.Next.Secret, true)
	e.advance(t, 32*day)
	s = e.readSubscription(t, s.ID)
	require.Equal(t, billing.ConfirmPayment, s.Next.Kind)
	s, err = e.PayInvoice(t.Context(), payment.InvoicePayment{
		Key: rand.Text(), InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountRemaining(),
	})
	require.NoError(t, err)
	e.authenticate(t, s.Next.Secret, false)
	ordersBefore := orders.Load()

	for s = e.readSubscription(t, s.ID); s.Status == billing.PastDue; s = e.readSubscription(t, s.ID) {
		assert.Equal(t, billing.NewPaymentMethod, s.Next.Kind)
		assert.NotEmpty(t, s.Next.Reason)
		assert.Zero(t, s.LatestInvoice.NextAttemptAt)
		e.advance(t, day)
	}

	assert.Equal(t, billing.Canceled, s.Status)
	assert.Equal(t, ordersBefore, orders.Load(), "the card is not charged without the customer")
}

func TestSubscription_RenewalAsksForAnotherCardIfTheGatewayLacksAuthentication(t *testing.T) {
	t.Parallel()
	config := cards
	config.Missing = map[gateway.Capability]string{gateway.Authentication: "cards are authenticated before they are entered"}
	e := newEnv(t, newSQLite(t), config, nil)
	s, err := e.subscribeWithToken(t, e.createCustomer(t).ID, fakegateway.Authenticates, 0)
	require.NoError(t, err)
	require.Equal(t, billing.Active, s.Status)

	e.advance(t, 32*day)

	s = e.readSubscription(t, s.ID)
	assert.Equal(t, billing.NewPaymentMethod, s.Next.Kind)
	assert.NotEmpty(t, s.Next.Reason)
	assert.Equal(t, billing.RequiresPaymentMethod, s.LatestInvoice.Payment.Status)
	assert.Zero(t, s.LatestInvoice.NextAttemptAt)
	s, err = e.PayInvoice(t.Context(), payment.InvoicePayment{
		Key: rand.Text(), InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountRemaining(),
		MethodID: e.fake.CreateToken(fakegateway.Authenticates),
	})
	require.NoError(t, err)
	assert.Equal(t, billing.Active, s.Status)
}

func TestSubscribe_RedirectsToAuthenticationOnPage(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), cardsWithPage, nil)
	customer := e.createCustomer(t)
	for _, trialDays := range []int{7, 0} {
		s, err := e.Subscribe(t.Context(), payment.NewSubscription{
			Key: rand.Text(), CustomerID: customer.ID, MethodID: e.fake.CreateToken(fakegateway.AuthenticatesOnce), Price: standard,
			TrialDays: trialDays, ReturnTo: payScreen,
		})
		require.NoError(t, err)
		require.Equal(t, billing.Redirect, s.Next.Kind)
		assert.Equal(t, billing.OutcomeRedirect, billing.DecideOutcome(s, false))
		assert.Equal(t, s.Next, e.readSubscription(t, s.ID).Next)
		subs, err := e.ListSubscriptions(t.Context(), customer.ID)
		require.NoError(t, err)
		assert.Equal(t, s.WithoutSecrets(), subs[0].WithoutSecrets())

		returnTo, err := e.fake.CompletePage(s.Next.URL, fakegateway.Pays)

		require.NoError(t, err)
		assert.Equal(t, payScreen, returnTo)
		s = e.readSubscription(t, s.ID)
		assert.Equal(t, billing.OutcomeSucceeded, billing.DecideOutcome(s, false))
		assert.Nil(t, s.PendingSetup)
	}
	e.assertDebits(t, customer.ID, 1)
}

func TestPayments_ReturnFromTheAuthenticationOnAPageToTheScreenOfTheRequest(t *testing.T) {
	t.Parallel()
	for name, pay := range map[string]func(*env, billing.Subscription) (billing.Subscription, error){
		"PayInvoice with a new card": func(e *env, s billing.Subscription) (billing.Subscription, error) {
			return e.PayInvoice(t.Context(), payment.InvoicePayment{
				Key: rand.Text(), InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountRemaining(), ReturnTo: payScreen,
				MethodID: e.fake.CreateToken(fakegateway.Authenticates),
			})
		},
		"ChangePlan with the default card": func(e *env, s billing.Subscription) (billing.Subscription, error) {
			e.completePageAndRunWorker(t, s.Next.URL, fakegateway.Pays)
			return e.ChangePlan(t.Context(), payment.PriceChange{
				Key: rand.Text(), SubscriptionID: s.ID, From: standard, To: professional, When: billing.ChangeNow, ReturnTo: payScreen,
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, newSQLite(t), cardsWithPage, nil)
			s, err := e.subscribeWithToken(t, e.createCustomer(t).ID, fakegateway.Authenticates, 0)
			require.NoError(t, err)
			s, err = pay(e, s)
			require.NoError(t, err)
			require.Equal(t, billing.Redirect, s.Next.Kind)
			returnTo, err := e.fake.CompletePage(s.Next.URL, fakegateway.Pays)
			require.NoError(t, err)
			assert.Equal(t, payScreen, returnTo)
		})
	}
}

func TestSetDefaultCard_AuthenticationOfATrialReturnsToItsScreen(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), cardsWithPage, nil)
	s, err := e.Subscribe(t.Context(), payment.NewSubscription{
		Key: rand.Text(), CustomerID: e.createCustomer(t).ID, MethodID: e.fake.CreateToken(fakegateway.AuthenticatesOnce),
		Price: standard, TrialDays: 7, ReturnTo: payScreen,
	})
	require.NoError(t, err)
	e.completePageAndRunWorker(t, s.Next.URL, fakegateway.DeclinesSaving)
	card, err := e.AddCard(t.Context(), payment.NewCard{
		Key: rand.Text(), CustomerID: s.CustomerID, MethodID: e.fake.CreateToken(fakegateway.AuthenticatesOnce),
	})
	require.NoError(t, err)
	require.NotEmpty(t, card.ID)

	returnTo, err := e.fake.CompletePage(e.readSubscription(t, s.ID).Next.URL, fakegateway.Pays)

	require.NoError(t, err)
	assert.Equal(t, payScreen, returnTo)
	assert.Nil(t, e.readSubscription(t, s.ID).PendingSetup)
}

func TestAddCard_CardIsAuthenticatedOnAPage(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), cardsWithPage, nil)
	req := payment.NewCard{
		Key: rand.Text(), CustomerID: e.createCustomer(t).ID, MethodID: e.fake.CreateToken(fakegateway.Authenticates),
		ReturnTo: "https://diy.test/vc-admin/diy/cards?returned=1",
	}
	_, err := e.AddCard(t.Context(), req)
	authentication, isNeeded := errors.AsType[*payment.AuthenticationError](err)
	require.True(t, isNeeded, "%v", err)
	require.Equal(t, billing.Redirect, authentication.Next.Kind)

	returnTo, err := e.fake.CompletePage(authentication.Next.URL, fakegateway.Pays)

	require.NoError(t, err)
	assert.Equal(t, req.ReturnTo, returnTo)
	card, err := e.AddCard(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, &card, e.readCustomer(t, req.CustomerID).Default)
}

// The bank of the new card wants each payment authenticated. The customer is asked once.
func TestAddCard_AuthenticatedCardReplacesTheUnauthenticatedCardOfATrial(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), cards, nil)
	c := e.createCustomer(t)
	s, err := e.subscribeWithToken(t, c.ID, fakegateway.AuthenticatesOnce, 7)
	require.NoError(t, err)
	require.NotNil(t, s.PendingSetup)
	req := payment.NewCard{Key: rand.Text(), CustomerID: c.ID, MethodID: e.fake.CreateToken(fakegateway.Authenticates)}
	_, err = e.AddCard(t.Context(), req)
	authentication, isNeeded := errors.AsType[*payment.AuthenticationError](err)
	require.True(t, isNeeded, "%v", err)
	_, err = e.fake.Authenticate(authentication.Next.Secret, true)
	require.NoError(t, err)
	req.Key = rand.Text()

	card, err := e.AddCard(t.Context(), req)

	require.NoError(t, err)
	assert.Equal(t, &card, e.readCustomer(t, c.ID).Default)
	assert.Nil(t, e.readSubscription(t, s.ID).PendingSetup)
}

func TestSetDefaultCard_AuthenticatesNewCardOfTrial(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), cards, nil)
	c := e.createCustomer(t)
	s, err := e.subscribeWithToken(t, c.ID, fakegateway.Authenticates, 7)
	require.NoError(t, err)
	require.Equal(t, billing.RequiresAction, s.PendingSetup.Status)

	_, err = e.AddCard(t.Context(), payment.NewCard{
		Key: rand.Text(), CustomerID: c.ID, MethodID: e.fake.CreateToken(fakegateway.AuthenticatesOnce),
	})

	require.NoError(t, err)
	updatedSub := e.readSubscription(t, s.ID)
	require.NotNil(t, updatedSub.PendingSetup)
	assert.NotEqual(t, s.PendingSetup.ClientSecret, updatedSub.PendingSetup.ClientSecret)
	e.authenticate(t, updatedSub.PendingSetup.ClientSecret, true)
	assert.Nil(t, e.readSubscription(t, s.ID).PendingSetup)
}
