package app

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var (
	errNobodyDue  = fault.New(fault.NotFound, "nobody is due")
	errNoCustomer = fault.New(fault.NotFound, "no such customer")
	errDeleted    = fault.Wrap(payment.ErrCustomerDeleted, fault.NotFound, "no such customer")
)

// claimsCheck hands out the organisation, or fails.
func (b *bench) claimsCheck(err error) {
	b.store.EXPECT().ClaimCheck(mock.Anything, noon, noon.Add(checkRetry)).Return("org_1", err).Once()
}

func checkLicenses(t *testing.T) func(*bench) (int, error) {
	return func(b *bench) (int, error) { return b.CheckLicenses.Do(t.Context()) }
}

func TestCheckLicensesStoresTheTruthOfThoseThatAreDue(t *testing.T) {
	b, stored := newBench(t), subscriber(subscription("sub_1", billing.Trialing, monthly))
	b.claimsCheck(nil)
	b.syncs(&stored, subscription("sub_1", billing.PastDue, monthly))
	b.claimsCheck(errNobodyDue)

	checked, err := checkLicenses(t)(b)

	require.NoError(t, err)
	assert.Equal(t, 1, checked)
	assert.Equal(t, billing.PastDue, stored.Billing.Live().Status)
	assert.Equal(t, stored.Billing.NextCheck(noon), stored.Billing.CheckAt)
	assert.NotZero(t, stored.Billing.CheckAt)
}

func TestCheckLicensesHasAnEnd(t *testing.T) {
	b := newBench(t)
	for range checkBatch {
		stored := newcomer()
		b.claimsCheck(nil)
		b.syncs(&stored)
	}
	checked, err := checkLicenses(t)(b)
	require.NoError(t, err)
	assert.Equal(t, checkBatch, checked)
}

func TestCheckLicensesWaitsForAProviderThatDoesNotAnswer(t *testing.T) {
	b := newBench(t)
	b.claimsCheck(nil)
	b.readsOrganisation(newcomer(), nil)
	b.listsSubscriptions(errOutage)

	checked, err := checkLicenses(t)(b)

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.Zero(t, checked)
}

func TestCheckLicensesFailsWithTheDatabase(t *testing.T) {
	for _, failure := range []error{errOutage, fault.New(fault.Internal, "broken")} {
		b := newBench(t)
		b.claimsCheck(failure)
		_, err := checkLicenses(t)(b)
		assert.Equal(t, fault.CodeOf(failure), fault.CodeOf(err))
	}
}

// failsToFind is a check of an organisation whose customer the provider does not find.
func (b *bench) failsToFind(org account.Organisation, why error) {
	b.claimsCheck(nil)
	b.readsOrganisation(org, nil)
	b.listsSubscriptions(errNoCustomer)
	b.provider.EXPECT().Customer(mock.Anything, "cus_1").Return(billing.Customer{}, why).Once()
}

func TestCheckLicensesLetsGoOfADeletedCustomer(t *testing.T) {
	b, stored := newBench(t), subscriber(subscription("sub_1", billing.Active, monthly))
	b.failsToFind(stored, errDeleted)
	b.updatesOrganisation(&stored, nil)
	b.claimsCheck(errNobodyDue)

	checked, err := checkLicenses(t)(b)

	require.NoError(t, err)
	assert.Equal(t, 1, checked)
	assert.Nil(t, stored.Billing.License())
	assert.Zero(t, stored.Billing.CheckAt)
}

// A key of another account knows no customer of ours: that ends nobody's license.
func TestCheckLicensesGoesOnAfterACustomerThatNobodyKnows(t *testing.T) {
	for _, why := range []error{nil, errNoCustomer, errors.New("strange")} {
		b, stored := newBench(t), newcomer()
		b.failsToFind(stored, why)
		b.claimsCheck(nil)
		b.syncs(&stored)
		b.claimsCheck(errNobodyDue)

		checked, err := checkLicenses(t)(b)

		require.NoError(t, err)
		assert.Equal(t, 1, checked)
		assert.Contains(t, b.log.String(), "license not checked")
		assert.Contains(t, b.log.String(), "org_1")
	}
}
