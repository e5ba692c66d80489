package flows

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// life is everything that happens to a subscription at the provider, none of it by our doing.
func (w *world) life(who identity.Identity) []func() {
	var id string
	return []func(){
		func() { id = w.boughtAtTheDesk(who).ID },
		func() { w.Advance(7 * day) }, // the trial ends and is paid for
		func() { w.changedAtTheDesk(id, professionalYearlyPrice) },
		func() { w.Advance(400 * day) }, // a year is renewed
		func() { w.cancelAtTheProvider(id) },
	}
}

var professionalYearlyPrice = catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"}

func (w *world) changedAtTheDesk(id string, price catalogue.PriceRef) {
	w.t.Helper()
	_, err := w.Bank.ChangePlan(w.t.Context(), payment.PlanChange{Key: "desk-change-" + id, SubscriptionID: id, Price: price})
	require.NoError(w.t, err)
}

// lived is a world in which a life has passed, and its events.
func lived(t *testing.T) (*world, identity.Identity, [][]byte) {
	t.Helper()
	w := newWorld(t)
	who := w.member()
	for _, happens := range w.life(who) {
		happens()
	}
	return w, who, w.Arrived()
}

func TestPitfall07_EventsInAnyOrderAndNumberLeadToTheTruth(t *testing.T) {
	for seed := range uint64(20) {
		w, who, payloads := lived(t)
		chance := rand.New(rand.NewPCG(seed, 7))
		chance.Shuffle(len(payloads), func(i, j int) { payloads[i], payloads[j] = payloads[j], payloads[i] })
		servers := w.servers(2)
		for _, payload := range payloads {
			var acts []func() error
			for i := range 1 + chance.IntN(3) {
				acts = append(acts, func() error {
					return servers[i%2].ReceiveEvent.Do(context.WithoutCancel(t.Context()), payload, w.Signed(payload))
				})
			}
			for _, err := range together(acts...) {
				require.NoError(t, err, "seed %d", seed)
			}
			w.requireSound(who)
		}
		require.Equal(t, billing.Canceled, w.account(who).PastLicense().Status)
	}
}

func TestPitfall07_LateEventsNeverUndoWhatIsKnown(t *testing.T) {
	for seed := range uint64(20) {
		w := newWorld(t)
		who := w.member()
		chance := rand.New(rand.NewPCG(seed, 70))
		var late [][]byte
		for _, happens := range w.life(who) {
			happens()
			late = append(late, w.Arrived()...)
			for len(late) > 0 && chance.IntN(2) == 0 {
				i := chance.IntN(len(late))
				w.Deliver(w.UseCases, late[i])
				late = slices.Delete(late, i, i+1)
				assert.Equal(t, w.truth()[0].Status, w.account(who).Subscriptions[0].Status, "seed %d", seed)
			}
		}
		w.Deliver(w.UseCases, late...)
		w.requireSound(who)
	}
}

func TestADowngradedCopyIsNeverSeen(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.subscribed(who, flowtest.Visa, standardMonthly)
	old := w.Arrived() // of the trial's beginning
	w.Advance(8 * day)
	require.Equal(t, billing.Active, w.license(who).Status)

	w.Deliver(w.UseCases, old...)

	assert.Equal(t, billing.Active, w.account(who).License().Status)
	w.requireSound(who)
}
