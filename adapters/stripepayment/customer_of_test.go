package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const listCustomers = "GET /v1/customers"

var owner = payment.Owner{OrganisationID: "org_1", Email: "ann@clinic.example"}

func TestTheOldestCustomerOfTheOrganisationIsFound(t *testing.T) {
	other := customer.with(object{"id": "cus_other", "metadata": object{"org_id": "org_2"}})
	s := newScript(t).on(listCustomers, fine(list(customer.with(object{"id": "cus_newer"}), other, customer)))

	found, err := s.provider().CustomerOf(t.Context(), owner)

	require.NoError(t, err)
	assert.Equal(t, "cus_1", found.ID)
	assert.Equal(t, "org_1", found.OrganisationID)
	assert.NotNil(t, found.Default)
	assert.Equal(t, "ann@clinic.example", s.last(listCustomers).params.Get("email"))
}

func TestALookUpThatStripeDoesNotAnswerIsNoProofThatThereIsNone(t *testing.T) {
	s := newScript(t).on(listCustomers, refusal(500, object{}))
	_, err := s.provider().CustomerOf(t.Context(), owner)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestNobodyIsLookedUpWithoutBothNames(t *testing.T) {
	s := newScript(t)
	for _, of := range []payment.Owner{{OrganisationID: "org_1"}, {Email: "ann@clinic.example"}} {
		_, err := s.provider().CustomerOf(t.Context(), of)
		assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	}
	assert.Empty(t, s.routes())
}
