package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestReceiveEvent_RefreshesTheCopyOnceForEachEvent(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	sub := f.subscribe(caller, visa, standardMonthly, true)
	f.DeliverPayloads(f.UseCases, f.TakeEvents()...)
	require.NoError(t, f.provider.CancelKeepingInvoice(t.Context(), sub.ID))
	payloads := f.TakeEvents()
	f.injectFaults(failAlways("ListSubscriptions"))
	var refusedPayloads [][]byte
	for _, payload := range payloads {
		if err := f.ReceiveEvent.Do(t.Context(), f.NewDelivery(payload)); err != nil {
			assertCode(t, fault.Unavailable, err)
			refusedPayloads = append(refusedPayloads, payload)
		}
	}
	require.NotEmpty(t, refusedPayloads)
	flakyProvider := f.injectFaults(flakypayment.NoFaults)
	for range 2 {
		f.DeliverPayloads(f.UseCases, payloads...)
	}
	assert.Equal(t, billing.Canceled, f.account(caller).Subscriptions[0].Status)
	assert.Equal(t, len(refusedPayloads), countCalls(flakyProvider.Calls(), "ListSubscriptions"))
}

func TestReceiveEvent_RefusesAForgedSignature(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	for _, payload := range f.TakeEvents() {
		assertCode(t, fault.Forbidden, f.ReceiveEvent.Do(t.Context(), fakepayment.NewDelivery(payload, "forged")))
	}
}

func TestReceiveEvent_LateDeletionEventKeepsTheNewCustomer(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, false)
	require.NoError(t, f.provider.DeleteCustomer(t.Context(), f.account(caller).CustomerID))
	customer, err := f.CreateCustomer.Do(t.Context(), caller)
	require.NoError(t, err)
	f.DeliverPayloads(f.UseCases, f.TakeEvents()...)
	assert.Equal(t, customer.ID, f.account(caller).CustomerID)
	_, err = f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: standardMonthly})
	require.NoError(t, err)
	assert.Equal(t, billing.Active, f.account(caller).LiveSubscription().Status, "the trial stays used")
}

// eventProvider is a provider that returns the events for every delivery.
type eventProvider struct {
	payment.Provider
	events []payment.Event
}

func (p eventProvider) ParseEvents(context.Context, payment.Delivery) ([]payment.Event, error) {
	return p.events, nil
}

func TestReceiveEvent_AcceptsEventsWithoutAnEffect(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	originalAccount := f.account(caller)
	for name, tt := range map[string]struct {
		provider payment.Provider
		event    payment.Event
	}{
		"another type": {f.provider, payment.Event{ID: "evt_1", Kind: payment.OtherEvent, CustomerID: originalAccount.CustomerID}},
		"no customer":  {f.provider, payment.Event{ID: "evt_2", Kind: payment.SubscriptionChanged}},
		"customer unknown to us": {
			f.provider, payment.Event{ID: "evt_3", Kind: payment.SubscriptionChanged, CustomerID: "cus_unknown"},
		},
		"customer unknown to the provider": { // it was deleted, and the event about the deletion follows
			newFixture(t).provider, payment.Event{ID: "evt_4", Kind: payment.SubscriptionChanged, CustomerID: originalAccount.CustomerID},
		},
	} {
		server := f.NewApp(f.Store, eventProvider{tt.provider, []payment.Event{tt.event}})
		require.NoError(t, server.ReceiveEvent.Do(t.Context(), payment.Delivery{}), name)
		isHandled, err := f.Store.EventHandled(t.Context(), tt.event.ID)
		require.NoError(t, err)
		assert.True(t, isHandled, name)
	}
	assert.Equal(t, originalAccount, f.account(caller))
}

func TestReceiveEvent_AppliesAndRecordsAllEventsOfADelivery(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	sub := f.subscribe(caller, visa, standardMonthly, true)
	require.NoError(t, f.provider.CancelKeepingInvoice(t.Context(), sub.ID))
	events := []payment.Event{
		{ID: "evt_1", Kind: payment.OtherEvent},
		{ID: "evt_2", Kind: payment.SubscriptionChanged, CustomerID: f.account(caller).CustomerID},
	}
	require.NoError(t, f.NewApp(f.Store, eventProvider{f.provider, events}).ReceiveEvent.Do(t.Context(), payment.Delivery{}))
	assert.Nil(t, f.account(caller).LiveSubscription())
	for _, event := range events {
		isHandled, err := f.Store.EventHandled(t.Context(), event.ID)
		require.NoError(t, err)
		assert.True(t, isHandled, event.ID)
	}
}

func TestReceiveEvent_UnsignedEventHasOnlyEffectsThatTheProviderConfirms(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	sub := f.subscribe(caller, visa, standardMonthly, true)
	event := payment.Event{ID: "evt_1", Kind: payment.CustomerDeleted, CustomerID: f.account(caller).CustomerID, Unsigned: true}
	server := f.NewApp(f.Store, eventProvider{f.provider, []payment.Event{event}})

	require.NoError(t, server.ReceiveEvent.Do(t.Context(), payment.Delivery{}))
	assert.NotNil(t, f.account(caller).LiveSubscription(), "the customer was not deleted")

	require.NoError(t, f.provider.CancelKeepingInvoice(t.Context(), sub.ID))
	require.NoError(t, server.ReceiveEvent.Do(t.Context(), payment.Delivery{}))
	assert.Nil(t, f.account(caller).LiveSubscription(), "a repeat of an unsigned event is applied")

	require.NoError(t, f.provider.DeleteCustomer(t.Context(), event.CustomerID))
	require.NoError(t, server.ReceiveEvent.Do(t.Context(), payment.Delivery{}))
	assert.Empty(t, f.account(caller).CustomerID)
}

func TestReceiveEvent_TooManyUnsignedEventsAreRefusedForATime(t *testing.T) {
	f := newFixture(t)
	event := payment.Event{ID: "evt_1", Kind: payment.OtherEvent, Unsigned: true}
	server := f.NewApp(f.Store, eventProvider{f.provider, []payment.Event{event}})
	var err error
	for range 30 {
		if err = server.ReceiveEvent.Do(t.Context(), payment.Delivery{}); err != nil {
			break
		}
	}
	assertCode(t, fault.RateLimited, err)
	f.Advance(time.Minute)
	assert.NoError(t, server.ReceiveEvent.Do(t.Context(), payment.Delivery{}))
}
