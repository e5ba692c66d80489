package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func event(kind payment.EventKind) payment.Event {
	return payment.Event{ID: "evt_1", Kind: kind, Type: "some.type", CustomerID: "cus_1", SubscriptionID: "sub_1"}
}

func parses(e payment.Event) step {
	return step{"ParseEvent", func(b *bench, err error) {
		b.provider.EXPECT().ParseEvent([]byte("payload"), "signature").Return(e, err).Once()
	}}
}

// isHandled answers whether the event had its effect before.
func isHandled(before bool) step {
	return step{"EventHandled", func(b *bench, err error) {
		b.store.EXPECT().EventHandled(mock.Anything, "evt_1").Return(before, err).Once()
	}}
}

func findsByCustomer(org account.Organisation) step {
	return step{"OrganisationByCustomer", func(b *bench, err error) {
		b.store.EXPECT().OrganisationByCustomer(mock.Anything, "cus_1").Return(org, err).Once()
	}}
}

var recordsEvent = step{"RecordEvent", func(b *bench, err error) {
	b.store.EXPECT().RecordEvent(mock.Anything, "evt_1", "some.type", noon).Return(err).Once()
}}

func receive(t *testing.T) func(*bench) error {
	return func(b *bench) error { return b.ReceiveEvent.Do(t.Context(), []byte("payload"), "signature") }
}

// syncing are the steps of an event about something that may have changed.
func syncing(kind payment.EventKind) []step {
	return []step{
		parses(event(kind)), isHandled(false), findsByCustomer(newcomer()), reads("", newcomer),
		lists(subscription("sub_1", billing.Active, monthly)), updates("", newcomer), recordsEvent,
	}
}

func TestPitfall09_AnEventIsAReasonToFetchTheTruth(t *testing.T) {
	for _, kind := range []payment.EventKind{payment.SubscriptionChanged, payment.CustomerChanged} {
		passes(t, syncing(kind), receive(t))
	}
}

func TestPitfall10_AnEventThatFailsIsDeliveredAgain(t *testing.T) {
	failsAtEveryStep(t, errOutage, syncing(payment.SubscriptionChanged), receive(t))
}

func TestPitfall11_AnUnknownCustomersEventIsLoggedAndDone(t *testing.T) {
	b := newBench(t)
	parses(event(payment.SubscriptionChanged)).expect(b, nil)
	isHandled(false).expect(b, nil)
	findsByCustomer(account.Organisation{}).expect(b, fault.New(fault.NotFound, ""))
	recordsEvent.expect(b, nil)

	require.NoError(t, receive(t)(b))
	assert.Contains(t, b.log.String(), "evt_1")
}

func TestPitfall12_ADuplicateHasNoEffect(t *testing.T) {
	passes(t, []step{parses(event(payment.SubscriptionChanged)), isHandled(true)}, receive(t))
}

func TestPitfall13_ABadSignatureIsRefusedBeforeAnythingIsRead(t *testing.T) {
	for _, code := range []fault.Code{fault.Forbidden, fault.Invalid} {
		b := newBench(t)
		parses(event(payment.SubscriptionChanged)).expect(b, fault.New(code, ""))
		assert.Equal(t, code, fault.CodeOf(receive(t)(b)))
	}
}

func TestReceiveEventOfNoInterestIsLoggedAndDone(t *testing.T) {
	nobodys := event(payment.SubscriptionChanged)
	nobodys.CustomerID = ""
	for _, e := range []payment.Event{event(payment.Other), nobodys} {
		b := newBench(t)
		for _, s := range []step{parses(e), isHandled(false), recordsEvent} {
			s.expect(b, nil)
		}
		require.NoError(t, receive(t)(b))
		assert.Contains(t, b.log.String(), "evt_1")
		assert.Contains(t, b.log.String(), "some.type")
	}
}

// An event about a deleted customer may stand before the one that tells of the deletion: to refuse
// it would keep both from ever getting through.
func TestReceiveEventOfACustomerThatIsGoneLetsTheNextOneThrough(t *testing.T) {
	b := newBench(t)
	for _, s := range syncing(payment.SubscriptionChanged)[:4] {
		s.expect(b, nil)
	}
	b.listsSubscriptions(fault.New(fault.NotFound, "no such customer"))
	recordsEvent.expect(b, nil)

	require.NoError(t, receive(t)(b))
	assert.Contains(t, b.log.String(), "evt_1")
}

// deleting are the steps of the event that tells of a deleted customer.
func deleting() []step {
	return []step{
		parses(event(payment.CustomerDeleted)), isHandled(false), findsByCustomer(newcomer()), updates("", newcomer), recordsEvent,
	}
}

func TestReceiveEventLetsGoOfADeletedCustomer(t *testing.T) {
	b, stored := newBench(t), subscriber(subscription("sub_1", billing.Trialing, monthly))
	stored.Billing.TrialUsedAt = noon
	for _, s := range deleting()[:2] {
		s.expect(b, nil)
	}
	findsByCustomer(stored).expect(b, nil)
	b.updatesOrganisation(&stored, nil)
	recordsEvent.expect(b, nil)

	require.NoError(t, receive(t)(b))

	assert.Empty(t, stored.Billing.CustomerID)
	assert.Nil(t, stored.Billing.License())
	assert.Equal(t, noon, stored.Billing.TrialUsedAt, "the trial stays used")
}

func TestReceiveEventKeepsTheCustomerThatReplacedADeletedOne(t *testing.T) {
	b, stored := newBench(t), newcomer()
	stored.Billing.CustomerID = "cus_2"
	for _, s := range deleting()[:3] {
		s.expect(b, nil)
	}
	b.updatesOrganisation(&stored, nil)
	recordsEvent.expect(b, nil)

	require.NoError(t, receive(t)(b))
	assert.Equal(t, "cus_2", stored.Billing.CustomerID)
}

func TestReceiveEventOfADeletionFails(t *testing.T) {
	failsAtEveryStep(t, errOutage, deleting(), receive(t))
}
