package flows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// boughtAtTheDesk is a subscription that somebody made at the provider: only events tell of it.
func (w *world) boughtAtTheDesk(who identity.Identity) billing.Subscription {
	w.t.Helper()
	return w.boughtBy(w.account(who).CustomerID)
}

func (w *world) boughtBy(customerID string) billing.Subscription {
	w.t.Helper()
	ctx := w.t.Context()
	_, err := w.Bank.AddCard(ctx, payment.NewCard{Key: "desk-card-" + customerID, CustomerID: customerID, CardID: w.Card(flowtest.Visa)})
	require.NoError(w.t, err)
	made, err := w.Bank.Subscribe(ctx, payment.NewSubscription{
		Key: "desk-subscription-" + customerID, CustomerID: customerID, TrialDays: 7,
		Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
	})
	require.NoError(w.t, err)
	return made
}

func TestPitfall09_AnEventBringsTheTruth(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	made := w.boughtAtTheDesk(who)
	require.Nil(t, w.license(who))

	w.Deliver(w.UseCases, w.Arrived()...)

	assert.Equal(t, made.ID, w.license(who).ID)
	w.requireSound(who)
}

func TestPitfall10_AnEventThatFailedAnywhereHasItsEffectTheNextTime(t *testing.T) {
	calls := func(w *world) []string {
		who := w.member()
		w.boughtAtTheDesk(who)
		server, tap := w.tapped(untroubled)
		w.Deliver(server, w.Arrived()...)
		return tap.names
	}(newWorld(t))
	for at, name := range calls {
		for _, when := range momentsOf(name) {
			w := newWorld(t)
			who := w.member()
			w.boughtAtTheDesk(who)
			server, _ := w.tapped(failsOnce(at, when))
			for _, payload := range w.Arrived() {
				if err := server.ReceiveEvent.Do(t.Context(), payload, w.Signed(payload)); err != nil {
					assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "%s %s", when, name)
					w.Deliver(w.UseCases, payload)
				}
			}
			w.requireSound(who)
		}
	}
}

func TestPitfall11_EventsOfStrangersChangeNothing(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	stranger, err := w.Bank.Provider.CreateCustomer(t.Context(), payment.NewCustomer{Key: "stranger", OrganisationID: who.OrganisationID})
	require.NoError(t, err)
	before := w.organisation(who)
	w.boughtBy(stranger.ID)

	w.Deliver(w.UseCases, w.Arrived()...)

	assert.Equal(t, before, w.organisation(who))
	assert.Nil(t, w.license(who))
}

func TestPitfall12_ADuplicateDoesNothingAtAll(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.boughtAtTheDesk(who)
	payloads := w.Arrived()
	w.Deliver(w.UseCases, payloads...)
	before := w.organisation(who)

	w.Deliver(w.UseCases, payloads...)

	assert.Equal(t, before, w.organisation(who))
}

func TestPitfall13_AForgedOrOutdatedEventIsRefused(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.boughtAtTheDesk(who)
	for _, payload := range w.Arrived() {
		for name, signature := range map[string]string{
			"missing":  "",
			"forged":   fakepayment.Sign(payload, w.Clock.Now(), "whsec_guessed"),
			"outdated": fakepayment.Sign(payload, w.Clock.Now().Add(-301*time.Second), flowtest.Secret),
			"borrowed": w.Signed([]byte(`{"object": "event"}`)),
		} {
			err := w.ReceiveEvent.Do(t.Context(), payload, signature)
			assert.Equal(t, fault.Forbidden, fault.CodeOf(err), name)
		}
	}
	assert.Nil(t, w.license(who))
}
