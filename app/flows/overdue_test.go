package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// overdue is a member whose renewal was declined.
func (w *world) overdue() identity.Identity {
	w.t.Helper()
	who := w.member()
	w.subscribed(who, flowtest.NeverCharged, standardMonthly)
	w.Advance(8 * day)
	require.Equal(w.t, billing.PastDue, w.license(who).Status)
	return who
}

func TestPitfall05_ANewCardPaysWhatIsOverdueAtOnce(t *testing.T) {
	w := newWorld(t)
	who := w.overdue()
	paid := w.paid()

	_, err := w.AddCard.Do(t.Context(), who, w.Card(flowtest.Visa))

	require.NoError(t, err)
	assert.Equal(t, billing.Active, w.account(who).Live().Status, "nobody had to tell us")
	assert.Equal(t, paid+1, w.paid())
	w.requireNothingInDoubt()
	w.requireSound(who)
}

func TestACardThatCanNotPayWhatIsOverdueIsTheDefaultCardAllTheSame(t *testing.T) {
	w := newWorld(t)
	who := w.overdue()

	card, err := w.AddCard.Do(t.Context(), who, w.Card(flowtest.NeverCharged))

	require.NoError(t, err)
	customer, err := w.ShowCustomer.Do(t.Context(), who)
	require.NoError(t, err)
	assert.Equal(t, card.PaymentMethod, *customer.Default)
	assert.Equal(t, billing.PastDue, w.license(who).Status)
	w.requireSound(who)
}

// Whatever comes first, no subscription is left without the card it is charged on.
func TestDeletingTheDefaultCardWhileSubscribingOnItLeavesNoTrialWithoutACard(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	card, err := w.AddCard.Do(t.Context(), who, w.Card(flowtest.Visa))
	require.NoError(t, err)
	servers := w.servers(2)

	for _, err := range together(
		func() error {
			_, err := servers[0].Subscribe.Do(t.Context(), who, app.SubscribeRequest{Price: standardMonthly})
			return err
		},
		func() error { return servers[1].DeleteCard.Do(t.Context(), who, card.ID) },
	) {
		if err != nil {
			assert.Contains(t, []fault.Code{fault.Conflict, fault.Invalid}, fault.CodeOf(err), "%v", err)
		}
	}

	customer, err := w.ShowCustomer.Do(t.Context(), who)
	require.NoError(t, err)
	assert.Equal(t, len(w.live()) == 0, customer.Default == nil)
	w.requireNothingInDoubt()
}
