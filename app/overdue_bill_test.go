package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

// overdue is an organisation whose last bill was not paid.
func overdue() account.Organisation { return subscriber(onMonthly(billing.PastDue)) }

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
		reads("at first", org), beginsOperation(billing.SubscriptionLane), reads("again", org), calls,
		settles(billing.SubscriptionLane, noSubscription),
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
				b.syncs(&stored, onMonthly(billing.PastDue))
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
			b.syncs(&stored, onMonthly(billing.PastDue))
			continues(onMonthly(billing.PastDue)).expect(b, errOutage)
		},
		"nobody records the payment": func(b *bench) {
			stored := overdue()
			b.syncs(&stored, onMonthly(billing.PastDue))
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
