package app_test

import (
	"context"
	"slices"
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
	"github.com/vc-admin/diy/ports/storage"
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

func TestReceiveEvent_RecordsTheOutcomeOfEachEvent(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	f.TakeEvents()
	customerID := f.account(caller).CustomerID
	receive := func(events ...payment.Event) {
		server := f.NewApp(f.Store, eventProvider{f.provider, events})
		_ = server.ReceiveEvent.Do(t.Context(), payment.Delivery{})
	}
	outcomes := func() map[string]storage.EventOutcome {
		events, err := f.Store.OrganisationEvents(t.Context(), caller.OrganisationID, 100)
		require.NoError(t, err)
		result := map[string]storage.EventOutcome{}
		for _, e := range events {
			if slices.Contains([]string{"evt_applied", "evt_failed", "evt_unsigned"}, e.ID) {
				result[e.ID] = e.Outcome
			}
		}
		return result
	}
	event := payment.Event{ID: "evt_applied", Kind: payment.SubscriptionChanged, CustomerID: customerID}
	unsigned, failed := event, event
	unsigned.ID, unsigned.Unsigned, failed.ID = "evt_unsigned", true, "evt_failed"
	receive(event)
	receive(unsigned)
	f.injectFaults(failAlways("ListSubscriptions"))
	assertCode(t, fault.Unavailable, f.ReceiveEvent.Apply(t.Context(), failed))
	assert.Equal(t, map[string]storage.EventOutcome{
		"evt_applied": storage.EventApplied, "evt_failed": storage.EventFailed, "evt_unsigned": storage.EventUnsigned,
	}, outcomes())

	receive(failed)
	assert.Equal(t, storage.EventApplied, outcomes()["evt_failed"], "the provider has delivered it again")

	for id, isRecorded := range map[string]bool{"evt_unknown": true, "evt_unknown_unsigned": false} {
		receive(payment.Event{
			ID: id, Kind: payment.SubscriptionChanged, CustomerID: "cus_unknown", Unsigned: !isRecorded,
		})
		isHandled, err := f.Store.EventHandled(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, isRecorded, isHandled, id)
	}
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
