package flows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestACardThatCannotBeSavedStartsNothing(t *testing.T) {
	w := newWorld(t)
	who := w.member()

	_, err := w.Subscribe.Do(t.Context(), who, app.SubscribeRequest{CardID: w.Card(flowtest.NotSaved), Price: standardMonthly})

	require.Equal(t, fault.Declined, fault.CodeOf(err))
	assert.Equal(t, "Your card was declined.", fault.MessageOf(err))
	assert.Empty(t, w.truth())
	w.requireNothingInDoubt()
	assert.Equal(t, billing.Trialing, w.subscribed(who, flowtest.Visa, standardMonthly).Status, "another card does at once")
	w.requireSound(who)
}

func TestADeclinedPaymentIsContinuedWithAnotherCard(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	noTrial := app.SubscribeRequest{CardID: w.Card(flowtest.NeverCharged), Price: standardMonthly, NoTrial: true}

	declined, err := w.Subscribe.Do(t.Context(), who, noTrial)
	require.NoError(t, err)
	assert.Equal(t, billing.OutcomeCardDeclined, billing.Decide(declined, false))
	assert.Nil(t, w.license(who), "what was not paid is no license")
	w.requireSound(who)

	noTrial.CardID = w.Card(flowtest.Visa)
	paid, err := w.Subscribe.Do(t.Context(), who, noTrial)
	require.NoError(t, err)
	assert.Equal(t, declined.ID, paid.ID)
	assert.Equal(t, declined.LatestInvoice.ID, paid.LatestInvoice.ID, "it is the same invoice")
	assert.Equal(t, billing.OutcomeSucceeded, billing.Decide(paid, true))
	assert.Equal(t, 1, w.paid())
	w.requireSound(who)
}

func TestAnOpenPaymentThatExpiredIsStartedAfresh(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	onCard(flowtest.NeverCharged, true)(w, who)
	w.Advance(day)
	assert.Nil(t, w.license(who))

	require.NoError(t, subscribing(standardMonthly, true)(w.Card(flowtest.Visa))(t.Context(), w.UseCases, who))

	assert.Equal(t, billing.Active, w.license(who).Status)
	assert.Len(t, w.truth(), 2)
	w.requireSound(who)
}

func TestPitfall05_PastDueBlocksASecondSubscriptionAndTheCardsStillWork(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.subscribed(who, flowtest.NeverCharged, standardMonthly)
	w.Advance(7 * day)
	require.Equal(t, billing.PastDue, w.license(who).Status)

	_, err := w.Subscribe.Do(t.Context(), who, app.SubscribeRequest{CardID: w.Card(flowtest.Visa), Price: standardMonthly})
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))

	good, err := w.AddCard.Do(t.Context(), who, w.Card(flowtest.Visa))
	require.NoError(t, err)
	cards, err := w.ListCards.Do(t.Context(), who)
	require.NoError(t, err)
	require.Len(t, cards, 2)
	customer, err := w.ShowCustomer.Do(t.Context(), who)
	require.NoError(t, err)
	assert.Equal(t, good.PaymentMethod, *customer.Default)

	w.Advance(4 * day)
	assert.Equal(t, billing.Active, w.license(who).Status, "the next try takes the new card")
	w.requireSound(who)
}

func TestPitfall21_TheDefaultCardIsTheOneThatIsCharged(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.subscribed(who, flowtest.Visa, standardMonthly)
	bad, err := w.AddCard.Do(t.Context(), who, w.Card(flowtest.NeverCharged))
	require.NoError(t, err)

	w.Advance(7 * day)

	assert.Equal(t, billing.PastDue, w.license(who).Status, "the good card is not the default any more")
	assert.Equal(t, fault.Conflict, fault.CodeOf(w.DeleteCard.Do(t.Context(), who, bad.ID)))
}

func TestPitfall20_TheCurrencyStays(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.cancelAtTheProvider(w.subscribed(who, flowtest.Visa, standardMonthly).ID)
	w.Advance(time.Second)
	inEuro := standardMonthly
	inEuro.Currency = "EUR"

	_, err := w.Subscribe.Do(t.Context(), who, app.SubscribeRequest{CardID: w.Card(flowtest.Visa), Price: inEuro})

	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Contains(t, fault.MessageOf(err), "AUD")
	w.requireSound(who)
}
