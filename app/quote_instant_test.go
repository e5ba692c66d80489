package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// changeInstant returns the instant for which the latest plan change was computed.
func (f *fixture) changeInstant(caller identity.Identity) time.Time {
	f.t.Helper()
	list, err := f.provider.ListInvoices(f.t.Context(), payment.InvoiceQuery{
		CustomerID: f.account(caller).CustomerID, Limit: 1,
	})
	require.NoError(f.t, err)
	require.True(f.t, list.Invoices[0].Lines[0].Proration)
	return list.Invoices[0].Lines[0].Start
}

// changePlanWithQuote changes the plan now with the quote, and returns the error.
func (f *fixture) changePlanWithQuote(caller identity.Identity, choice app.PriceChoice, quote app.SignedQuote) error {
	f.t.Helper()
	_, err := f.ChangePlan.Do(f.t.Context(), caller, app.ChangeRequest{PriceChoice: choice, Quote: quote.Token})
	return err
}

func TestQuote_ChangeWithNothingDueKeepsItsInstantForAMinute(t *testing.T) {
	for name, tt := range map[string]struct {
		age           time.Duration // of the quote when it is confirmed
		wantBackdated bool
	}{
		"after a minute":   {time.Minute, true},
		"after 61 seconds": {61 * time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			f.subscribe(caller, visa, professionalMonthly, true)
			f.Advance(10 * day)
			quote := f.requestQuote(caller, standardMonthly, billing.ChangeNow)
			require.Zero(t, quote.DueNow.Minor())
			f.Advance(tt.age)

			require.NoError(t, f.changePlanWithQuote(caller, standardMonthly, quote), "the credit is the same to the cent")

			want := f.Clock.Now()
			if tt.wantBackdated {
				want = quote.At
			}
			assert.Equal(t, want, f.changeInstant(caller))
		})
	}
}

// The credit for a yearly plan decreases by more than a cent in nine minutes.
func TestQuote_ChangeNeedsANewQuoteAfterTheCreditDecreases(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, professionalYearly, true)
	f.Advance(day)
	quote := f.requestQuote(caller, standardMonthly, billing.ChangeNow)
	f.Advance(9*time.Minute + 50*time.Second)

	var quoteErr *app.QuoteError
	require.ErrorAs(t, f.changePlanWithQuote(caller, standardMonthly, quote), &quoteErr)

	assert.Less(t, quoteErr.NewQuote.CreditAfter.Minor(), quote.CreditAfter.Minor())
	require.NoError(t, f.changePlanWithQuote(caller, standardMonthly, quoteErr.NewQuote))
	assert.Equal(t, f.Clock.Now(), f.changeInstant(caller))
	customer, err := f.provider.Customer(t.Context(), f.account(caller).CustomerID)
	require.NoError(t, err)
	assert.Equal(t, quoteErr.NewQuote.CreditAfter, customer.Credit)
}

func TestQuote_ChangeIsAcceptedAfterTheCreditIncreases(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, professionalMonthly, true)
	f.Advance(day)
	quote := f.requestQuote(caller, standardMonthly, billing.ChangeNow)
	f.addCredit(caller, 1000)
	f.Advance(5 * time.Minute)
	assert.NoError(t, f.changePlanWithQuote(caller, standardMonthly, quote))
}

// The amount due for a change from a more expensive plan to a longer interval increases with time.
func TestQuote_ChangeNeedsANewQuoteAfterTheAmountDueIncreases(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, professionalMonthly, true)
	f.Advance(10 * day)
	quote := f.requestQuote(caller, standardYearly, billing.ChangeNow)
	require.Positive(t, quote.DueNow.Minor())
	f.Advance(9*time.Minute + 50*time.Second)

	var quoteErr *app.QuoteError
	require.ErrorAs(t, f.changePlanWithQuote(caller, standardYearly, quote), &quoteErr)

	assert.Greater(t, quoteErr.NewQuote.DueNow.Minor(), quote.DueNow.Minor())
	assert.Equal(t, f.Clock.Now(), quoteErr.NewQuote.At)
}

