package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

// joinsChange finds that a repeat began before; the truth is what the provider says by now.
func (b *bench) joinsChange(stored *account.Organisation, truth billing.Subscription) {
	b.joinsOperation(time.Second)
	b.readsOrganisation(*stored, nil)
	b.syncs(stored, truth)
	b.updatesOrganisation(stored, nil)
	b.store.EXPECT().SettleOperation(mock.Anything, "op_first", "sub_1", noon).Return(nil).Once()
}

func TestPitfall08_ARepeatAfterTheChangeShowsNoFailure(t *testing.T) {
	b, stored := newBench(t), subscribed()
	done := subscription("sub_1", billing.Active, yearly)
	b.joinsChange(&stored, done)
	b.provider.EXPECT().Subscription(mock.Anything, "sub_1").Return(done, nil).Once()

	changed, err := b.ChangePlan.Do(t.Context(), who, choseYearly)

	require.NoError(t, err)
	assert.Equal(t, yearly, changed.Price)
}

func TestChangePlanRepeatedBelievesTheTruthNotTheAnswerGivenAgain(t *testing.T) {
	b, stored := newBench(t), subscribed()
	b.joinsChange(&stored, onMonthly(billing.Active))
	changesTo(yearly).expect(b, nil)
	overdue := subscription("sub_1", billing.PastDue, yearly)
	b.provider.EXPECT().Subscription(mock.Anything, "sub_1").Return(overdue, nil).Once()

	changed, err := b.ChangePlan.Do(t.Context(), who, choseYearly)

	require.NoError(t, err)
	assert.Equal(t, billing.PastDue, changed.Status)
	assert.Equal(t, billing.PastDue, stored.Billing.Live().Status)
}
