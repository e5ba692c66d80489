package fakepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// readSnapshot calls fn with a snapshot of the provider and returns its result.
func readSnapshot[T any](t *testing.T, e *env, fn func(fakepayment.Snapshot) T) (out T) {
	t.Helper()
	require.NoError(t, e.Read(t.Context(), func(s fakepayment.Snapshot) error {
		out = fn(s)
		return nil
	}))
	return out
}

// addCardWhileEventsAreHeld adds a card to a customer while events are held, then sets the event delivery to d, and returns
// the delivered events.
func addCardWhileEventsAreHeld(t *testing.T, e *env, d fakepayment.EventDelivery) []payment.Event {
	t.Helper()
	customerID := newCustomer(t, e.Provider, visa)
	before := len(e.events(t))
	require.NoError(t, e.SetEventDelivery(t.Context(), fakepayment.EventsHeld))
	addCard(t, e.Provider, customerID, visa)
	assert.Len(t, e.events(t), before, "held events are not delivered")
	assert.NotEmpty(t, readSnapshot(t, e, fakepayment.Snapshot.WaitingEvents))
	require.NoError(t, e.SetEventDelivery(t.Context(), d))
	return e.events(t)[before:]
}

func eventTypesOf(events []payment.Event) (types []string) {
	for _, event := range events {
		types = append(types, event.Type)
	}
	return types
}

func TestSetEventDelivery_DeliversHeldEventsAsSelected(t *testing.T) {
	const attached, updated = "payment_method.attached", "customer.updated"
	for delivery, want := range map[fakepayment.EventDelivery][]string{
		fakepayment.EventsInOrder:    {attached, updated},
		fakepayment.EventsDuplicated: {attached, attached, updated, updated},
		fakepayment.EventsReordered:  {updated, attached},
		fakepayment.EventsHeld:       nil,
	} {
		assert.Equal(t, want, eventTypesOf(addCardWhileEventsAreHeld(t, newEnv(t), delivery)), string(delivery))
	}
}

func TestSetEventDelivery_DelaysEvents(t *testing.T) {
	e := newEnv(t)
	require.NoError(t, e.SetEventDelivery(t.Context(), fakepayment.EventsDelayed))
	newCustomer(t, e.Provider, visa)

	assert.Empty(t, e.events(t))
	e.advance(t, fakepayment.EventDelay-time.Second)
	assert.Empty(t, e.events(t))
	e.advance(t, time.Second)

	assert.Equal(t, []string{"payment_method.attached", "customer.updated"}, eventTypesOf(e.events(t)))
	assert.Empty(t, readSnapshot(t, e, fakepayment.Snapshot.WaitingEvents))
}

func TestSetEventDelivery_RefusesUnknownValue(t *testing.T) {
	assert.Equal(t, fault.Invalid, fault.CodeOf(newEnv(t).SetEventDelivery(t.Context(), "lost")))
}

func TestSetNextCharge_ReplacesTheOutcomeOfOneCharge(t *testing.T) {
	for outcome, want := range map[fakepayment.ChargeOutcome]billing.Status{
		fakepayment.ChargeDeclined: billing.PastDue, fakepayment.ChargeInsufficientFunds: billing.PastDue,
		fakepayment.ChargeLostCard: billing.PastDue, fakepayment.ChargeNeedsAuthentication: billing.PastDue,
		fakepayment.ChargeByTestCard: billing.Active,
	} {
		e := newEnv(t)
		s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "professional_yearly", 7)
		require.NoError(t, e.SetNextCharge(t.Context(), outcome))
		assert.Equal(t, outcome, readSnapshot(t, e, fakepayment.Snapshot.NextCharge))

		e.advance(t, 7*day)

		s = getSubscription(t, e.Provider, s.ID)
		assert.Equal(t, want, s.Status, string(outcome))
		assert.Equal(t, outcome == fakepayment.ChargeNeedsAuthentication, s.Next.Kind == billing.ConfirmPayment, string(outcome))
		assert.Equal(t, fakepayment.ChargeByTestCard, readSnapshot(t, e, fakepayment.Snapshot.NextCharge))
		if s.Status == billing.PastDue {
			s, err := payInvoice(t, e, s)
			require.NoError(t, err)
			assert.Equal(t, billing.Active, s.Status, "the card is charged as usual")
		}
	}
}

