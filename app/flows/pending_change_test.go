package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
)

const insufficientFunds = "4000000000009995"

var standardYearlyPaid = app.PriceChoice{PriceID: "standard_yearly", Interval: "yearly", Currency: "AUD"}

// paidYearly is a member who has paid for a year of the standard plan; the card becomes the default
// one afterwards.
func (w *world) paidYearly(number string) (who identity.Identity, paid billing.Subscription) {
	w.t.Helper()
	who = w.member()
	_, err := w.Subscribe.Do(w.t.Context(), who, app.SubscribeRequest{
		CardID: w.Card(flowtest.Visa), NoTrial: true, Price: standardYearlyPaid,
	})
	require.NoError(w.t, err)
	_, err = w.AddCard.Do(w.t.Context(), who, w.Card(number))
	require.NoError(w.t, err)
	return who, *w.account(who).Live()
}

// change asks for the yearly professional plan, which must be left pending.
func (w *world) change(who identity.Identity) billing.Subscription {
	w.t.Helper()
	pending, err := w.ChangePlan.Do(w.t.Context(), who, professionalYearly)
	require.NoError(w.t, err)
	require.NotNil(w.t, pending.Pending)
	return pending
}

// requireKept wants the plan that was agreed to before, with its invoices.
func (w *world) requireKept(who identity.Identity, before billing.Subscription) {
	w.t.Helper()
	license := w.license(who)
	require.NotNil(w.t, license)
	assert.Equal(w.t, billing.LicenseOf(before), *license)
	require.NoError(w.t, w.Bank.Read(w.t.Context(), func(b fakepayment.Snapshot) error {
		for _, inv := range b.InvoicesOf(before.ID) {
			if inv.ID == before.LatestInvoice.ID {
				assert.Equal(w.t, string(before.LatestInvoice.Status), string(inv.Status))
			} else {
				assert.NotEqual(w.t, "paid", string(inv.Status), "nothing else was paid")
			}
		}
		return nil
	}))
	w.requireSound(who)
}

func TestChangePlan_DeclinedOrUnauthenticatedChangeKeepsThePaidYear(t *testing.T) {
	for name, number := range map[string]string{"insufficient funds": insufficientFunds, "failed authentication": flowtest.AsksHolder} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			who, before := w.paidYearly(number)

			pending := w.change(who)
			if number == flowtest.AsksHolder {
				w.confirmed(pending.LatestInvoice.Payment, fakepayment.Fail)
			}

			w.requireKept(who, before)
			open := w.account(who).OpenPayment()
			require.NotNil(t, open)
			assert.Equal(t, billing.PlanChangePayment, open.Kind)
			assert.Equal(t, pending.Pending.Amount, open.Amount)
			assert.NotEmpty(t, open.Reason)
			w.Advance(15 * day)
			w.requireKept(who, before)
			assert.Nil(t, w.account(who).OpenPayment(), "the change has expired")
			w.Advance(300 * day)
			w.requireKept(who, before)
		})
	}
}

func TestChangePlan_DeclinedChangeGivesNoFreeProfessionalDuringTheTrial(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.subscribed(who, insufficientFunds, standardMonthly)
	before := *w.account(who).Live()

	w.change(who)

	w.requireKept(who, before)
	_, err := w.AddCard.Do(t.Context(), who, w.Card(flowtest.Visa))
	require.NoError(t, err)
	w.Advance(8 * day)
	license := w.license(who)
	assert.Equal(t, billing.Active, license.Status)
	assert.Equal(t, "standard", license.Price.Product, "the trial ends in what was agreed to")
}

func TestPayOpenInvoice_PaysThePendingChangeOnce(t *testing.T) {
	w := newWorld(t)
	who, _ := w.paidYearly(insufficientFunds)
	w.change(who)
	open := w.account(who).OpenPayment()
	in := app.PayRequest{InvoiceID: open.InvoiceID, Amount: open.Amount.Minor(), CardID: w.Card(flowtest.Mastercard), MakeDefault: true}
	paid := w.paid()

	for _, err := range together(
		func() error { _, err := w.PayOpenInvoice.Do(t.Context(), who, in); return err },
		func() error { _, err := w.PayOpenInvoice.Do(t.Context(), who, in); return err },
		func() error { _, err := w.PayOpenInvoice.Do(t.Context(), who, in); return err },
	) {
		assert.NoError(t, err)
	}

	assert.Equal(t, paid+1, w.paid())
	assert.Equal(t, "professional", w.license(who).Price.Product)
	customer, err := w.ShowCustomer.Do(t.Context(), who)
	require.NoError(t, err)
	assert.Equal(t, in.CardID, customer.Default.ID)
	w.requireNothingInDoubt()
	w.requireSound(who)
}

func TestCancelPendingChange_WhileItIsPaidIsEither(t *testing.T) {
	for range 8 {
		w := newWorld(t)
		who, before := w.paidYearly(flowtest.AsksHolder)
		pending := w.change(who)
		var after billing.Subscription
		for _, err := range together(
			func() error {
				_, _ = w.Bank.Confirm(t.Context(), fakepayment.Confirmation{
					ClientSecret: pending.Next.Secret, Outcome: fakepayment.Complete,
				}) // refused when it was dropped first
				return nil
			},
			func() (err error) { after, err = w.CancelPendingChange.Do(t.Context(), who); return err },
		) {
			require.NoError(t, err)
		}
		if after.Price == before.Price {
			w.requireKept(who, before)
		} else {
			assert.Equal(t, pending.Pending.To, after.Price, "it was made")
		}
		assert.Equal(t, after.Price, w.license(who).Price)
		w.requireSound(who)
	}
}

func TestChangePlan_EventsOfAPaidChangeReachTheLicense(t *testing.T) {
	w := newWorld(t)
	who, _ := w.paidYearly(flowtest.AsksHolder)
	pending := w.change(who)
	w.Arrived()

	w.confirmed(pending.LatestInvoice.Payment, fakepayment.Complete)
	w.Deliver(w.UseCases, w.Arrived()...)

	assert.Equal(t, "professional", w.account(who).Live().Price.Product, "nobody had to look")
	w.requireSound(who)
}

func TestCheckLicenses_FindsAnExpiredChangeWithoutAnEvent(t *testing.T) {
	w := newWorld(t)
	who, _ := w.paidYearly(insufficientFunds)
	w.change(who)
	for range 25 { // an hour each
		w.Advance(day / 24)
		_, err := w.CheckLicenses.Do(t.Context())
		require.NoError(t, err)
	}
	assert.Nil(t, w.account(who).Live().Pending)
	w.requireSound(who)
}
