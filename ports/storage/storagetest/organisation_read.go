package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func organisationNotFound(t *testing.T, h Harness) {
	s := h.Open(t)
	signedUp(t, s, "ada")
	_, err := s.Organisation(t.Context(), "nobody")
	requireFault(t, fault.NotFound, err)
	_, err = s.UpdateOrganisation(t.Context(), "nobody", func(*account.Organisation) error {
		t.Error("there was nothing to change")
		return nil
	})
	requireFault(t, fault.NotFound, err)
}

// organisationByCustomer has one organisation with a customer and one without, which the empty
// id must not find.
func organisationByCustomer(t *testing.T, h Harness) {
	s := h.Open(t)
	signedUp(t, s, "without")
	with := signedUp(t, s, "with").Organisation
	with = update(t, s, with.ID, func(o *account.Organisation) { o.Billing.CustomerID = "customer" })

	got, err := s.OrganisationByCustomer(t.Context(), "customer")
	require.NoError(t, err)
	require.Equal(t, with, got)
	for _, id := range []string{"", "Customer", "nobody"} {
		_, err = s.OrganisationByCustomer(t.Context(), id)
		requireFault(t, fault.NotFound, err)
	}
}
