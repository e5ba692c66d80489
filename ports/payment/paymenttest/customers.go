package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

var customerProofs = []proof{
	{name: "a new customer is found again", prove: func(b *bench) {
		in := newCustomer()
		made, err := b.Provider.CreateCustomer(b.Context(), in)
		require.NoError(b, err)

		assert.NotEmpty(b, made.ID)
		assert.Equal(b, in.OrganisationID, made.OrganisationID)
		assert.Equal(b, "AUD", made.Preferred)
		assert.Empty(b, made.Currency, "nothing has been charged yet")
		assert.Nil(b, made.Default)
		assert.Equal(b, made, b.look(made.ID))
	}},
	{name: "a currency need not have been chosen", prove: func(b *bench) {
		in := newCustomer()
		in.Currency = ""
		made, err := b.Provider.CreateCustomer(b.Context(), in)
		require.NoError(b, err)
		assert.Empty(b, made.Preferred)
	}},
	{name: "two organisations have two customers", prove: func(b *bench) {
		one, other := b.customer(), b.customer()
		assert.NotEqual(b, one.ID, other.ID)
	}},
	{name: "a deleted customer is gone", prove: func(b *bench) {
		c := b.payer(Pays)
		b.DeleteCustomer(b.T, c.ID)
		_, err := b.Provider.Customer(b.Context(), c.ID)
		b.refused(err, fault.NotFound)
	}},
}
