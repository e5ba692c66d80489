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
	"github.com/vc-admin/diy/domain/fault"
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
		reads("at first", stranger), beginsOperation(billing.CustomerOperation), reads("again", stranger),
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
	settles(billing.CustomerOperation, "cus_1").expect(b, nil)

	made, err := b.NewCustomer.Do(t.Context(), who)

	require.NoError(t, err)
	assert.Equal(t, customer, made)
	assert.Equal(t, "cus_1", stored.Billing.CustomerID)
	assert.Equal(t, stored.Billing.NextCheck(noon), stored.Billing.CheckAt)
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
	settles(billing.CustomerOperation, "").expect(b, nil)

	assert.ErrorIs(t, makeCustomer(t)(b), errRefused)
}

func TestNewCustomerShowsTheOneThereIs(t *testing.T) {
	passes(t, []step{reads("", newcomer), showsCustomer}, makeCustomer(t))
	failsAtEveryStep(t, errOutage, []step{reads("", newcomer), showsCustomer}, makeCustomer(t))
}

func TestNewCustomerMadeBySomebodyElseMeanwhile(t *testing.T) {
	passes(t, []step{
		reads("at first", stranger), beginsOperation(billing.CustomerOperation), reads("again", newcomer), showsCustomer,
		settles(billing.CustomerOperation, "cus_1"),
	}, makeCustomer(t))
}

func TestNewCustomerGoesOnWithTheKeyOfTheFirstTry(t *testing.T) {
	b, stored := newBench(t), stranger()
	b.readsOrganisation(stranger(), nil)
	b.joinsOperation(time.Second)
	b.readsOrganisation(stranger(), nil)
	b.provider.EXPECT().CreateCustomer(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, in payment.NewCustomer) (billing.Customer, error) {
			assert.Equal(t, "op_first", in.Key)
			return customer, nil
		}).Once()
	b.updatesOrganisation(&stored, nil)
	b.store.EXPECT().SettleOperation(mock.Anything, "op_first", "cus_1", noon).Return(true, nil).Once()

	assert.NoError(t, makeCustomer(t)(b))
}

func TestNewCustomerFindsTheOneThatAnAbandonedTryHasMade(t *testing.T) {
	for _, ago := range []time.Duration{takeoverAge, 30 * 24 * time.Hour} {
		b, stored := newBench(t), stranger()
		b.readsOrganisation(stranger(), nil)
		b.joinsOperation(ago)
		b.readsOrganisation(stranger(), nil)
		findsCustomer.expect(b, nil)
		b.updatesOrganisation(&stored, nil)
		b.store.EXPECT().SettleOperation(mock.Anything, "op_first", "cus_1", noon).Return(true, nil).Once()
		for _, s := range []step{
			beginsOperation(billing.CustomerOperation), reads("again", newcomer), showsCustomer, settles(billing.CustomerOperation, "cus_1"),
		} {
			s.expect(b, nil)
		}

		assert.NoError(t, makeCustomer(t)(b), "%s", ago)
		assert.Equal(t, "cus_1", stored.Billing.CustomerID)
	}
}

// deletedCustomer is what the provider says of a customer that somebody deleted.
var deletedCustomer = step{"Customer", func(b *bench, err error) {
	if err == nil {
		err = fault.Wrap(payment.ErrCustomerDeleted, fault.NotFound, "")
	}
	b.provider.EXPECT().Customer(mock.Anything, "cus_1").Return(billing.Customer{}, err).Once()
}}

func TestADeletedCustomerThatNobodyToldUsOfIsReplaced(t *testing.T) {
	for name, ask := range map[string]func(*testing.T) func(*bench) error{"asked for": makeCustomer, "shown": show} {
		t.Run(name, func(t *testing.T) {
			b, stored := newBench(t), subscriber(subscription("sub_1", billing.Active, monthly))
			b.readsOrganisation(stored, nil)
			deletedCustomer.expect(b, nil)
			b.updatesOrganisation(&stored, nil)
			for _, s := range makingACustomer[1:4] {
				s.expect(b, nil)
			}
			b.updatesOrganisation(&stored, nil)
			settles(billing.CustomerOperation, "cus_1").expect(b, nil)

			require.NoError(t, ask(t)(b))

			assert.Nil(t, stored.Billing.Live(), "its subscription went with it")
			assert.Equal(t, "cus_1", stored.Billing.CustomerID)
		})
	}
}

func TestADeletedCustomerIsKeptWhileItCanNotBeLetGoOf(t *testing.T) {
	failsAtEveryStep(t, errOutage, []step{reads("", newcomer), deletedCustomer, updates("without it", newcomer)}, makeCustomer(t))
}

func TestACustomerThatTheProviderNeverKnewIsNotLetGoOf(t *testing.T) {
	b := newBench(t)
	b.readsOrganisation(newcomer(), nil)
	b.provider.EXPECT().Customer(mock.Anything, "cus_1").Return(billing.Customer{}, fault.New(fault.NotFound, "")).Once()
	assert.Equal(t, fault.NotFound, fault.CodeOf(makeCustomer(t)(b)))
}
