package app_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

func TestGrantDevLicense_ReplacesTheEarlierLicense(t *testing.T) {
	f, caller := signUp(t)
	for _, product := range []string{"standard", "professional"} {
		require.NoError(t, f.GrantDevLicense.Do(t.Context(), caller.OrganisationID, product))
		license := f.account(caller).License()
		assert.True(t, license.IsDev)
		assert.Equal(t, billing.Active, license.Status)
		assert.Equal(t,
			catalogue.PriceRef{Product: product, Interval: catalogue.Default().DefaultInterval(), Currency: "AUD"}, license.Price)
	}
	assertCode(t, fault.Invalid, f.GrantDevLicense.Do(t.Context(), caller.OrganisationID, "premium"))
	assertCode(t, fault.NotFound, f.GrantDevLicense.Do(t.Context(), "org_unknown", "standard"))
}
