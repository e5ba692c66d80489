package flows

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
)

// lastOfJanuary begins 400 days with a leap day, months of every length and both changes to and
// from daylight saving time, north and south.
var lastOfJanuary = time.Date(2028, 1, 31, 23, 30, 0, 0, time.UTC)

// paidOn are the days on which invoices of the subscription were made that have been paid for,
// oldest first.
func (w *world) paidOn(sub billing.Subscription) (days []string) {
	w.t.Helper()
	require.NoError(w.t, w.Bank.Read(w.t.Context(), func(b fakepayment.Snapshot) error {
		for _, inv := range b.InvoicesOf(sub.ID) {
			if inv.Status == "paid" && inv.Amount > 0 {
				days = append([]string{inv.Created.Format(time.DateOnly)}, days...)
			}
		}
		return nil
	}))
	return days
}

// dayByDay lets days go by. Whoever looks, each time, sees the truth, before any event has come.
func (w *world) dayByDay(days int, who ...identity.Identity) {
	w.t.Helper()
	for range days / daysAtOnce {
		w.Advance(daysAtOnce * day)
		for _, each := range who {
			seen := w.seen(each)
			truth, err := w.Bank.ListSubscriptions(w.t.Context(), w.account(each).CustomerID)
			require.NoError(w.t, err)
			if !truth[0].Status.Live() {
				truth[0].Status = ""
			}
			require.Equal(w.t, truth[0].Status, seen, "%s", w.Clock.Now())
		}
		w.Deliver(w.UseCases, w.Arrived()...)
	}
}

func TestFourHundredDays(t *testing.T) {
	w := inhabited(t, flowtest.At(t, lastOfJanuary, flowtest.NewDatabase(t)))
	begin := func(name, card string, price app.PriceChoice, noTrial bool) (identity.Identity, billing.Subscription) {
		who := w.Member(w.UseCases, name)
		made, err := w.Subscribe.Do(t.Context(), who, app.SubscribeRequest{CardID: w.Card(card), Price: price, NoTrial: noTrial})
		require.NoError(t, err)
		return who, made
	}
	monthly, monthlySub := begin("monthly", flowtest.Visa, standardMonthly, true)
	yearly, yearlySub := begin("yearly", flowtest.Visa, professionalYearly, false)
	never, neverSub := begin("never", flowtest.NeverCharged, standardMonthly, false)
	late, lateSub := begin("late", flowtest.NeverCharged, standardMonthly, false)

	w.dayByDay(12, monthly, yearly, never, late) // the trials have ended, and two are in dunning
	assert.Equal(t, billing.PastDue, w.seen(late))
	_, err := w.AddCard.Do(t.Context(), late, w.Card(flowtest.Visa))
	require.NoError(t, err)
	w.dayByDay(388, monthly, yearly, never, late)

	assert.Equal(t, []string{
		"2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30", "2028-05-31", "2028-06-30", "2028-07-31",
		"2028-08-31", "2028-09-30", "2028-10-31", "2028-11-30", "2028-12-31", "2029-01-31", "2029-02-28",
	}, w.paidOn(monthlySub))
	assert.Equal(t, []string{"2028-02-07", "2029-02-07"}, w.paidOn(yearlySub))
	assert.Empty(t, w.paidOn(neverSub))
	assert.Equal(t, billing.Canceled, w.account(never).PastLicense().Status)
	assert.Len(t, w.paidOn(lateSub), 13, "the first month was paid late, and none was left out")
	assert.Equal(t, billing.Active, w.seen(late))
}
