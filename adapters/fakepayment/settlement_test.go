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

func payInvoice(t *testing.T, e *env, s billing.Subscription) (billing.Subscription, error) {
	t.Helper()
	return e.PayInvoice(t.Context(), payment.InvoicePayment{
		Key: newKey(), InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountRemaining(),
	})
}

func TestBankAccount_PaysAfterThreeDays(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, slowAccount), "professional_yearly", 0)

	assert.Equal(t, billing.Incomplete, s.Status)
	assert.Equal(t, billing.Wait, s.Next.Kind)
	assert.Equal(t, noon.Add(3*day), s.Next.Until)
	assert.Equal(t, "Bank account •••• 6819", s.Next.Method.Label)
	_, err := payInvoice(t, e, s)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, billing.Processing, e.confirm(t, s.LatestInvoice.Payment.ClientSecret, true), "the payment needs no confirmation")

	e.advance(t, 3*day-time.Second)
	assert.Equal(t, s, getSubscription(t, e.Provider, s.ID), "the subscription does not expire")
	e.advance(t, time.Second)

	assert.Equal(t, billing.Active, getSubscription(t, e.Provider, s.ID).Status)
	assert.EqualValues(t, 81600, e.sumCharges(t, s.CustomerID))
	list, err := e.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: s.CustomerID, Limit: 1})
	require.NoError(t, err)
	want := &billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: "Bank account •••• 6819"}
	assert.Equal(t, want, list.Invoices[0].ReceivedPayments[0].Method)
}

func TestBankAccount_PaymentThatFailsAfterThreeDaysCanBePaidByCard(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, lateFailingAccount)
	s := subscribe(t, e.Provider, customerID, "professional_yearly", 0)
	documentWhileProcessing, err := e.InvoicePDF(t.Context(), customerID, s.LatestInvoice.ID)
	require.NoError(t, err)
	e.advance(t, 3*day)

	documentAfterFailure, err := e.InvoicePDF(t.Context(), customerID, s.LatestInvoice.ID)
	require.NoError(t, err)
	assert.NotEqual(t, documentWhileProcessing.PDF, documentAfterFailure.PDF,
		"only the document of a payment on its way asks not to pay a second time")
	s = getSubscription(t, e.Provider, s.ID)
	assert.Equal(t, billing.Incomplete, s.Status)
	assert.Equal(t, billing.NewPaymentMethod, s.Next.Kind)
	assert.Equal(t, "Your bank account has insufficient funds.", s.Next.Reason)
	assert.Equal(t, noon.Add(3*day), s.Next.Failed.At)

	e.advance(t, 22*time.Hour)
	addCard(t, e.Provider, customerID, visa)
	s, err = payInvoice(t, e, s)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, s.Status)
	assert.EqualValues(t, 81600, e.sumCharges(t, customerID))
}

func TestBankAccount_SubscriptionExpiresAfterItsFirstPaymentHasFailed(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, lateFailingAccount), "professional_yearly", 0)
	e.advance(t, 4*day)
	assert.Equal(t, billing.IncompleteExpired, getSubscription(t, e.Provider, s.ID).Status)
}

func TestBankAccount_RenewalIsPastDueAfterThePaymentHasFailed(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, visa)
	s := subscribe(t, e.Provider, customerID, "standard_monthly", 0)
	addCard(t, e.Provider, customerID, lateFailingAccount)
	e.advanceTo(t, s.CurrentPeriodEnd)

	renewedSub := getSubscription(t, e.Provider, s.ID)
	assert.Equal(t, billing.Active, renewedSub.Status)
	assert.Equal(t, billing.Wait, renewedSub.Next.Kind)

	var statuses []billing.Status
	for range 30 {
		e.advance(t, day)
		statuses = append(statuses, getSubscription(t, e.Provider, s.ID).Status)
	}
	// The payment fails on day 3, and its retries, which take three days each, fail on the days 9, 17 and 27.
	assert.Equal(t, billing.Active, statuses[1])
	assert.Equal(t, billing.PastDue, statuses[2])
	assert.Equal(t, billing.PastDue, statuses[25])
	assert.Equal(t, billing.Canceled, statuses[26])
	assert.EqualValues(t, 3900, e.sumCharges(t, customerID))
}

func TestBankAccount_PaymentReturnedAfterTenDaysIsOwedAgain(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, lateReturningAccount)
	s := subscribe(t, e.Provider, customerID, "professional_yearly", 0)
	e.advance(t, 10*day-time.Second)
	assert.Equal(t, billing.Active, getSubscription(t, e.Provider, s.ID).Status)

	e.advance(t, time.Second)

	s = getSubscription(t, e.Provider, s.ID)
	assert.Equal(t, billing.PastDue, s.Status)
	assert.Equal(t, "Your bank account has insufficient funds.", s.Next.Reason)
	assert.Equal(t, noon.Add(10*day), s.Next.Failed.At)
	assert.True(t, s.Next.Failed.IsReturn)
	assert.Zero(t, s.LatestInvoice.NextAttemptAt, "the invoice is never retried")
	assert.Equal(t, noon.Add(25*day), s.UnpaidEndsAt)
	inv := listInvoices(t, e.Provider, customerID)[0]
	assert.Equal(t, aud(t, 81600), inv.Returned)
	assert.Equal(t, aud(t, 81600), inv.AmountRemaining())
	assert.Zero(t, e.sumCharges(t, customerID))

	addCard(t, e.Provider, customerID, visa)
	s, err := payInvoice(t, e, s)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, s.Status)
}

func TestBankAccount_UnpaidReturnedPaymentEndsThePlan(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, lateReturningAccount)
	s := subscribe(t, e.Provider, customerID, "professional_yearly", 0)
	e.advance(t, 25*day)
	assert.Equal(t, billing.Canceled, getSubscription(t, e.Provider, s.ID).Status)
	assert.Zero(t, e.sumCharges(t, customerID))
}

func TestBankAccount_PaymentReturnedAfterAPlanChangeIsALostDispute(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, lateReturningAccount)
	s := subscribe(t, e.Provider, customerID, "standard_yearly", 0)
	e.advance(t, 4*day)
	addCard(t, e.Provider, customerID, visa)
	s = changePlan(t, e.Provider, getSubscription(t, e.Provider, s.ID), "professional_yearly")
	require.Nil(t, s.Pending)

	e.advance(t, 6*day)

	s = getSubscription(t, e.Provider, s.ID)
	assert.Equal(t, billing.Active, s.Status)
	assert.Equal(t, billing.HoldDisputed, s.Hold)
	payments, err := e.ReturnedPayments(t.Context(), customerID)
	require.NoError(t, err)
	require.Len(t, payments, 1)
	assert.Equal(t, aud(t, 42000), payments[0].Amount)
}

func TestBankAccount_SettlesAfterRestart(t *testing.T) {
	path := databasePath(t)
	p := openProvider(t, path)
	s := subscribe(t, p, newCustomer(t, p, lateReturningAccount), "professional_yearly", 0)
	stopProvider(t, p)

	for _, tt := range []struct {
		days int
		want billing.Status
	}{{2, billing.Incomplete}, {3, billing.Active}, {10, billing.PastDue}} {
		restarted, err := fakepayment.Open(fakepayment.Config{
			Path: path, Clock: fixedClock{noon.AddDate(0, 0, tt.days)}, Prices: testPrices{}, Secrets: []string{testSecret},
		})
		require.NoError(t, err)
		assert.Equal(t, tt.want, getSubscription(t, restarted, s.ID).Status)
		stopProvider(t, restarted)
	}
}
