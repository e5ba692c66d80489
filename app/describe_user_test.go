package app

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

var readsUser = step{"User", func(b *bench, err error) {
	b.store.EXPECT().User(mock.Anything, "usr_1").Return(ann, err).Once()
}}

func describe(t *testing.T) func(*bench) error {
	return func(b *bench) error {
		_, _, err := b.DescribeUser.Do(t.Context(), who)
		return err
	}
}

func TestDescribeUserBelievesAFreshCopy(t *testing.T) {
	b := newBench(t)
	readsUser.expect(b, nil)
	b.readsOrganisation(trialist(noon.Add(time.Microsecond)), nil)

	user, org, err := b.DescribeUser.Do(t.Context(), who)

	require.NoError(t, err)
	assert.Equal(t, ann, user)
	assert.Equal(t, billing.Trialing, org.Billing.License().Status)
}

// trialist is an organisation whose trial ends at the instant.
func trialist(end time.Time) account.Organisation {
	sub := subscription("sub_1", billing.Trialing, monthly)
	sub.TrialEnd, sub.CurrentPeriodEnd = end, end
	return subscriber(sub)
}

func TestPitfall17_TheTrialsEndHoldsWithoutAnyWebhook(t *testing.T) {
	b := newBench(t)
	stored := trialist(noon)
	readsUser.expect(b, nil)
	b.readsOrganisation(stored, nil)
	b.syncs(&stored, subscription("sub_1", billing.PastDue, monthly))

	_, org, err := b.DescribeUser.Do(t.Context(), who)

	require.NoError(t, err)
	assert.Equal(t, billing.PastDue, org.Billing.License().Status)
}

func TestDescribeUserAsksWhatBecameOfAnOpenPayment(t *testing.T) {
	b := newBench(t)
	stored := subscriber(subscription("sub_1", billing.Incomplete, monthly))
	readsUser.expect(b, nil)
	b.readsOrganisation(stored, nil)
	b.syncs(&stored, subscription("sub_1", billing.Active, monthly))

	_, org, err := b.DescribeUser.Do(t.Context(), who)

	require.NoError(t, err)
	assert.Equal(t, "sub_1", org.Billing.License().ID)
}

func TestDescribeUserShowsTheCopyWhenTheProviderIsSilent(t *testing.T) {
	b := newBench(t)
	readsUser.expect(b, nil)
	b.readsOrganisation(trialist(noon), nil)
	b.readsOrganisation(trialist(noon), nil)
	b.listsSubscriptions(errOutage)

	_, org, err := b.DescribeUser.Do(t.Context(), who)

	require.NoError(t, err)
	assert.Equal(t, billing.Trialing, org.Billing.License().Status)
	assert.Contains(t, b.log.String(), "org_1")
}

func TestDescribeUserDoesNotWaitLongForTheProvider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		readsUser.expect(b, nil)
		b.readsOrganisation(trialist(noon), nil)
		b.readsOrganisation(trialist(noon), nil)
		b.provider.EXPECT().ListSubscriptions(mock.Anything, "cus_1").
			RunAndReturn(func(ctx context.Context, _ string, _ ...billing.Status) ([]billing.Subscription, error) {
				<-ctx.Done()
				return nil, errOutage
			}).Once()
		began := time.Now()

		require.NoError(t, describe(t)(b))

		assert.Equal(t, describeTimeout, time.Since(began))
		time.Sleep(requestTimeout) //nolint:forbidigo // of the test's bubble: the look ends by itself
	})
}

func TestDescribeUserFails(t *testing.T) {
	fresh := reads("", newcomer)
	failsAtEveryStep(t, errOutage, []step{readsUser, fresh}, describe(t))
}
