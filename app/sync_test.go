package app

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// syncOf is the bench's own sync.
func (b *bench) syncOf() *billingSync { return b.Subscribe.sync }

// overtakes lets somebody else record meanwhile, right before our own update.
func (b *bench) overtakes(stored *account.Organisation, subs ...billing.Subscription) {
	b.store.EXPECT().UpdateOrganisation(mock.Anything, "org_1", mock.Anything).RunAndReturn(
		func(_ context.Context, _ string, fn func(*account.Organisation) error) (account.Organisation, error) {
			stored.Billing.Record(subs...)
			return account.Organisation{}, fn(stored)
		}).Once()
}

func TestSyncRecordsTheTruth(t *testing.T) {
	b, stored := newBench(t), newcomer()
	b.syncs(&stored, subscription("sub_1", billing.Active, monthly))

	org, err := b.syncOf().refresh(t.Context(), "org_1")

	require.NoError(t, err)
	assert.Equal(t, stored, org)
	assert.Equal(t, "sub_1", org.Billing.Live().ID)
}

func TestSyncWithoutACustomerAsksNobody(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(stranger(), nil)
	org, err := b.syncOf().refresh(t.Context(), "org_1")
	require.NoError(t, err)
	assert.Equal(t, stranger(), org)
}

func TestSyncFails(t *testing.T) {
	steps := []step{reads("", newcomer), lists(), updates("", newcomer)}
	failsAtEveryStep(t, errOutage, steps, func(b *bench) error {
		_, err := b.syncOf().refresh(t.Context(), "org_1")
		return err
	})
}

func TestPitfall07_AnOlderAnswerNeverDowngradesANewerState(t *testing.T) {
	b, stored := newBench(t), newcomer()
	b.readsOrganisation(stored, nil)
	b.listsSubscriptions(nil, subscription("sub_1", billing.Incomplete, monthly)) // asked before it was paid
	b.overtakes(&stored, subscription("sub_1", billing.Active, monthly))          // recorded after it was paid
	b.store.EXPECT().Organisation(mock.Anything, "org_1").
		RunAndReturn(func(context.Context, string) (account.Organisation, error) { return stored, nil }).Once()
	b.listsSubscriptions(nil, subscription("sub_1", billing.Active, monthly))
	b.updatesOrganisation(&stored, nil)

	org, err := b.syncOf().refresh(t.Context(), "org_1")

	require.NoError(t, err)
	assert.Equal(t, billing.Active, org.Billing.Live().Status)
}

func TestSync_AsksABoundedNumberOfTimes(t *testing.T) {
	b, stored := newBench(t), newcomer()
	b.store.EXPECT().Organisation(mock.Anything, "org_1").
		RunAndReturn(func(context.Context, string) (account.Organisation, error) { return apart(stored), nil }).Times(maxSyncAttempts)
	for i := range maxSyncAttempts {
		b.listsSubscriptions(nil)
		b.overtakes(&stored, subscription("sub_"+strconv.Itoa(i), billing.Canceled, monthly))
	}
	_, err := b.syncOf().refresh(t.Context(), "org_1")
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

// slowLooks counts the questions for the truth, and answers each after a second with a subscription
// named after the question.
func slowLooks(t *testing.T) (b *bench, asked *atomic.Int64) {
	b, asked = newBench(t), new(atomic.Int64)
	var mu sync.Mutex
	stored := newcomer()
	b.store.EXPECT().Organisation(mock.Anything, "org_1").
		RunAndReturn(func(context.Context, string) (account.Organisation, error) {
			mu.Lock()
			defer mu.Unlock()
			return apart(stored), nil
		})
	b.store.EXPECT().UpdateOrganisation(mock.Anything, "org_1", mock.Anything).RunAndReturn(
		func(_ context.Context, _ string, fn func(*account.Organisation) error) (account.Organisation, error) {
			mu.Lock()
			defer mu.Unlock()
			err := fn(&stored)
			return apart(stored), err
		})
	b.provider.EXPECT().ListSubscriptions(mock.Anything, "cus_1").
		RunAndReturn(func(context.Context, string, ...billing.Status) ([]billing.Subscription, error) {
			sub := subscription("sub_1", billing.Active, monthly)
			sub.CurrentPeriodEnd = noon.Add(time.Duration(asked.Add(1)) * time.Hour)
			time.Sleep(time.Second) //nolint:forbidigo // of the test's bubble
			return []billing.Subscription{sub}, nil
		})
	return b, asked
}

func TestSync_FortyAtOnceShareTwoLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, asked := slowLooks(t)
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				_, err := b.syncOf().refresh(t.Context(), "org_1")
				assert.NoError(t, err)
			})
		}
		all.Wait()
		assert.Equal(t, int64(2), asked.Load(), "one for the first, and one for all who came while it was under way")
	})
}

