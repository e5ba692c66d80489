package app_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

func TestCards_OrganisationWithoutACustomerHasNoCardsAndChangesReturnNotFound(t *testing.T) {
	f := newFixture(t)
	caller := identityOf(f.signUpUnverified())
	cards, err := f.ListCards.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Empty(t, cards)
	_, err = f.AddCard.Do(t.Context(), caller, f.CreateCard(visa))
	assertCode(t, fault.NotFound, err)
	_, err = f.SetDefaultCard.Do(t.Context(), caller, "pm_1")
	assertCode(t, fault.NotFound, err)
	assertCode(t, fault.NotFound, f.DeleteCard.Do(t.Context(), caller, "pm_1"))
}

func TestCards_CardsOfAnotherOrganisationAreNotFound(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	bensCard := f.addCard(f.SignUpOnServer(f.UseCases, "ben").Identity, visa)
	_, err := f.SetDefaultCard.Do(t.Context(), caller, bensCard.ID)
	assertCode(t, fault.NotFound, err)
	assertCode(t, fault.NotFound, f.DeleteCard.Do(t.Context(), caller, bensCard.ID))
	f.RequireNoPendingOperations()
}

func TestAddCard_MakesTheCardTheDefault(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	firstCard := f.addCard(caller, visa)
	secondCard := f.addCard(caller, mastercard)

	cards, err := f.ListCards.Do(t.Context(), caller)

	require.NoError(t, err)
	assert.Equal(t, []billing.PaymentMethod{secondCard, firstCard}, cards)
	assert.Equal(t, secondCard.ID, f.defaultCardID(caller))
}

func TestAddCard_ReturnsTheProvidersDeclineMessage(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	_, err := f.AddCard.Do(t.Context(), caller, f.CreateCard(declinedCard))
	assertCode(t, fault.Declined, err)
	assert.Equal(t, "Your card was declined.", fault.MessageOf(err))
	f.RequireNoPendingOperations()
}

func TestAddCard_ConflictsWithAPendingOperationUntilItIsTakenOver(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	firstCard := f.addCard(caller, visa)
	f.addCard(caller, mastercard)
	f.injectFaults(failOnce("SetDefaultCard", flakypayment.TimeoutBeforeExecution))
	_, err := f.SetDefaultCard.Do(t.Context(), caller, firstCard.ID)
	assertCode(t, fault.Unavailable, err)
	newCardID := f.CreateCard(mastercard)

	_, err = f.AddCard.Do(t.Context(), caller, newCardID)
	assertCode(t, fault.Conflict, err)
	f.Advance(takeoverWait)
	result, err := f.AddCard.Do(t.Context(), caller, newCardID)

	require.NoError(t, err)
	assert.Equal(t, result.ID, f.defaultCardID(caller))
	f.RequireNoPendingOperations()
}

func TestSetDefaultCard_ReturnsTheCustomerWithItsNewDefaultCard(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	firstCard := f.addCard(caller, visa)
	f.addCard(caller, mastercard)

	result, err := f.SetDefaultCard.Do(t.Context(), caller, firstCard.ID)

	require.NoError(t, err)
	assert.Equal(t, firstCard, *result.Default)
	assert.Nil(t, result.Payment)
}

func TestDeleteCard_KeepsTheDefaultCardOfALiveOrOpenSubscription(t *testing.T) {
	for name, number := range map[string]string{"live": visa, "open": declinedChargesCard} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			card := f.addCard(caller, number)
			_, err := f.provider.Subscribe(t.Context(), payment.NewSubscription{ // unknown to our copy
				Key: "made at the provider", CustomerID: f.account(caller).CustomerID, Price: priceOf(t, standardMonthly),
			})
			require.NoError(t, err)

			assertCode(t, fault.Conflict, f.DeleteCard.Do(t.Context(), caller, card.ID))

			f.addCard(caller, mastercard)
			require.NoError(t, f.DeleteCard.Do(t.Context(), caller, card.ID), "the card is not the default one any more")
		})
	}
}

func TestDeleteCard_DeletesTheDefaultCardIfThereIsNoSubscription(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	card := f.addCard(caller, visa)
	require.NoError(t, f.DeleteCard.Do(t.Context(), caller, card.ID))
	assert.Empty(t, f.cardIDs(caller))
	assertCode(t, fault.NotFound, f.DeleteCard.Do(t.Context(), caller, card.ID))
}

// signUpWithOverdueInvoice signs up and subscribes with a card that is declined when the trial ends.
func (f *fixture) signUpWithOverdueInvoice() (caller identity.Identity) {
	f.t.Helper()
	caller = f.signUp()
	f.subscribe(caller, declinedChargesCard, standardMonthly, false)
	f.Advance(8 * day)
	_, _, err := f.DescribeUser.Do(f.t.Context(), caller)
	require.NoError(f.t, err)
	require.Equal(f.t, billing.PastDue, f.account(caller).LiveSubscription().Status)
	return caller
}

