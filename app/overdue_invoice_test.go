package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

// pastDue is a subscription whose last bill was declined.
func pastDue() billing.Subscription {
	sub := onMonthly(billing.PastDue)
	sub.LatestInvoice = &billing.Invoice{ID: "in_1", Status: billing.InvoiceOpen, AmountDue: aud(3900), Payment: &billing.Intent{ID: "pi_1", Status: billing.RequiresPaymentMethod}}
	return sub
}

// overdue is an organisation whose last bill was not paid.
func overdue() account.Organisation { return subscriber(pastDue()) }

// makingDefault are the two ways to another default card.
var makingDefault = map[string]struct {
	ask   func(*testing.T) func(*bench) error
	calls step
}{
	"a new card":   {addCard, savesCard},
	"a saved card": {setDefault, setsDefault},
}

// begun begins the request and has the card become the default one.
func (b *bench) begun(calls step, org func() account.Organisation) {
	for _, s := range []step{
		reads("at first", org), nonePending, reads("to plan", org), beginsOperation(billing.SubscriptionOperation), reads("again", org), calls,
		settles(billing.SubscriptionOperation, noResult),
	} {
		s.expect(b, nil)
	}
}

func TestANewDefaultCardPaysTheOverdueBillAtOnce(t *testing.T) {
	for name, way := range makingDefault {
		for outcome, answer := range map[string]billing.Status{"paid": billing.Active, "declined again": billing.PastDue} {
			t.Run(name+" "+outcome, func(t *testing.T) {
				b, stored := newBench(t), overdue()
				b.begun(way.calls, overdue)
				b.syncs(&stored, pastDue())
				continues(onMonthly(answer)).expect(b, nil)
				b.updatesOrganisation(&stored, nil)

				require.NoError(t, way.ask(t)(b), "a decline does not undo the card")

				assert.Equal(t, answer, stored.Billing.Live().Status)
			})
		}
	}
}

func TestABillThatIsOverdueNoMoreIsNotPaidAgain(t *testing.T) {
	for name, way := range makingDefault {
		t.Run(name, func(t *testing.T) {
			b, stored := newBench(t), overdue()
			b.begun(way.calls, overdue)
			b.syncs(&stored, onMonthly(billing.Active))
			assert.NoError(t, way.ask(t)(b))
		})
	}
}

func TestACardIsSavedWhateverComesOfTheBill(t *testing.T) {
	failures := map[string]func(b *bench){
		"nobody tells the truth": func(b *bench) {
			b.readsOrganisation(overdue(), nil)
			b.listsSubscriptions(errOutage)
		},
		"nobody takes the payment": func(b *bench) {
			stored := overdue()
			b.syncs(&stored, pastDue())
			continues(pastDue()).expect(b, errOutage)
		},
		"nobody records the payment": func(b *bench) {
			stored := overdue()
			b.syncs(&stored, pastDue())
			continues(onMonthly(billing.Active)).expect(b, nil)
			b.updatesOrganisation(&stored, errOutage)
		},
	}
	for name, fails := range failures {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.begun(savesCard, overdue)
			fails(b)
			assert.NoError(t, addCard(t)(b))
			assert.Contains(t, b.log.String(), "overdue bill")
		})
	}
}

func TestOverdueBill_IsTriedThreeTimesPerCardAndHour(t *testing.T) {
	for name, way := range makingDefault {
		t.Run(name, func(t *testing.T) {
			b, stored := newBench(t), overdue()
			b.attempted = []billing.PaymentAttempt{{At: noon}, {At: noon}, {At: noon}}
			b.begun(way.calls, overdue)
			b.syncs(&stored, pastDue())

			require.NoError(t, way.ask(t)(b), "the card is saved, only the bill is not tried")
		})
	}
}

func TestOverdueBill_RecordsAHardDecline(t *testing.T) {
	b, stored := newBench(t), overdue()
	lost := pastDue()
	lost.LatestInvoice.Payment.HardDecline = true
	b.begun(savesCard, overdue)
	b.syncs(&stored, pastDue())
	continues(lost).expect(b, nil)
	b.store.EXPECT().RecordHardDecline(mock.Anything, mock.Anything).Return(nil).Once()
	b.updatesOrganisation(&stored, nil)

	require.NoError(t, addCard(t)(b))

	require.Len(t, b.attempted, 1)
	assert.Equal(t, "in_1", b.attempted[0].InvoiceID)
	assert.NotContains(t, b.attempted[0].Card, "pm_visa", "cards are identified by a hash")
}
