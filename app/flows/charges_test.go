package flows

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
)

// enabledPrices returns all prices of the catalogue that are for sale.
func enabledPrices() (all []catalogue.PriceRef) {
	prices := catalogue.Default()
	for _, plan := range prices.Plans() {
		for _, interval := range catalogue.Intervals() {
			for _, currency := range prices.Currencies() {
				ref := catalogue.PriceRef{Product: plan.ID, Interval: interval, Currency: currency.Code}
				if prices.CheckEnabled(ref) == nil {
					all = append(all, ref)
				}
			}
		}
	}
	return all
}

func TestSubscribe_ChargesTheDisplayedPrice(t *testing.T) {
	require.Len(t, enabledPrices(), 20)
	for _, ref := range enabledPrices() {
		t.Run(ref.PriceID()+" in "+ref.Currency, func(t *testing.T) {
			_, user := signUp(t)
			user.SubscribeWithoutTrial(apptest.Visa,
				app.PriceChoice{PriceID: ref.PriceID(), Interval: string(ref.Interval), Currency: ref.Currency})
			displayedPrice, err := catalogue.Default().Price(ref)
			require.NoError(t, err)
			require.Len(t, user.Charges(), 1)
			assert.Equal(t, displayedPrice.Minor(), user.Charges()[0].Amount)
			assert.Equal(t, ref.Currency, user.Charges()[0].Currency)
		})
	}
}

func TestDescribeUser_LicenseIsDisplayedOnlyWhilePaid(t *testing.T) {
	env, user := signUp(t)
	assert.Empty(t, user.LicenseStatus())

	openSub := user.SubscribeWithoutTrial(apptest.AuthenticationCard, apptest.StandardMonthly)
	assert.Empty(t, user.LicenseStatus())
	env.ConfirmIntent(openSub.LatestInvoice.Payment, fakepayment.OutcomeFail)
	assert.Empty(t, user.LicenseStatus())

	user.SubscribeWithoutTrial(apptest.DeclinedChargesCard, apptest.StandardMonthly)
	assert.Empty(t, user.LicenseStatus())
	user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	assert.Equal(t, billing.Active, user.LicenseStatus())

	declinedCard := user.AddCard(apptest.DeclinedChargesCard)
	env.Advance(32 * day)
	assert.Equal(t, billing.PastDue, user.LicenseStatus(), "a month is overdue")

	user.AddCard(apptest.Visa)
	env.Advance(4 * day)
	assert.Equal(t, billing.Active, user.LicenseStatus())

	_, err := env.App.SetDefaultCard.Do(t.Context(), user.Identity, declinedCard.ID)
	require.NoError(t, err)
	env.Advance(60 * day)
	assert.Empty(t, user.LicenseStatus())
	assert.Equal(t, billing.Canceled, user.Account().PastLicense().Status)
	env.RequireCopyMatchesProvider(user)
}

// endOfJanuary starts 400 days with a leap day, months of all lengths and daylight saving changes.
var endOfJanuary = time.Date(2028, 1, 31, 23, 30, 0, 0, time.UTC)

// advanceAndCheckLicenses advances the clock in steps of daysPerStep. After each step it requires that the displayed
// licenses equal the provider's state, and then delivers the events.
func (env *testEnv) advanceAndCheckLicenses(days int, users ...*apptest.User) {
	env.t.Helper()
	for range days / daysPerStep {
		env.Advance(daysPerStep * day)
		for _, user := range users {
			status := user.LicenseStatus()
			subs, err := env.Provider.ListSubscriptions(env.t.Context(), user.Account().CustomerID)
			require.NoError(env.t, err)
			if !subs[0].Status.Live() {
				subs[0].Status = ""
			}
			require.Equal(env.t, subs[0].Status, status, "%s", env.Clock.Now())
		}
		env.DeliverEvents()
	}
}

func TestLicense_EqualsTheProvidersStateFor400Days(t *testing.T) {
	env := newEnv(t, apptest.WithStart(endOfJanuary))
	monthlyUser, yearlyUser := env.SignUp("monthly"), env.SignUp("yearly")
	nonPayer, latePayer := env.SignUp("never"), env.SignUp("late")
	monthlyUser.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	yearlyUser.Subscribe(apptest.Visa, apptest.ProfessionalYearly)
	nonPayer.Subscribe(apptest.DeclinedChargesCard, apptest.StandardMonthly)
	latePayer.Subscribe(apptest.DeclinedChargesCard, apptest.StandardMonthly)

	env.advanceAndCheckLicenses(12, monthlyUser, yearlyUser, nonPayer, latePayer) // the trials have ended, and two invoices are overdue
	assert.Equal(t, billing.PastDue, latePayer.LicenseStatus())
	latePayer.AddCard(apptest.Visa)
	env.advanceAndCheckLicenses(388, monthlyUser, yearlyUser, nonPayer, latePayer)

	assert.Equal(t, []string{
		"2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30", "2028-05-31", "2028-06-30", "2028-07-31",
		"2028-08-31", "2028-09-30", "2028-10-31", "2028-11-30", "2028-12-31", "2029-01-31", "2029-02-28",
	}, invoiceDays(monthlyUser))
	assert.Equal(t, []string{"2028-02-07", "2029-02-07"}, invoiceDays(yearlyUser))
	assert.Empty(t, nonPayer.Charges())
	assert.Equal(t, billing.Canceled, nonPayer.Account().PastLicense().Status)
	assert.Len(t, latePayer.Charges(), 13, "the overdue month included")
	assert.Equal(t, billing.Active, latePayer.LicenseStatus())
}

// invoiceDays returns the days on which the paid invoices were issued.
func invoiceDays(user *apptest.User) (days []string) {
	for _, charge := range user.Charges() {
		days = append(days, charge.InvoicedAt.Format(time.DateOnly))
	}
	return days
}
