package paymenttest

import (
	"context"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var deadlineProofs = []proof{
	{name: "nobody is asked for a caller who has gone", prove: func(b *bench) {
		c := b.payer(Pays)
		gone, leave := context.WithCancel(b.Context())
		leave()

		_, err := b.Provider.Customer(gone, c.ID)
		b.refused(err, fault.Unavailable)
		_, err = b.Provider.Cards(gone, c.ID)
		b.refused(err, fault.Unavailable)
		_, err = b.Provider.ListSubscriptions(gone, c.ID)
		b.refused(err, fault.Unavailable)
		_, err = b.Provider.CreateCustomer(gone, newCustomer())
		b.refused(err, fault.Unavailable)
	}},
	{name: "the same key is safe afterwards", prove: func(b *bench) {
		c := b.payer(Pays)
		in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		gone, leave := context.WithCancel(b.Context())
		leave()
		_, err := b.Provider.Subscribe(gone, in)
		b.refused(err, fault.Unavailable)

		s, err := b.Provider.Subscribe(b.Context(), in)

		require.NoError(b, err)
		assert.Equal(b, billing.Active, s.Status)
		assert.Equal(b, []string{s.ID}, b.list(c.ID))
	}},
}
