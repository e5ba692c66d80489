package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

func TestGrantDevLicenseReplacesTheOneBefore(t *testing.T) {
	b, stored := newBench(t), newcomer()
	b.updatesOrganisation(&stored, nil)
	b.updatesOrganisation(&stored, nil)

	require.NoError(t, b.GrantDevLicense.Do(t.Context(), "org_1", "standard"))
	first := stored.Billing.License().ID
	require.NoError(t, b.GrantDevLicense.Do(t.Context(), "org_1", "enterprise"))

	license := *stored.Billing.License()
	assert.NotEqual(t, first, license.ID)
	assert.Equal(t, billing.License{
		ID: license.ID, IsDev: true, Status: billing.Active,
		Price: catalogue.PriceRef{Product: "enterprise", Interval: catalogue.Yearly, Currency: "AUD"},
	}, license)
}

func TestGrantDevLicenseForAnUnknownPlanTouchesNothing(t *testing.T) {
	for _, product := range []string{"", "premium", "Standard"} {
		err := newBench(t).GrantDevLicense.Do(t.Context(), "org_1", product)
		assert.Equal(t, fault.Invalid, fault.CodeOf(err), "%q", product)
	}
}

func TestGrantDevLicenseFails(t *testing.T) {
	for _, failure := range []error{errOutage, fault.New(fault.NotFound, "")} {
		b := newBench(t)
		b.store.EXPECT().UpdateOrganisation(mock.Anything, "org_1", mock.Anything).Return(account.Organisation{}, failure).Once()
		assert.Equal(t, failure, b.GrantDevLicense.Do(t.Context(), "org_1", "standard"))
	}
}