func TestSetNextCharge_RefusesUnknownValue(t *testing.T) {
	assert.Equal(t, fault.Invalid, fault.CodeOf(newEnv(t).SetNextCharge(t.Context(), "lost")))
}

func TestReturnPayment_MakesSubscriptionPastDue(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, slowAccount), "professional_yearly", 0)
	assert.ErrorContains(t, e.ReturnPayment(t.Context(), s.LatestInvoice.ID), "has not arrived")
	e.advance(t, 3*day)

	require.NoError(t, e.ReturnPayment(t.Context(), s.LatestInvoice.ID))

	assert.Equal(t, billing.PastDue, getSubscription(t, e.Provider, s.ID).Status)
	assert.ErrorContains(t, e.ReturnPayment(t.Context(), s.LatestInvoice.ID), "Nothing was paid")
}

func TestReturnPayment_RefusesCardPaymentsAndUnknownInvoices(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, visa), "professional_yearly", 0)

	assert.ErrorContains(t, e.ReturnPayment(t.Context(), s.LatestInvoice.ID), "Only payments from bank accounts")
	assert.Equal(t, fault.NotFound, fault.CodeOf(e.ReturnPayment(t.Context(), "in_unknown")))
}

func TestDueSteps_DescribesStepsInOrder(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, lateReturningAccount)
	subscribe(t, e.Provider, customerID, "professional_yearly", 7)
	step := func(at time.Time, text string) fakepayment.DueStep {
		return fakepayment.DueStep{At: at, CustomerID: customerID, Text: text}
	}
	trialEnd := noon.Add(7 * day)

	assert.Equal(t, []fakepayment.DueStep{step(trialEnd, "Trial ends, first charge")}, readSnapshot(t, e, fakepayment.Snapshot.DueSteps))
	e.advance(t, 7*day)
	assert.Equal(t, step(trialEnd.Add(3*day), "Payment arrives or fails"), readSnapshot(t, e, fakepayment.Snapshot.DueSteps)[0])
	e.advance(t, 3*day)
	assert.Equal(t, []fakepayment.DueStep{
		step(trialEnd.Add(10*day), "Bank returns the payment"), step(trialEnd.AddDate(1, 0, 0), "Period ends, renewal"),
	}, readSnapshot(t, e, fakepayment.Snapshot.DueSteps))
}

func TestDueSteps_OmitsReturnOfADisputedPayment(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, lateReturningAccount), "professional_yearly", 0)
	e.advance(t, 3*day)
	textsOfSteps := func() (texts []string) {
		for _, step := range readSnapshot(t, e, fakepayment.Snapshot.DueSteps) {
			texts = append(texts, step.Text)
		}
		return texts
	}
	require.Contains(t, textsOfSteps(), "Bank returns the payment")

	require.NoError(t, e.Dispute(t.Context(), s.LatestInvoice.ID))

	assert.NotContains(t, textsOfSteps(), "Bank returns the payment")
}

func TestDueSteps_OmitsReturnOfARefundedPayment(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, lateReturningAccount)
	s := subscribe(t, e.Provider, customerID, "professional_yearly", 0)
	e.advance(t, 3*day)
	_, err := e.Refund(t.Context(), payment.RefundRequest{
		Key: "key", InvoiceID: s.LatestInvoice.ID, Amount: aud(t, 81600),
	})
	require.NoError(t, err)

	for _, step := range readSnapshot(t, e, fakepayment.Snapshot.DueSteps) {
		assert.NotEqual(t, "Bank returns the payment", step.Text)
	}
}