func TestAddCard_ChargesTheOverdueInvoiceAndReturnsTheOutcome(t *testing.T) {
	for number, want := range map[string]app.OverduePaymentStatus{
		visa: app.OverduePaid, mastercard: app.OverduePaid, lostCard: app.OverdueDeclined,
		authenticationCard: app.OverdueRequiresAction,
	} {
		t.Run(number, func(t *testing.T) {
			f := newFixture(t)
			caller := f.signUpWithOverdueInvoice()

			result, err := f.AddCard.Do(t.Context(), caller, f.CreateCard(number))

			require.NoError(t, err, "the card stays saved whatever the outcome of the payment")
			assert.Equal(t, want, result.Payment.Status)
			assert.Equal(t, want == app.OverduePaid, result.Payment.Message == "")
			assert.Equal(t, want == app.OverdueRequiresAction, result.Payment.Intent != nil)
			assert.Equal(t, want == app.OverduePaid, f.account(caller).LiveSubscription().Status == billing.Active)
			assert.Equal(t, result.ID, f.defaultCardID(caller))
			secondResult, err := f.SetDefaultCard.Do(t.Context(), caller, result.ID)
			require.NoError(t, err)
			switch want {
			case app.OverduePaid:
				assert.Nil(t, secondResult.Payment, "a paid invoice is not charged again")
			case app.OverdueDeclined:
				assert.Equal(t, app.OverdueDeclined, secondResult.Payment.Status, "no card is charged after a hard decline")
			}
		})
	}
}

func TestSetDefaultCard_ChargesTheOverdueInvoiceAtMostThreeTimes(t *testing.T) {
	f := newFixture(t)
	caller := f.signUpWithOverdueInvoice()
	card := f.addCard(caller, declinedChargesCard)
	flakyProvider := f.injectFaults(flakypayment.NoFaults)
	for range 4 {
		result, err := f.SetDefaultCard.Do(t.Context(), caller, card.ID)
		require.NoError(t, err)
		assert.NotEqual(t, app.OverduePaid, result.Payment.Status)
	}
	assert.Equal(t, 2, countCalls(flakyProvider.Calls(), "PayInvoice"), "AddCard made the first attempt")
}

func TestAddCard_SavesTheCardWhenTheOverdueInvoiceCannotBeCharged(t *testing.T) {
	for _, name := range []string{"ListSubscriptions", "PayInvoice"} {
		t.Run(name+" fails", func(t *testing.T) {
			f := newFixture(t)
			caller := f.signUpWithOverdueInvoice()
			f.injectFaults(failAlways(name))

			result, err := f.AddCard.Do(t.Context(), caller, f.CreateCard(visa))

			require.NoError(t, err)
			assert.Equal(t, app.OverdueFailed, result.Payment.Status)
			assert.NotEmpty(t, result.Payment.Message)
			assert.Equal(t, result.ID, f.defaultCardID(caller))
		})
	}
}

func TestListCards_ReturnsTheDefaultOfIdenticalCardsAndDeleteCardDeletesAll(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	defaultCard := f.addCard(caller, visa)
	_, err := f.provider.AddCard(t.Context(), payment.NewCard{
		Key: "copy", CustomerID: f.account(caller).CustomerID, MethodID: f.CreateCard(visa), KeepDefault: true,
	})
	require.NoError(t, err)

	cards, err := f.ListCards.Do(t.Context(), caller)

	require.NoError(t, err)
	assert.Equal(t, []billing.PaymentMethod{defaultCard}, cards)
	require.NoError(t, f.DeleteCard.Do(t.Context(), caller, defaultCard.ID))
	assert.Empty(t, f.cardIDs(caller))
}

func TestSubscribe_JoinedRequestDetachesADeclinedCardAfterACrash(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	formerCard := f.addCard(caller, mastercard)
	req := app.SubscribeRequest{MethodID: f.CreateCard(declinedChargesCard), Price: standardMonthly, NoTrial: true}
	f.injectFaults(failOnce("Subscribe", flakypayment.TimeoutAfterExecution))
	_, err := f.Subscribe.Do(t.Context(), caller, req)
	assertCode(t, fault.Unavailable, err)
	if !f.provider.Capabilities().ChargesNewMethods { // otherwise the declined card was never saved
		require.Len(t, f.cardIDs(caller), 2)
	}

	sub, err := f.Subscribe.Do(t.Context(), caller, req)

	require.NoError(t, err)
	assert.Equal(t, billing.Incomplete, sub.Status)
	assert.Equal(t, []string{formerCard.ID}, f.cardIDs(caller))
	assert.Equal(t, formerCard.ID, f.defaultCardID(caller))
	f.RequireNoPendingOperations()
}

func TestSubscribe_RepeatAfterADeclineReturnsTheDeclineWithoutTheDetachedCard(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := app.SubscribeRequest{MethodID: f.CreateCard(declinedChargesCard), Price: standardMonthly, NoTrial: true}
	sub, err := f.Subscribe.Do(t.Context(), caller, req)
	require.NoError(t, err)

	repeatedSub, err := f.Subscribe.Do(t.Context(), caller, req)

	require.NoError(t, err)
	assert.Equal(t, sub.ID, repeatedSub.ID)
	assert.Equal(t, billing.NewPaymentMethod, repeatedSub.Next.Kind)
	assert.Equal(t, sub.Next.Secret, repeatedSub.Next.Secret)
	if !f.provider.Capabilities().ChargesNewMethods { // otherwise the next payment is another one
		assert.NotEmpty(t, repeatedSub.Next.Secret)
	}
}
