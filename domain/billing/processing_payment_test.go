package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// newProcessingAccounts returns an account for each kind of payment that can be processing.
func newProcessingAccounts() map[billing.OpenPaymentKind]*billing.Account {
	return map[billing.OpenPaymentKind]*billing.Account{
		billing.FirstPayment:      newAccount(makePaymentProcessing(newDeclinedSub(billing.Incomplete))),
		billing.RenewalPayment:    newAccount(makePaymentProcessing(newDeclinedSub(billing.Active))),
		billing.OverduePayment:    newAccount(makePaymentProcessing(newDeclinedSub(billing.PastDue))),
		billing.PlanChangePayment: newAccount(makePaymentProcessing(newSubWithPendingChange(billing.Active))),
		billing.OwedPayment:       newAccount(makePaymentProcessing(newDeclinedSub(billing.Canceled))),
	}
}

func TestAccount_ProcessingPaymentIsNotOpen(t *testing.T) {
	method := bankAccount
	method.Fingerprint = ""
	for kind, a := range newProcessingAccounts() {
		t.Run(string(kind), func(t *testing.T) {
			p := a.ProcessingPayment()
			require.NotNil(t, p)
			assert.Equal(t, kind, p.Kind)
			assert.Positive(t, p.Amount.Minor())
			assert.Equal(t, &method, p.Method)
			assert.Equal(t, day0.AddDate(0, 0, 3), p.ExpectedBy)
			assert.Nil(t, a.OpenPayment(), "the payment can't be made again")
			assert.Empty(t, billing.DecideOverduePayment(a))
			assert.True(t, a.PaymentInProgress(), "the payment method is still in use")
			assert.True(t, a.IsStale(day0))
			assert.Equal(t, kind == billing.FirstPayment, a.StartingSubscription() != nil)
		})
	}
	a := newAccount(newDeclinedSub(billing.PastDue))
	assert.Nil(t, a.ProcessingPayment())
	assert.Nil(t, newAccount(newDeclinedSub(billing.Incomplete)).StartingSubscription())
}

func TestAccount_RefusesPurchaseAndChangeWhilePaymentIsProcessing(t *testing.T) {
	for kind, a := range newProcessingAccounts() {
		t.Run(string(kind), func(t *testing.T) {
			for _, purchase := range []billing.Purchase{{Price: professionalAUD}, {Price: standardAUD}} {
				_, err := billing.DecidePurchase(a, purchase)
				assertFault(t, err, fault.Conflict, "")
			}
			_, err := billing.DecideChange(a, billing.Change{To: standardAUD})
			assertFault(t, err, fault.Conflict, "")
		})
	}
	accounts := newProcessingAccounts()
	assertFault(t, billing.CheckSubscribe(accounts[billing.FirstPayment], standardAUD), fault.Conflict,
		"Your payment of $816 AUD is on its way, and your plan starts when it has arrived.")
	assertFault(t, billing.CheckSubscribe(accounts[billing.OwedPayment], standardAUD), fault.Conflict,
		"You can subscribe again when it has arrived.")
	assertFault(t, billing.CheckChange(accounts[billing.RenewalPayment], billing.Change{To: standardAUD}), fault.Conflict,
		"Your last payment is on its way.")
}

func TestDecide_PendingChangeCannotBeCanceledWhilePaymentIsProcessing(t *testing.T) {
	a := newProcessingAccounts()[billing.PlanChangePayment]
	_, err := billing.DecideCancelPendingChange(a)
	assertFault(t, err, fault.Conflict, "The change is made when it has arrived.")
	_, err = billing.DecideEnd(a, day0, true)
	assertFault(t, err, fault.Conflict, "The change is made when it has arrived.")
}

func TestDecideEnd_EndsAtPeriodEndWhileRenewalPaymentIsProcessing(t *testing.T) {
	a := newProcessingAccounts()[billing.RenewalPayment]
	actions, err := billing.DecideEnd(a, day0, true)
	require.NoError(t, err)
	assert.Equal(t, billing.EndAtPeriodEndAction, actions[0].Kind)
}
