package paymenttest

import (
	"sync"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

var concurrencyProofs = []proof{
	{name: "one key makes one customer", prove: func(b *bench) {
		in := newCustomer()
		together(b, func() (string, error) {
			c, err := b.Provider.CreateCustomer(b.Context(), in)
			return c.ID, err
		})
	}},
	{name: "one key saves one card", prove: func(b *bench) {
		c := b.customer()
		in := payment.NewCard{Key: newKey(), CustomerID: c.ID, CardID: b.made(Pays)}
		together(b, func() (string, error) {
			card, err := b.Provider.AddCard(b.Context(), in)
			return card.ID, err
		})
		assert.Len(b, b.cards(c.ID), 1)
	}},
	{name: "one key makes one subscription", prove: func(b *bench) {
		c := b.payer(Pays)
		in := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		together(b, func() (string, error) {
			s, err := b.Provider.Subscribe(b.Context(), in)
			return s.ID, err
		})
		assert.Len(b, b.list(c.ID, billing.Active), 1)
	}},
	{name: "customers do not get in each other's way", prove: func(b *bench) {
		var all sync.WaitGroup
		for range 8 {
			c, card := b.customer(), b.made(Pays)
			all.Go(func() {
				_, err := b.add(c.ID, card)
				assert.NoError(b, err)
				s, err := b.buy(c.ID, standard)
				assert.NoError(b, err)
				assert.Equal(b, billing.Active, s.Status)
				assert.Equal(b, c.ID, s.CustomerID)
			})
		}
		all.Wait()
	}},
}

// together has eight callers send the same request at once, who must all hear the same.
func together(b *bench, do func() (string, error)) {
	b.Helper()
	const callers = 8
	ids := make([]string, callers)
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			var err error
			ids[i], err = do()
			assert.NoError(b, err)
		})
	}
	all.Wait()
	for _, id := range ids {
		assert.NotEmpty(b, id)
		assert.Equal(b, ids[0], id)
	}
}
