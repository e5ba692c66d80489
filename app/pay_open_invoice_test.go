package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

func TestPayOpenInvoice_ChargesTheCardAndMakesItTheDefault(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := f.createPendingChange(caller)
	req.MethodID, req.MakeDefault = f.CreateCard(mastercard), true

	sub, err := f.PayOpenInvoice.Do(t.Context(), caller, req)

	require.NoError(t, err)
	assert.Equal(t, priceOf(t, professionalYearly), sub.Price)
	assert.Equal(t, f.cardIDs(caller)[0], f.defaultCardID(caller))
	repeatedSub, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.Equal(t, sub, repeatedSub)
	assert.Len(t, f.User(caller).Charges(), 2)
	_, err = f.PayOpenInvoice.Do(t.Context(), caller, app.PayRequest{InvoiceID: "in_other", Amount: 1})
	var mismatch *app.OpenPaymentError
	require.ErrorAs(t, err, &mismatch)
	assert.Nil(t, mismatch.OpenPayment)
}

func TestPayOpenInvoice_DeclineKeepsTheDefaultAndDetachesANewCard(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	savedCard := f.addCard(caller, lostCard)
	req := f.createPendingChange(caller)
	originalCardIDs, originalDefaultID := f.cardIDs(caller), f.defaultCardID(caller)

	for _, cardID := range []string{f.CreateCard(lostCard), savedCard.ID} {
		req.MethodID, req.MakeDefault = cardID, true
		sub, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
		if err != nil {
			assertCode(t, fault.Declined, err) // the limit on hard declines
		} else {
			assert.Equal(t, billing.NewPaymentMethod, sub.Next.Kind)
		}
	}

	assert.ElementsMatch(t, originalCardIDs, f.cardIDs(caller))
	assert.Equal(t, originalDefaultID, f.defaultCardID(caller))
	f.RequireNoPendingOperations()
}

func TestPayOpenInvoice_RefusesAnotherInvoiceOrAmount(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := f.createPendingChange(caller)
	for name, otherReq := range map[string]app.PayRequest{
		"another invoice": {InvoiceID: "in_other", Amount: req.Amount},
		"another amount":  {InvoiceID: req.InvoiceID, Amount: req.Amount + 1},
		"a setup":         {Setup: true},
	} {
		_, err := f.PayOpenInvoice.Do(t.Context(), caller, otherReq)
		var mismatch *app.OpenPaymentError
		require.ErrorAs(t, err, &mismatch, name)
		assertCode(t, fault.Conflict, err)
		assert.Contains(t, err.Error(), "nothing was charged")
		assert.Equal(t, req.InvoiceID, mismatch.OpenPayment.InvoiceID)
		assert.Equal(t, req.Amount, mismatch.OpenPayment.Amount.Minor())
	}
}

func TestPayOpenInvoice_SetupReturnsTheAuthenticationOfATrialsCard(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, authenticationCard, standardMonthly, false)

	sub, err := f.PayOpenInvoice.Do(t.Context(), caller, app.PayRequest{Setup: true})
	require.NoError(t, err)
	assert.NotEmpty(t, sub.PendingSetup.ClientSecret)
	sub, err = f.PayOpenInvoice.Do(t.Context(), caller, app.PayRequest{Setup: true, MethodID: f.CreateCard(visa)})
	require.NoError(t, err)
	assert.Equal(t, billing.Trialing, sub.Status)
	assert.Equal(t, f.cardIDs(caller)[0], f.defaultCardID(caller))
}

// createOwedInvoice ends an overdue subscription so that its invoice stays owed, and returns the request that pays the
// invoice.
func (f *fixture) createOwedInvoice(caller identity.Identity) app.PayRequest {
	f.t.Helper()
	f.subscribe(caller, visa, standardMonthly, true)
	f.failNextCharge(caller)
	f.recordVoidedInvoice(caller)
	require.Equal(f.t, billing.Canceled, f.endSubscription(caller).Status)
	payment := f.account(caller).OpenPayment()
	require.NotNil(f.t, payment)
	require.Equal(f.t, billing.OwedPayment, payment.Kind)
	return app.PayRequest{InvoiceID: payment.InvoiceID, Amount: payment.Amount.Minor()}
}

