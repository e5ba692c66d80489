package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

func stranger() account.Organisation { return account.Organisation{ID: "org_1", Name: "Practice"} }

var (
	createsCustomer = step{"CreateCustomer", func(b *bench, err error) {
		b.provider.EXPECT().CreateCustomer(mock.Anything, mock.Anything).Return(customer, err).Once()
	}}
	showsCustomer = step{"Customer", func(b *bench, err error) {
		b.provider.EXPECT().Customer(mock.Anything, "cus_1").Return(customer, err).Once()
	}}
	makingACustomer = []step{
		reads("at first", stranger), beginsOperation(billing.CustomerLane), reads("again", stranger),
		createsCustomer, updates("with the customer", stranger),
	}
)

func makeCustomer(t *testing.T) func(*bench) error {
	return func(b *bench) error {
		_, err := b.NewCustomer.Do(t.Context(), who)
		return err
	}
}

func TestNewCustomerIsMadeOnce(t *testing.T) {
	b, stored := newBench(t), stranger()
	for _, s := range makingACustomer[:4] {
		s.expect(b, nil)
	}
	b.updatesOrganisation(&stored, nil)
	settles(billing.CustomerLane, "cus_1").expect(b, nil)

	made, err := b.NewCustomer.Do(t.Context(), who)

	require.NoError(t, err)
	assert.Equal(t, customer, made)
	assert.Equal(t, "cus_1", stored.Billing.CustomerID)
}

func TestNewCustomerFailsAndStaysPending(t *testing.T) {
	failsAtEveryStep(t, errOutage, makingACustomer, makeCustomer(t))
}

func TestNewCustomerRefusedByTheProviderIsOver(t *testing.T) {
	b := newBench(t)
	for _, s := range makingACustomer[:3] {
		s.expect(b, nil)
	}
	createsCustomer.expect(b, errRefused)
	settles(billing.CustomerLane, "").expect(b, nil)

	assert.ErrorIs(t, makeCustomer(t)(b), errRefused)
}

func TestNewCustomerShowsTheOneThereIs(t *testing.T) {
	passes(t, []step{reads("", newcomer), showsCustomer}, makeCustomer(t))
	failsAtEveryStep(t, errOutage, []step{reads("", newcomer), showsCustomer}, makeCustomer(t))
}

func TestNewCustomerMadeBySomebodyElseMeanwhile(t *testing.T) {
	passes(t, []step{
		reads("at first", stranger), beginsOperation(billing.CustomerLane), reads("again", newcomer), showsCustomer,
		settles(billing.CustomerLane, "cus_1"),
	}, makeCustomer(t))
}

func TestNewCustomerGoesOnWithTheKeyOfTheFirstTryHoweverOld(t *testing.T) {
	for _, ago := range []time.Duration{time.Second, abandoned, 30 * 24 * time.Hour} {
		b, stored := newBench(t), stranger()
		b.readsOrganisation(stranger(), nil)
		b.joinsOperation(ago)
		b.readsOrganisation(stranger(), nil)
		b.provider.EXPECT().CreateCustomer(mock.Anything, mock.Anything).
			RunAndReturn(func(ctx context.Context, in payment.NewCustomer) (billing.Customer, error) {
				assert.NoError(t, ctx.Err())
				assert.Equal(t, "op_first", in.Key)
				return customer, nil
			}).Once()
		b.updatesOrganisation(&stored, nil)
		b.store.EXPECT().SettleOperation(mock.Anything, "op_first", "cus_1", noon).Return(nil).Once()

		assert.NoError(t, makeCustomer(t)(b), "%s", ago)
	}
}
