package enginepayment

import (
	"context"
	"crypto/rand"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

// subscribeWithToken subscribes a customer with a new card that has the behaviour.
func (e *env) subscribeWithToken(t *testing.T, customerID string, b fakegateway.Behaviour, trialDays int) (billing.Subscription, error) {
	t.Helper()
	return e.Subscribe(t.Context(), payment.NewSubscription{
		Key: rand.Text(), CustomerID: customerID, MethodID: e.fake.CreateToken(b), Price: standard, TrialDays: trialDays,
	})
}

func (e *env) readCustomer(t *testing.T, id string) billing.Customer {
	t.Helper()
	c, err := e.Customer(t.Context(), id)
	require.NoError(t, err)
	return c
}

func TestSubscribe_ChargesAndSavesTokenInOneOrder(t *testing.T) {
	t.Parallel()
	var orders atomic.Int32
	e := newEnv(t, newSQLite(t), cards, func(c fakegateway.Call) error {
		if c.Method == "Start" && !c.HasActed {
			orders.Add(1)
		}
		return nil
	})
	c := e.createCustomer(t)

	s, err := e.subscribeWithToken(t, c.ID, fakegateway.Pays, 0)

	require.NoError(t, err)
	assert.Equal(t, []any{billing.Active, billing.Succeeded}, []any{s.Status, s.LatestInvoice.Payment.Status})
	assert.Equal(t, int32(1), orders.Load())
	require.NotNil(t, e.readCustomer(t, c.ID).Default)
	e.assertDebits(t, c.ID, 1)
}

func TestSubscribe_DeclinedTokenSavesNoCardAndAnotherCardPays(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), cards, nil)
	c := e.createCustomer(t)

	s, err := e.subscribeWithToken(t, c.ID, fakegateway.Declines, 0)

	require.NoError(t, err)
	assert.Equal(t, billing.RequiresPaymentMethod, s.LatestInvoice.Payment.Status)
	assert.Equal(t, billing.NewPaymentMethod, s.Next.Kind)
	assert.Equal(t, "Your card was declined.", s.Next.Reason)
	assert.Nil(t, e.readCustomer(t, c.ID).Default)
	card, err := e.AddCard(t.Context(), payment.NewCard{
		Key: rand.Text(), CustomerID: c.ID, MethodID: e.fake.CreateToken(fakegateway.Pays),
	})
	require.NoError(t, err)
	s, err = e.PayInvoice(t.Context(), payment.InvoicePayment{
		Key: rand.Text(), InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountDue, MethodID: card.ID,
	})
	require.NoError(t, err)
	assert.Equal(t, billing.Active, s.Status)
	e.assertDebits(t, c.ID, 1)
}

func TestRetire_BeforeSubscribeOfTrialSavesNoCard(t *testing.T) {
	t.Parallel()
	var orders atomic.Int32
	e := newEnv(t, newSQLite(t), cards, func(c fakegateway.Call) error {
		if c.Method == "Start" {
			orders.Add(1)
		}
		return nil
	})
	c := e.createCustomer(t)
	req := payment.NewSubscription{
		Key: rand.Text(), CustomerID: c.ID, MethodID: e.fake.CreateToken(fakegateway.Pays), Price: standard, TrialDays: 7,
	}
	require.NoError(t, e.Retire(t.Context(), payment.Retirement{Key: req.Key, CustomerID: c.ID}))

	_, err := e.Subscribe(t.Context(), req)

	require.ErrorIs(t, err, payment.ErrKeyRetired)
	e.runWorker(t)
	assert.Zero(t, orders.Load())
	savedCards, err := e.Cards(t.Context(), c.ID)
	require.NoError(t, err)
	assert.Empty(t, savedCards)
}

// The gateway is down while the customer subscribes, and recovers after the operation was retired.
func TestRetire_StopsSavingTheCardOfATrial(t *testing.T) {
	t.Parallel()
	var orders atomic.Int32
	e := newEnv(t, newSQLite(t), cards, func(c fakegateway.Call) error {
		if c.Method == "Start" {
			orders.Add(1)
		}
		return nil
	})
	c := e.createCustomer(t)
	req := payment.NewSubscription{
		Key: rand.Text(), CustomerID: c.ID, MethodID: e.fake.CreateToken(fakegateway.Pays), Price: standard, TrialDays: 7,
	}
	healthyGateway := e.Gateway
	e.Gateway = &failingGateway{Gateway: e.Gateway, saveCustomerErr: fault.New(fault.Unavailable, "The gateway is down.")}
	_, err := e.Subscribe(t.Context(), req)
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	e.Gateway = healthyGateway

	require.NoError(t, e.Retire(t.Context(), payment.Retirement{Key: req.Key, CustomerID: c.ID}))

	e.advance(t, day)
	assert.Zero(t, orders.Load())
	savedCards, err := e.Cards(t.Context(), c.ID)
	require.NoError(t, err)
	assert.Empty(t, savedCards)
	_, err = e.Subscribe(t.Context(), req)
	require.ErrorIs(t, err, payment.ErrKeyRetired)
}

func TestRetire_AfterSubscribeOfTrialIsConflict(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), cards, nil)
	c := e.createCustomer(t)
	req := payment.NewSubscription{
		Key: rand.Text(), CustomerID: c.ID, MethodID: e.fake.CreateToken(fakegateway.Pays), Price: standard, TrialDays: 7,
	}
	s, err := e.Subscribe(t.Context(), req)
	require.NoError(t, err)

	err = e.Retire(t.Context(), payment.Retirement{Key: req.Key, CustomerID: c.ID})

	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	repeatedSub, err := e.Subscribe(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, s, repeatedSub)
}

