package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// byHand starts a subscription at the provider's own desk, without our hearing of it.
func (w *world) byHand(who identity.Identity, key string) billing.Subscription {
	w.t.Helper()
	made, err := w.Bank.Subscribe(w.t.Context(), payment.NewSubscription{
		Key: key, CustomerID: w.account(who).CustomerID, CardID: w.Card(flowtest.Visa),
		Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
	})
	require.NoError(w.t, err)
	return made
}

func TestASecondSubscriptionMadeByHandNeitherHidesTheFirstNorGetsAThird(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	ours := w.subscribed(who, flowtest.Visa, standardMonthly)
	theirs := w.byHand(who, "by-hand")

	w.Deliver(w.UseCases, w.Arrived()...)

	assert.Equal(t, ours.ID, w.license(who).ID)
	_, err := w.Subscribe.Do(t.Context(), who, app.SubscribeRequest{CardID: w.Card(flowtest.Mastercard), Price: standardMonthly})
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	_, err = w.ChangePlan.Do(t.Context(), who, professionalYearly)
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Contains(t, fault.MessageOf(err), "more than one subscription")
	assert.Len(t, w.live(), 2, "which one ends is for people to decide")

	_, err = w.Bank.CancelSubscription(t.Context(), payment.Cancellation{Key: "decided", SubscriptionID: ours.ID})
	require.NoError(t, err)
	w.Deliver(w.UseCases, w.Arrived()...)
	assert.Equal(t, theirs.ID, w.license(who).ID)
	_, err = w.ChangePlan.Do(t.Context(), who, professionalYearly)
	assert.NoError(t, err)
}

func TestOfTwoMadeByHandTheOldestIsTheLicense(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	oldest := w.byHand(who, "one")
	w.Advance(day)
	w.byHand(who, "two")
	w.Deliver(w.UseCases, w.Arrived()...)
	assert.Equal(t, oldest.ID, w.license(who).ID)
}

func TestPitfall04_OneMadeByHandThatNobodyToldUsOfIsNotDoubled(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	theirs := w.byHand(who, "by-hand")
	w.Advance(day)

	_, err := w.Subscribe.Do(t.Context(), who, app.SubscribeRequest{CardID: w.Card(flowtest.Visa), Price: standardMonthly})

	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Len(t, w.truth(), 1)
	assert.Equal(t, theirs.ID, w.license(who).ID, "we know of it now")
	w.requireNothingInDoubt()
}

// The browser pays for the first plan in the moment in which the second one takes its place.
func TestAnOpenOneThatIsPaidWhileItIsReplacedGoesOn(t *testing.T) {
	for _, when := range []moment{before, after} {
		t.Run(string(when)+" it is canceled", func(t *testing.T) {
			w := newWorld(t)
			who := w.member()
			open, err := w.Subscribe.Do(t.Context(), who, app.SubscribeRequest{
				CardID: w.Card(flowtest.AsksHolder), Price: standardMonthly, NoTrial: true,
			})
			require.NoError(t, err)
			server, _ := w.tapped(func(c call, now moment) error {
				if c.name == "CancelSubscription" && now == when {
					_, _ = w.Bank.Confirm(t.Context(), fakepayment.Confirmation{
						ClientSecret: open.LatestInvoice.Payment.ClientSecret, Outcome: fakepayment.Complete,
					})
				}
				return nil
			})

			_, err = server.Subscribe.Do(t.Context(), who, app.SubscribeRequest{
				CardID: w.Card(flowtest.Visa), Price: professionalYearly, NoTrial: true,
			})

			assert.Len(t, w.live(), 1)
			assert.Equal(t, 1, w.paid(), "nobody pays twice, and nothing that was paid ends")
			if when == before {
				assert.Equal(t, fault.Conflict, fault.CodeOf(err))
				assert.Equal(t, open.ID, w.license(who).ID)
			} else {
				require.NoError(t, err)
			}
			w.requireNothingInDoubt()
			w.requireSound(who)
		})
	}
}

// What somebody makes at the provider's desk, after a request of ours has come to nothing, is not
// what the request asked for: its card is not charged.
func TestARequestThatCameToNothingIsNotTakenForWhatWasMadeByHandLater(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	again := subscribing(standardMonthly, false)(w.Card(flowtest.Mastercard))
	server, _ := w.tapped(cannot("Subscribe", before))
	require.Error(t, again(t.Context(), server, who))
	w.Advance(aWhile)
	made := w.boughtAtTheDesk(who)

	_, err := w.Reconcile.Do(t.Context())
	require.NoError(t, err)

	require.Equal(t, made.ID, w.license(who).ID)
	assert.Equal(t, fault.Conflict, fault.CodeOf(again(t.Context(), w.UseCases, who)))
	w.requireNothingInDoubt()
}
