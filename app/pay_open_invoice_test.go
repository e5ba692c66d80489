package app_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestPayOpenInvoice_ChargesTheCardAndMakesItTheDefault(t *testing.T) {
	f := newFixture(t)
	caller := f.signUp()
	in := f.pendChange(caller)
	in.CardID, in.MakeDefault = f.CreateCard(mastercard), true

	paid, err := f.PayOpenInvoice.Do(t.Context(), caller, in)

	require.NoError(t, err)
	assert.Equal(t, priceOf(t, yearly), paid.Price)
	assert.Equal(t, f.cardIDs(caller)[0], f.defaultCardID(caller))
	again, err := f.PayOpenInvoice.Do(t.Context(), caller, in)
	require.NoError(t, err)
	assert.Equal(t, paid, again)
	assert.Equal(t, 2, f.paidInvoices())
	_, err = f.PayOpenInvoice.Do(t.Context(), caller, app.PayRequest{InvoiceID: "in_other", Amount: 1})
	var mismatch *app.OpenPaymentError
	require.ErrorAs(t, err, &mismatch)
	assert.Nil(t, mismatch.Open)
}

func TestPayOpenInvoice_DeclinedCardIsNotTheDefaultAndANewOneIsDetached(t *testing.T) {
	f := newFixture(t)
	caller := f.signUp()
	saved := f.addCard(caller, lostCard)
	in := f.pendChange(caller)
	before, defaultID := f.cardIDs(caller), f.defaultCardID(caller)

	for _, cardID := range []string{f.CreateCard(lostCard), saved.ID} {
		in.CardID, in.MakeDefault = cardID, true
		after, err := f.PayOpenInvoice.Do(t.Context(), caller, in)
		if err != nil {
			assertCode(t, fault.Declined, err) // the limit on hard declines
		} else {
			assert.Equal(t, billing.NewPaymentMethod, after.Next.Kind)
		}
	}

	assert.ElementsMatch(t, before, f.cardIDs(caller))
	assert.Equal(t, defaultID, f.defaultCardID(caller))
	f.RequireNothingPending()
}

func TestPayOpenInvoice_RefusesAnotherInvoiceOrAmount(t *testing.T) {
	f := newFixture(t)
	caller := f.signUp()
	in := f.pendChange(caller)
	for name, other := range map[string]app.PayRequest{
		"another invoice": {InvoiceID: "in_other", Amount: in.Amount},
		"another amount":  {InvoiceID: in.InvoiceID, Amount: in.Amount + 1},
		"a setup":         {Setup: true},
	} {
		_, err := f.PayOpenInvoice.Do(t.Context(), caller, other)
		var mismatch *app.OpenPaymentError
		require.ErrorAs(t, err, &mismatch, name)
		assertCode(t, fault.Conflict, err)
		assert.Contains(t, err.Error(), "nothing was charged")
		assert.Equal(t, in.InvoiceID, mismatch.Open.InvoiceID)
		assert.Equal(t, in.Amount, mismatch.Open.Amount.Minor())
	}
}

func TestPayOpenInvoice_ReturnsTheAuthenticationOfATrial(t *testing.T) {
	f := newFixture(t)
	caller := f.signUp()
	f.subscribe(caller, authenticatedCard, monthly, false)

	same, err := f.PayOpenInvoice.Do(t.Context(), caller, app.PayRequest{Setup: true})
	require.NoError(t, err)
	assert.NotEmpty(t, same.PendingSetup.ClientSecret)
	other, err := f.PayOpenInvoice.Do(t.Context(), caller, app.PayRequest{Setup: true, CardID: f.CreateCard(visa)})
	require.NoError(t, err)
	assert.Equal(t, billing.Trialing, other.Status)
	assert.Equal(t, f.cardIDs(caller)[0], f.defaultCardID(caller))
}