func TestSubscribe_RepeatedRequestWithUnknownTokenIsNotFound(t *testing.T) {
	t.Parallel()
	for _, trialDays := range []int{0, 7} {
		e := newEnv(t, newSQLite(t), cards, nil)
		c := e.createCustomer(t)
		req := payment.NewSubscription{
			Key: rand.Text(), CustomerID: c.ID, MethodID: "token_unknown", Price: standard, TrialDays: trialDays,
		}
		for range 2 {
			_, err := e.Subscribe(t.Context(), req)
			assert.Equal(t, fault.NotFound, fault.CodeOf(err), "trial of %d days", trialDays)
		}
	}
}

func TestSubscribe_LostResponseChargesTokenOnce(t *testing.T) {
	t.Parallel()
	var isLost atomic.Bool
	e := newEnv(t, newSQLite(t), cards, func(c fakegateway.Call) error {
		if c.Method == "Start" && c.HasActed && isLost.CompareAndSwap(false, true) {
			return fault.New(fault.Unavailable, "The response was lost.")
		}
		return nil
	})
	c := e.createCustomer(t)

	s, err := e.subscribeWithToken(t, c.ID, fakegateway.Pays, 0)

	require.NoError(t, err)
	assert.Equal(t, billing.Processing, s.LatestInvoice.Payment.Status)
	e.runWorker(t)
	assert.Equal(t, billing.Active, e.readSubscription(t, s.ID).Status)
	e.assertDebits(t, c.ID, 1)
}

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

func TestSubscribe_RedirectsToAuthenticationOnPage(t *testing.T) {
	t.Parallel()
	const payScreen = "https://app.example/pay"
	c := cards
	c.AuthenticatesOnPage = true
	e := newEnv(t, newSQLite(t), c, nil)
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
	const payScreen = "https://app.example/pay"
	c := cards
	c.AuthenticatesOnPage = true
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
			e := newEnv(t, newSQLite(t), c, nil)
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
	const payScreen = "https://app.example/pay"
	c := cards
	c.AuthenticatesOnPage = true
	e := newEnv(t, newSQLite(t), c, nil)
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
	config := cards
	config.AuthenticatesOnPage = true
	e := newEnv(t, newSQLite(t), config, nil)
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

// cancelingGateway reports each new payment as canceled.
type cancelingGateway struct{ gateway.Gateway }

func (g cancelingGateway) Start(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
	p, err := g.Gateway.Start(ctx, o)
	p.State, p.Method = gateway.Canceled, nil
	return p, err
}

func TestAddCard_CanceledAttemptIsConflict(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), cards, nil)
	config := e.Config
	config.Gateway = cancelingGateway{config.Gateway}
	var err error
	e.Provider, err = New(config)
	require.NoError(t, err)
	req := payment.NewCard{
		Key: rand.Text(), CustomerID: e.createCustomer(t).ID, MethodID: e.fake.CreateToken(fakegateway.Pays),
	}
	for range 2 {
		_, err := e.AddCard(t.Context(), req)
		assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		assert.Equal(t, "The card was not saved, because another card was chosen.", fault.MessageOf(err))
	}
}

// A gateway with a card field has no page where the customer could pay the change.
func TestChangePlan_NeedsADefaultCardOnlyForAPayment(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), cards, nil)
	c := e.createCustomer(t)
	s, err := e.subscribeWithToken(t, c.ID, fakegateway.Pays, 0)
	require.NoError(t, err)
	require.NoError(t, e.DeleteCard(t.Context(), payment.SavedCardRequest{
		Key: rand.Text(), CustomerID: c.ID, MethodID: e.readCustomer(t, c.ID).Default.ID,
	}))
	e.runWorker(t)
	require.Nil(t, e.readCustomer(t, c.ID).Default, "the worker reads the payment and does not save its card again")
	req := payment.PriceChange{Key: rand.Text(), SubscriptionID: s.ID, From: standard, To: professional}

	_, err = e.ChangePlan(t.Context(), req)

	assert.Equal(t, fault.Invalid, fault.CodeOf(err))
	assert.Nil(t, e.readSubscription(t, s.ID).Pending)
	req.Key, req.When = rand.Text(), billing.ChangeAtRenewal
	_, err = e.ChangePlan(t.Context(), req)
	assert.NoError(t, err)
}

// The application knows a new card by its token until it reads the saved cards.
func TestCards_TokenNamesTheSavedCard(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), cards, nil)
	c, token := e.createCustomer(t), e.fake.CreateToken(fakegateway.Pays)
	card, err := e.AddCard(t.Context(), payment.NewCard{Key: rand.Text(), CustomerID: c.ID, MethodID: token, KeepDefault: true})
	require.NoError(t, err)
	assert.Nil(t, e.readCustomer(t, c.ID).Default)

	sameCard, err := e.AddCard(t.Context(), payment.NewCard{Key: rand.Text(), CustomerID: c.ID, MethodID: token})

	require.NoError(t, err)
	assert.Equal(t, card, sameCard)
	assert.Equal(t, &card, e.readCustomer(t, c.ID).Default)
	require.NoError(t, e.DeleteCard(t.Context(), payment.SavedCardRequest{Key: rand.Text(), CustomerID: c.ID, MethodID: token}))
	methods, err := e.Cards(t.Context(), c.ID)
	require.NoError(t, err)
	assert.Empty(t, methods)
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
