package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

func TestListSubscriptionsOfAStatus(t *testing.T) {
	ended := []billing.Subscription{subscription("sub_1", billing.Canceled, monthly)}
	b := newBench(t)
	b.readsOrganisation(newcomer(), nil)
	b.provider.EXPECT().ListSubscriptions(mock.Anything, "cus_1", billing.Canceled).Return(ended, nil).Once()

	got, err := b.ListSubscriptions.Do(t.Context(), who, billing.Canceled)

	require.NoError(t, err)
	assert.Equal(t, ended, got)
}

func TestListSubscriptionsOfAnyStatus(t *testing.T) {
	list := func(b *bench) error {
		_, err := b.ListSubscriptions.Do(t.Context(), who, "")
		return err
	}
	steps := []step{reads("", newcomer), lists(subscription("sub_1", billing.Active, monthly))}
	passes(t, steps, list)
	failsAtEveryStep(t, errOutage, steps, list)
}

func TestListSubscriptionsWithoutACustomerAsksNobody(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(stranger(), nil)

	got, err := b.ListSubscriptions.Do(t.Context(), who, billing.Canceled)

	require.NoError(t, err)
	assert.Empty(t, got)
}
