package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func ownerOf(in payment.NewCustomer) payment.Owner {
	return payment.Owner{OrganisationID: in.OrganisationID, Email: in.Email}
}

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
		assert.ErrorIs(b, err, payment.ErrCustomerDeleted)
	}},
	{name: "one that never was is not a deleted one", prove: func(b *bench) {
		_, err := b.Provider.Customer(b.Context(), "cus_unknown123")
		b.refused(err, fault.NotFound)
		assert.NotErrorIs(b, err, payment.ErrCustomerDeleted)
	}},
	{name: "is found by its organisation", prove: func(b *bench) {
		in := newCustomer()
		made, err := b.Provider.CreateCustomer(b.Context(), in)
		require.NoError(b, err)
		b.customer() // another organisation's, with the same e-mail address
		b.save(made.ID, Pays)

		found, err := b.Provider.CustomerOf(b.Context(), ownerOf(in))

		require.NoError(b, err)
		assert.Equal(b, b.look(made.ID), found)
	}},
	{name: "a look-up that finds none", prove: func(b *bench) {
		in := newCustomer()
		_, err := b.Provider.CustomerOf(b.Context(), ownerOf(in))
		b.refused(err, fault.NotFound)
		made, err := b.Provider.CreateCustomer(b.Context(), in)
		require.NoError(b, err)
		b.DeleteCustomer(b.T, made.ID)
		for _, of := range []payment.Owner{ownerOf(in), {Email: in.Email}, {}} {
			_, err := b.Provider.CustomerOf(b.Context(), of)
			b.refused(err, fault.NotFound)
		}
	}},
}
