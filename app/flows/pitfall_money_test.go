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
	"github.com/vc-admin/diy/ports/identity"
)

// charged is what the subscription's latest invoice came to, in minor units, and in what currency.
func (w *world) charged(sub billing.Subscription) (amount int64, currency string) {
	w.t.Helper()
	require.NoError(w.t, w.Bank.Read(w.t.Context(), func(b fakepayment.Snapshot) error {
		latest := b.InvoicesOf(sub.ID)[0]
		amount, currency = latest.Amount, latest.Currency
		return nil
	}))
	return amount, currency
}

// forSale are the prices that can be bought without asking anybody.
func forSale() (all []catalogue.PriceRef) {
	sold := catalogue.Default()
	for _, plan := range sold.Plans() {
		for _, interval := range catalogue.Intervals() {
			for _, currency := range sold.Currencies() {
				ref := catalogue.PriceRef{Product: plan.ID, Interval: interval, Currency: currency.Code}
				if sold.Enabled(ref) == nil {
					all = append(all, ref)
				}
			}
		}
	}
	return all
}

// What the plans page shows comes from the catalogue, and so does what is charged, to the cent.
func TestPitfall19_WhatIsShownIsWhatIsCharged(t *testing.T) {
	require.Len(t, forSale(), 20)
	for _, ref := range forSale() {
		t.Run(ref.PriceID()+" in "+ref.Currency, func(t *testing.T) {
			w := newWorld(t)
			made, err := w.Subscribe.Do(t.Context(), w.member(), app.SubscribeRequest{
				CardID: w.Card(flowtest.Visa), NoTrial: true,
				Price: app.PriceChoice{PriceID: ref.PriceID(), Interval: string(ref.Interval), Currency: ref.Currency},
			})
			require.NoError(t, err)
			shown, err := catalogue.Default().Price(ref)
			require.NoError(t, err)
			amount, currency := w.charged(made)
			assert.Equal(t, shown.Minor(), amount)
			assert.Equal(t, ref.Currency, currency)
		})
	}
}

// seen is the status of the license that the member sees; "" for none.
func (w *world) seen(who identity.Identity) billing.Status {
	w.t.Helper()
	if license := w.license(who); license != nil {
		return license.Status
	}
	return ""
}

func TestPitfall22_UnpaidIsNeverShownAsPaidNorPaidAsUnpaid(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	assert.Empty(t, w.seen(who), "nothing was bought")

	_, open := w.waiting(who)
	assert.Empty(t, w.seen(who), "the bank has not been satisfied")
	w.confirmed(open.LatestInvoice.Payment, fakepayment.Fail)
	assert.Empty(t, w.seen(who), "the payment has failed")

	again := subscribing(standardMonthly, true)
	require.NoError(t, again(w.Card(flowtest.NeverCharged))(t.Context(), w.UseCases, who))
	assert.Empty(t, w.seen(who), "the payment was declined")
	require.NoError(t, again(w.Card(flowtest.Visa))(t.Context(), w.UseCases, who))
	assert.Equal(t, billing.Active, w.seen(who), "it is paid")

	bad, err := w.AddCard.Do(t.Context(), who, w.Card(flowtest.NeverCharged))
	require.NoError(t, err)
	w.Advance(32 * day)
	assert.Equal(t, billing.PastDue, w.seen(who), "a month is owed, and nobody has told us")

	_, err = w.AddCard.Do(t.Context(), who, w.Card(flowtest.Visa))
	require.NoError(t, err)
	w.Advance(4 * day)
	assert.Equal(t, billing.Active, w.seen(who), "it was paid after all, and nobody has told us")

	_, err = w.SetDefaultCard.Do(t.Context(), who, bad.ID)
	require.NoError(t, err)
	w.Advance(60 * day)
	assert.Empty(t, w.seen(who), "nobody pays any more")
	assert.Equal(t, billing.Canceled, w.account(who).PastLicense().Status)
	w.requireSound(who)
}