func TestPayOpenInvoice_PayingAnOwedInvoiceAllowsSubscribing(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := f.createOwedInvoice(caller)

	declinedSub, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
	require.NoError(t, err)
	assert.Equal(t, billing.NewPaymentMethod, declinedSub.Next.Kind)
	_, err = f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly})
	assert.ErrorContains(t, err, "$39 AUD, is not paid")
	req.MethodID, req.MakeDefault = f.CreateCard(visa), true
	for range 2 {
		sub, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
		require.NoError(t, err)
		assert.Equal(t, billing.Canceled, sub.Status)
		assert.Equal(t, billing.InvoicePaid, sub.LatestInvoice.Status)
	}

	assert.Len(t, f.User(caller).Charges(), 2)
	assert.Equal(t, f.cardIDs(caller)[0], f.defaultCardID(caller))
	assert.Nil(t, f.account(caller).OpenPayment())
	assert.Nil(t, f.license(caller))
	newSub, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly, NoTrial: true})
	require.NoError(t, err)
	assert.Equal(t, billing.Active, newSub.Status)
	f.RequireNoPendingOperations()
}

// The event of the payment is lost. The copy is refreshed when it is read.
func TestPayOpenInvoice_OwedInvoiceApprovedInTheBrowserIsSettledWithoutAnEvent(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := f.createOwedInvoice(caller)
	req.MethodID = f.CreateCard(authenticationCard)
	sub, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
	require.NoError(t, err)
	require.Equal(t, billing.ConfirmPayment, sub.Next.Kind)

	_, err = f.provider.Confirm(t.Context(),
		fakepayment.Confirmation{ClientSecret: sub.Next.Secret, Outcome: fakepayment.OutcomeComplete})
	require.NoError(t, err)
	f.TakeEvents()

	_, org, err := f.DescribeUser.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Nil(t, org.Billing.OpenPayment())
}

func TestPayOpenInvoice_OwedInvoiceIsChargedOnceAfterATimeout(t *testing.T) {
	for name, kind := range map[string]flakypayment.FaultKind{
		"timeout before the charge": flakypayment.TimeoutBeforeExecution,
		"timeout after the charge":  flakypayment.TimeoutAfterExecution,
	} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			req := f.createOwedInvoice(caller)
			req.MethodID = f.CreateCard(visa)
			f.injectFaults(failOnce("PayInvoice", kind))
			_, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
			assertCode(t, fault.Unavailable, err)

			f.Advance(takeoverWait)
			_, err = f.Reconcile.Do(t.Context())
			require.NoError(t, err)
			sub, err := f.PayOpenInvoice.Do(t.Context(), caller, req)

			require.NoError(t, err)
			assert.Equal(t, billing.InvoicePaid, sub.LatestInvoice.Status)
			assert.Len(t, f.User(caller).Charges(), 2)
			f.RequireNoPendingOperations()
		})
	}
}

func TestPayOpenInvoice_LimitsPaymentAttemptsOnAnOwedInvoice(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := f.createOwedInvoice(caller)
	for range billing.MaxPaymentAttempts {
		_, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
		require.NoError(t, err)
	}
	_, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
	assertCode(t, fault.RateLimited, err)
	f.Advance(time.Hour)
	_, err = f.PayOpenInvoice.Do(t.Context(), caller, req)
	require.NoError(t, err)
}

func TestPayOpenInvoice_RefusesTheOwedInvoiceOfADeletedCustomer(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	req := f.createOwedInvoice(caller)
	require.NoError(t, f.provider.DeleteCustomer(t.Context(), f.account(caller).CustomerID))
	f.DeliverEvents()
	_, err := f.PayOpenInvoice.Do(t.Context(), caller, req)
	var mismatch *app.OpenPaymentError
	require.ErrorAs(t, err, &mismatch)
	assert.Nil(t, mismatch.OpenPayment, "there is nothing to pay any more")
}