func TestSync_NobodyGetsAnAnswerOlderThanTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, asked := slowLooks(t)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				before := asked.Load()
				org, err := b.syncOf().refresh(t.Context(), "org_1")
				assert.NoError(t, err)
				assert.True(t, org.Billing.Live().CurrentPeriodEnd.After(noon.Add(time.Duration(before)*time.Hour)))
			})
			time.Sleep(300 * time.Millisecond) //nolint:forbidigo // of the test's bubble
		}
		all.Wait()
		assert.LessOrEqual(t, asked.Load(), int64(8), "looks follow one another")
	})
}

func TestSync_CallerWhoLeavesDoesNotEndTheLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, asked := slowLooks(t)
		ctx, leave := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer leave()
		_, err := b.syncOf().refresh(ctx, "org_1")
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
		time.Sleep(time.Minute) //nolint:forbidigo // of the test's bubble
		assert.Equal(t, int64(1), asked.Load())
		org, err := b.syncOf().refresh(t.Context(), "org_1")
		require.NoError(t, err)
		assert.Equal(t, int64(2), org.Billing.Revision, "both looks were recorded")
	})
}

func TestSync_PanicIsAnAnswer(t *testing.T) {
	b := newBench(t)
	b.store.EXPECT().Organisation(mock.Anything, "org_1").
		RunAndReturn(func(context.Context, string) (account.Organisation, error) { panic("defect") }).Twice()
	for range 2 {
		_, err := b.syncOf().refresh(t.Context(), "org_1")
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	}
	assert.Contains(t, b.log.String(), "defect")
}

func TestPitfall11_AForeignProductGrantsNoLicense(t *testing.T) {
	b, stored := newBench(t), newcomer()
	foreign := subscription("sub_other", billing.Active, monthly)
	foreign.Price.Product = ""
	b.syncs(&stored, foreign, subscription("sub_1", billing.Canceled, monthly))

	org, err := b.syncOf().refresh(t.Context(), "org_1")

	require.NoError(t, err)
	assert.Nil(t, org.Billing.License())
	assert.Equal(t, "sub_1", org.Billing.PastLicense().ID)
	assert.Contains(t, b.log.String(), "sub_other")
}

func TestKeepRecordsTheAnswerToARequest(t *testing.T) {
	b, stored := newBench(t), newcomer()
	b.updatesOrganisation(&stored, nil)

	require.NoError(t, b.syncOf().record(t.Context(), stored, subscription("sub_1", billing.Active, monthly)))

	assert.Equal(t, "sub_1", stored.Billing.Live().ID)
}

func TestKeepAsksAfreshWhenSomebodyRecordedMeanwhile(t *testing.T) {
	b, stored := newBench(t), newcomer()
	seen := stored
	b.overtakes(&stored, subscription("sub_1", billing.PastDue, monthly))
	b.store.EXPECT().Organisation(mock.Anything, "org_1").
		RunAndReturn(func(context.Context, string) (account.Organisation, error) { return stored, nil }).Once()
	b.listsSubscriptions(nil, subscription("sub_1", billing.PastDue, monthly))
	b.updatesOrganisation(&stored, nil)

	require.NoError(t, b.syncOf().record(t.Context(), seen, subscription("sub_1", billing.Active, monthly)))

	assert.Equal(t, billing.PastDue, stored.Billing.Live().Status)
}

func TestKeepFails(t *testing.T) {
	failsAtEveryStep(t, errOutage, []step{updates("", newcomer)}, func(b *bench) error {
		return b.syncOf().record(t.Context(), newcomer(), subscription("sub_1", billing.Active, monthly))
	})
}

func TestSyncPassesOnThatTheCustomerIsGone(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(newcomer(), nil)
	b.listsSubscriptions(fault.New(fault.NotFound, "no such customer"))
	_, err := b.syncOf().refresh(t.Context(), "org_1")
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
}
