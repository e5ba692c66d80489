package enginepayment

import (
	"context"
	"crypto/rand"
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

// countOrders counts the orders that the gateway receives.
func countOrders(count *atomic.Int32) func(fakegateway.Call) error {
	return func(c fakegateway.Call) error {
		if c.Method == "Start" && !c.HasActed {
			count.Add(1)
		}
		return nil
	}
}

func TestSubscribe_ChargesAndSavesTokenInOneOrder(t *testing.T) {
	t.Parallel()
	var orders atomic.Int32
	e := newEnv(t, newSQLite(t), cards, countOrders(&orders))
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
	e := newEnv(t, newSQLite(t), cards, countOrders(&orders))
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
	e := newEnv(t, newSQLite(t), cards, countOrders(&orders))
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

// loseResponse returns an interceptor that loses the next response to an order while isLost is true.
func loseResponse(isLost *atomic.Bool) func(fakegateway.Call) error {
	return func(call fakegateway.Call) error {
		if call.Method == "Start" && call.HasActed && isLost.CompareAndSwap(true, false) {
			return fault.New(fault.Unavailable, "The response was lost.")
		}
		return nil
	}
}

// The response of the gateway is lost, and the operation is retired. The customer requests the trial again with the same card.
func TestSubscribe_UsesCardOfRetiredTrial(t *testing.T) {
	t.Parallel()
	var isLost atomic.Bool
	e := newEnv(t, newSQLite(t), cards, loseResponse(&isLost))
	c := e.createCustomer(t)
	req := payment.NewSubscription{
		Key: rand.Text(), CustomerID: c.ID, MethodID: e.fake.CreateToken(fakegateway.Pays), Price: standard, TrialDays: 7,
	}
	isLost.Store(true)
	_, err := e.Subscribe(t.Context(), req)
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.NoError(t, e.Retire(t.Context(), payment.Retirement{Key: req.Key, CustomerID: c.ID}))
	req.Key = rand.Text()

	s, err := e.Subscribe(t.Context(), req)

	require.NoError(t, err)
	assert.Equal(t, billing.Trialing, s.Status)
	assert.Nil(t, s.PendingSetup)
	savedCards, err := e.Cards(t.Context(), c.ID)
	require.NoError(t, err)
	require.Len(t, savedCards, 1)
	assert.Equal(t, &savedCards[0], e.readCustomer(t, c.ID).Default)
}

// The response of the gateway is lost, and another request adds the same card.
func TestAddCard_UsesCardOfAnotherRequestWithoutResponse(t *testing.T) {
	t.Parallel()
	var isLost atomic.Bool
	e := newEnv(t, newSQLite(t), cards, loseResponse(&isLost))
	c := e.createCustomer(t)
	req := payment.NewCard{Key: rand.Text(), CustomerID: c.ID, MethodID: e.fake.CreateToken(fakegateway.Pays)}
	isLost.Store(true)
	_, err := e.AddCard(t.Context(), req)
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	req.Key = rand.Text()

	card, err := e.AddCard(t.Context(), req)

	require.NoError(t, err)
	savedCards, err := e.Cards(t.Context(), c.ID)
	require.NoError(t, err)
	assert.Equal(t, []billing.PaymentMethod{card}, savedCards)
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