// A change that is computed for the quoted instant also charges for the time since the quote, so the customer gains
// nothing by waiting.
func TestQuote_UpgradeIsComputedForTheInstantOfItsQuote(t *testing.T) {
	for name, choice := range map[string]app.PriceChoice{"same interval": standardYearly, "longer interval": standardMonthly} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			f.subscribe(caller, visa, choice, true)
			f.Advance(10 * day)
			quote := f.requestQuote(caller, professionalYearly, billing.ChangeNow)
			f.Advance(9*time.Minute + 50*time.Second)

			require.NoError(t, f.changePlanWithQuote(caller, professionalYearly, quote))

			assert.Equal(t, quote.At, f.changeInstant(caller))
			assert.Equal(t, quote.DueNow, f.account(caller).LiveSubscription().LatestInvoice.AmountDue)
		})
	}
}

func TestQuote_TrialBeginsAtTheTimeOfTheRequest(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	quote := f.requestQuote(caller, standardMonthly, billing.ChangeNow)
	f.Advance(9*time.Minute + 50*time.Second)
	sub, err := f.Subscribe.Do(t.Context(), caller,
		app.SubscribeRequest{MethodID: f.CreateCard(visa), Price: standardMonthly, Quote: quote.Token})
	require.NoError(t, err)
	assert.Equal(t, f.Clock.Now().AddDate(0, 0, 7), sub.TrialEnd)
}

// increasedPrices is a catalogue that adds the increase, in minor units, to all prices.
type increasedPrices struct {
	*catalogue.Catalogue
	increase int64
}

func (p *increasedPrices) Price(ref catalogue.PriceRef) (money.Amount, error) {
	amount, err := p.Catalogue.Price(ref)
	if err != nil {
		return amount, err
	}
	return money.New(amount.Minor()+p.increase, ref.Currency)
}

func TestQuote_IsRefusedAfterTheAmountOfTheNextChargeChanges(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(f *fixture, caller identity.Identity)
		choice  app.PriceChoice
		timing  billing.ChangeTiming
	}{
		"trial": {func(*fixture, identity.Identity) {}, standardMonthly, billing.ChangeNow},
		"change at renewal": {func(f *fixture, caller identity.Identity) { f.subscribe(caller, visa, standardMonthly, true) },
			professionalMonthly, billing.ChangeAtRenewal},
	} {
		t.Run(name, func(t *testing.T) {
			prices := &increasedPrices{Catalogue: catalogue.Default()}
			f := newFixture(t, apptest.WithProvider(func(c *fakepayment.Config) { c.Prices = prices }))
			caller := f.signUp()
			tt.prepare(f, caller)
			card := f.CreateCard(visa)
			confirm := func(quote app.SignedQuote) error {
				if tt.timing == billing.ChangeAtRenewal {
					_, err := f.ChangePlan.Do(t.Context(), caller,
						app.ChangeRequest{PriceChoice: tt.choice, When: tt.timing, Quote: quote.Token})
					return err
				}
				_, err := f.Subscribe.Do(t.Context(), caller,
					app.SubscribeRequest{MethodID: card, Price: tt.choice, Quote: quote.Token})
				return err
			}
			quote := f.requestQuote(caller, tt.choice, tt.timing)
			require.Zero(t, quote.DueNow.Minor())

			prices.increase = 1000
			var quoteErr *app.QuoteError
			require.ErrorAs(t, confirm(quote), &quoteErr)

			assert.Equal(t, quote.Next.Amount.Minor()+1000, quoteErr.NewQuote.Next.Amount.Minor())
			require.NoError(t, confirm(quoteErr.NewQuote))
			f.Advance(32 * day)
			charges := f.User(caller).Charges()
			assert.Equal(t, quoteErr.NewQuote.Next.Amount.Minor(), charges[len(charges)-1].Amount)
		})
	}
}

// An operator has extended the trial since the quote of a change at its end.
func TestQuote_IsRefusedAfterTheDateOfTheNextChargeChanges(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	trialSub := f.subscribe(caller, visa, standardMonthly, false)
	quote := f.requestQuote(caller, professionalMonthly, billing.ChangeAtRenewal)
	_, err := f.provider.ExtendTrial(t.Context(),
		payment.TrialExtension{Key: "later", SubscriptionID: trialSub.ID, Until: trialSub.TrialEnd.AddDate(0, 0, 7)})
	require.NoError(t, err)
	_, err = f.ChangePlan.Do(t.Context(), caller,
		app.ChangeRequest{PriceChoice: professionalMonthly, When: billing.ChangeAtRenewal, Quote: quote.Token})
	var quoteErr *app.QuoteError
	require.ErrorAs(t, err, &quoteErr)
	assert.Equal(t, trialSub.TrialEnd.AddDate(0, 0, 7), quoteErr.NewQuote.Next.At)
}
