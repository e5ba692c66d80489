package flows

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// payNow subscribes without a trial and returns the subscription and the id of the card.
func (w *world) payNow(who identity.Identity, number string) (sub billing.Subscription, cardID string) {
	w.t.Helper()
	cardID = w.Card(number)
	sub, err := w.Subscribe.Do(w.t.Context(), who, app.SubscribeRequest{CardID: cardID, Price: standardMonthly, NoTrial: true})
	require.NoError(w.t, err)
	return sub, cardID
}

func (w *world) addCard(who identity.Identity, number string) billing.PaymentMethod {
	w.t.Helper()
	card, err := w.AddCard.Do(w.t.Context(), who, w.Card(number))
	require.NoError(w.t, err)
	return card.PaymentMethod
}

// savedCards reads the saved cards from the provider, newest first, and the default one.
func (w *world) savedCards(who identity.Identity) (ids []string, defaultID string) {
	w.t.Helper()
	customerID := w.account(who).CustomerID
	cards, err := w.Bank.Cards(w.t.Context(), customerID)
	require.NoError(w.t, err)
	for _, card := range cards {
		ids = append(ids, card.ID)
	}
	customer, err := w.Bank.Customer(w.t.Context(), customerID)
	require.NoError(w.t, err)
	if customer.Default != nil {
		defaultID = customer.Default.ID
	}
	return ids, defaultID
}

func (w *world) requireCards(who identity.Identity, defaultID string, ids ...string) {
	w.t.Helper()
	gotIDs, gotDefault := w.savedCards(who)
	require.Equal(w.t, ids, gotIDs)
	require.Equal(w.t, defaultID, gotDefault)
}

// Whatever comes after a declined payment finds the cards as they were before it.
func TestSavedCards_CardOfADeclinedPaymentIsDetachedAndTheFormerDefaultRestored(t *testing.T) {
	next := map[string]func(w *world, who identity.Identity) error{
		"the cards are listed": func(w *world, who identity.Identity) error {
			_, err := w.ListCards.Do(w.t.Context(), who)
			return err
		},
		"the customer is shown": func(w *world, who identity.Identity) error {
			_, err := w.ShowCustomer.Do(w.t.Context(), who)
			return err
		},
		"the background job runs": func(w *world, _ identity.Identity) error {
			w.Advance(15 * time.Minute)
			_, err := w.TidyCards.Do(w.t.Context())
			return err
		},
		"the default card is chosen": func(w *world, who identity.Identity) error {
			ids, _ := w.savedCards(who)
			_, err := w.SetDefaultCard.Do(w.t.Context(), who, ids[1])
			return err
		},
		"the default card pays": func(w *world, who identity.Identity) error {
			sub, err := w.Subscribe.Do(w.t.Context(), who, app.SubscribeRequest{Price: standardMonthly, NoTrial: true})
			assert.Equal(w.t, billing.Active, sub.Status)
			return err
		},
	}
	for name, act := range next {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			who := w.member()
			visa := w.addCard(who, flowtest.Visa)
			mastercard := w.addCard(who, flowtest.Mastercard)
			declined, _ := w.payNow(who, flowtest.NeverCharged)
			require.Equal(t, billing.Incomplete, declined.Status)

			require.NoError(t, act(w, who))

			w.requireCards(who, mastercard.ID, mastercard.ID, visa.ID)
			w.requireNothingInDoubt()
			w.requireSound(who)
		})
	}
}

func TestSavedCards_RepeatOfADeclinedPaymentIsAnsweredAlike(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	declined, card := w.payNow(who, flowtest.NeverCharged)

	repeated, err := w.Subscribe.Do(t.Context(), who, app.SubscribeRequest{CardID: card, Price: standardMonthly, NoTrial: true})

	require.NoError(t, err)
	assert.Equal(t, declined.ID, repeated.ID)
	assert.Equal(t, billing.Incomplete, repeated.Status)
}

func TestSavedCards_ThreeFailedAttemptsLeaveNoCard(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	for _, number := range []string{flowtest.NeverCharged, "4000000000009995", "4000000000009987"} {
		sub, _ := w.payNow(who, number)
		require.Equal(t, billing.Incomplete, sub.Status)
	}

	listed, err := w.ListCards.Do(t.Context(), who)

	require.NoError(t, err)
	assert.Empty(t, listed)
	w.requireCards(who, "")
	sub, card := w.payNow(who, flowtest.Visa)
	assert.Equal(t, billing.Active, sub.Status)
	w.requireCards(who, card, card)
	w.requireNothingInDoubt()
}

func TestSavedCards_SuccessAfterFailedAttemptsKeepsOnlyTheCardThatPaid(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.payNow(who, flowtest.NeverCharged)
	w.payNow(who, "4000000000009995")

	sub, card := w.payNow(who, flowtest.Visa)

	require.Equal(t, billing.Active, sub.Status)
	w.requireCards(who, card, card)
}

