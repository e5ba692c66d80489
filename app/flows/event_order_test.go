package flows

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// life is everything that happens to a subscription at the provider, none of it by our doing: it
// is made, paid for after its trial, moved to another plan, not paid for a year later, and ended.
func (w *world) life(who identity.Identity) []func() {
	var id string
	return []func(){
		func() { id = w.boughtAtTheDesk(who).ID },
		func() { w.Advance(7 * day) },
		func() { w.changedAtTheDesk(id, professionalYearlyPrice) },
		func() { w.paysBadly(who); w.Advance(366 * day) },
		func() { w.cancelAtTheProvider(id) },
	}
}

// paysBadly gives the member a card that no payment goes through with.
func (w *world) paysBadly(who identity.Identity) {
	w.t.Helper()
	_, err := w.Bank.AddCard(w.t.Context(), payment.NewCard{
		Key: "desk-bad-card", CustomerID: w.account(who).CustomerID, CardID: w.Card(flowtest.NeverCharged),
	})
	require.NoError(w.t, err)
}

var professionalYearlyPrice = catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"}

func (w *world) changedAtTheDesk(id string, price catalogue.PriceRef) {
	w.t.Helper()
	now, err := w.Bank.Subscription(w.t.Context(), id)
	require.NoError(w.t, err)
	_, err = w.Bank.ChangePlan(w.t.Context(), payment.PlanChange{Key: "desk-change-" + id, SubscriptionID: id, From: now.Price, To: price, EndTrial: now.Status == billing.Trialing})
	require.NoError(w.t, err)
}

// orders are all the orders that n things can have.
func orders(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, rest := range orders(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(rest), at, n-1))
		}
	}
	return all
}

// atOnce has every event delivered one to three times, all of it at the same time, to two servers.
func (w *world) atOnce(chance *rand.Rand, servers []*app.UseCases, payloads [][]byte) {
	w.t.Helper()
	var acts []func() error
	for _, payload := range payloads {
		for i := range 1 + chance.IntN(3) {
			acts = append(acts, func() error {
				return servers[i%2].ReceiveEvent.Do(w.t.Context(), payload, w.Signed(payload))
			})
		}
	}
	for _, err := range together(acts...) {
		require.NoError(w.t, err)
	}
}

// Every order in which the news of a life can come: each as soon as it has happened and what comes
// before it in that order has been delivered. Whatever we are told, our copy is the truth then.
func TestPitfall07_EventsInAnyOrderAndNumberLeadToTheTruth(t *testing.T) {
	t.Parallel()
	for seed, order := range orders(5) {
		if seed%everyNthOrder != 0 {
			continue
		}
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			who, chance := w.member(), rand.New(rand.NewPCG(uint64(seed), 7))
			w.Arrived()
			servers, life := w.servers(2), w.life(who)
			var news [][][]byte
			for _, next := range order {
				for len(news) <= next {
					life[len(news)]()
					news = append(news, w.Arrived())
					require.NotEmpty(t, news[len(news)-1])
				}
				w.atOnce(chance, servers, news[next])
				w.requireSound(who)
			}
			require.Equal(t, billing.Canceled, w.account(who).PastLicense().Status)
			require.Equal(t, professionalYearlyPrice, w.account(who).PastLicense().Price)
		})
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