// The specification has the browser confirm the payment of a retry with the card of the retry.
func TestSavedCards_DeclinedRetryCanBeConfirmedByTheBrowser(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.payNow(who, flowtest.NeverCharged)
	retried, card := w.payNow(who, flowtest.NeverCharged)

	_, err := w.Bank.Confirm(t.Context(), fakepayment.Confirmation{ClientSecret: retried.LatestInvoice.Payment.ClientSecret, CardID: card})

	assert.Equal(t, fault.Declined, fault.CodeOf(err), "the card is there, and is declined")
	_, err = w.ListCards.Do(t.Context(), who)
	require.NoError(t, err)
	w.requireCards(who, "")
}

func TestSavedCards_CardOfAnOpenAuthenticationStays(t *testing.T) {
	for outcome, succeeds := range map[fakepayment.Outcome]bool{fakepayment.Complete: true, fakepayment.Fail: false} {
		t.Run(string(outcome), func(t *testing.T) {
			w := newWorld(t)
			who := w.member()
			visa := w.addCard(who, flowtest.Visa)
			waiting, card := w.payNow(who, flowtest.AsksHolder)
			w.Advance(30 * time.Minute)
			done, err := w.TidyCards.Do(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, done)
			w.requireCards(who, card, card, visa.ID)

			w.confirmed(waiting.LatestInvoice.Payment, outcome)
			w.Advance(2 * time.Hour)
			_, err = w.TidyCards.Do(t.Context())

			require.NoError(t, err)
			if succeeds {
				w.requireCards(who, card, card, visa.ID)
			} else {
				w.requireCards(who, visa.ID, visa.ID)
			}
			done, err = w.TidyCards.Do(t.Context())
			require.NoError(t, err)
			assert.Zero(t, done, "nothing is left to look at")
			w.requireSound(who)
		})
	}
}

func TestSavedCards_TrialWhoseCardFailedItsAuthenticationGetsTheFormerDefault(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	visa := w.addCard(who, flowtest.Visa)
	trial := w.subscribed(who, flowtest.AsksHolder, standardMonthly)
	w.confirmed(trial.PendingSetup, fakepayment.Fail)
	_, _, err := w.DescribeUser.Do(t.Context(), who)
	require.NoError(t, err)

	_, err = w.ListCards.Do(t.Context(), who)

	require.NoError(t, err)
	w.requireCards(who, visa.ID, visa.ID)
	w.Advance(8 * day)
	assert.Equal(t, billing.Active, w.license(who).Status, "the trial's end is paid with the good card")
}

func TestSavedCards_OfIdenticalCardsTheNewestIsKept(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.addCard(who, flowtest.Visa)
	mastercard := w.addCard(who, flowtest.Mastercard)
	again := w.addCard(who, flowtest.Visa)

	w.requireCards(who, again.ID, again.ID, mastercard.ID)

	sub, paidWith := w.payNow(who, flowtest.Mastercard)
	require.Equal(t, billing.Active, sub.Status)
	w.requireCards(who, paidWith, paidWith, again.ID)
	w.requireSound(who)
}

func TestSavedCards_IdenticalCardStaysWhileAPaymentIsOpen(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	waiting, card := w.payNow(who, flowtest.AsksHolder)

	again := w.addCard(who, flowtest.AsksHolder)

	w.requireCards(who, again.ID, again.ID, card)
	w.confirmed(waiting.LatestInvoice.Payment, fakepayment.Complete)
	require.Equal(t, billing.Active, w.license(who).Status)
	_, err := w.ListCards.Do(t.Context(), who)
	require.NoError(t, err)
	w.requireCards(who, again.ID, again.ID)
}

func TestSavedCards_AddedCardStaysWhenTheOverdueBillIsDeclined(t *testing.T) {
	w := newWorld(t)
	who := w.overdue()
	before, _ := w.savedCards(who)

	added := w.addCard(who, "4000000000009995")

	w.requireCards(who, added.ID, append([]string{added.ID}, before...)...)
}

// stuckProvider does not detach cards.
type stuckProvider struct {
	payment.Provider
	stuck bool
}

func (p *stuckProvider) DeleteCard(ctx context.Context, in payment.SavedCard) error {
	if p.stuck {
		return fault.New(fault.Unavailable, "The payment provider did not answer. Please try again.")
	}
	return p.Provider.DeleteCard(ctx, in)
}

func TestSavedCards_FailureWhileDetachingIsMadeGoodLater(t *testing.T) {
	w := newWorld(t)
	provider := &stuckProvider{Provider: w.Bank, stuck: true}
	w.UseCases = w.Server(w.Store, provider)
	who := w.member()
	visa := w.addCard(who, flowtest.Visa)

	_, card := w.payNow(who, flowtest.NeverCharged)

	shown, err := w.ShowCustomer.Do(t.Context(), who)
	require.NoError(t, err, "the answer does not depend on it")
	assert.Equal(t, visa.ID, shown.Default.ID)
	w.requireCards(who, visa.ID, card, visa.ID)
	provider.stuck = false
	w.Advance(30 * time.Minute)
	_, err = w.TidyCards.Do(t.Context())
	require.NoError(t, err)
	w.requireCards(who, visa.ID, visa.ID)
	w.requireNothingInDoubt()
}
