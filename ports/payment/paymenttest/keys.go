package paymenttest

import (
	"sync"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

var concurrencyBehaviours = []behaviour{
	{name: "concurrent requests with one key create one customer", check: func(t *env) {
		req := customerRequest()
		sendConcurrently(t, func() (string, error) {
			c, err := t.Provider.CreateCustomer(t.Context(), req)
			return c.ID, err
		})
	}},
	{name: "concurrent requests with one key save one card", check: func(t *env) {
		c := t.createCustomer()
		req := payment.NewCard{Key: newKey(), CustomerID: c.ID, MethodID: t.createCard(Pays)}
		sendConcurrently(t, func() (string, error) {
			card, err := t.Provider.AddCard(t.Context(), req)
			return card.ID, err
		})
		assert.Len(t, t.listMethods(c.ID), 1)
	}},
	{name: "concurrent requests with one key create one subscription", check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		sendConcurrently(t, func() (string, error) {
			s, err := t.Provider.Subscribe(t.Context(), req)
			return s.ID, err
		})
		assert.Len(t, t.subscriptionIDs(c.ID), 1)
	}},
	{name: "requests of several customers succeed concurrently", check: func(t *env) {
		var wg sync.WaitGroup
		for range 8 {
			c, card := t.createCustomer(), t.createCard(Pays)
			wg.Go(func() {
				_, err := t.addCard(c.ID, card)
				assert.NoError(t, err)
				s, err := t.trySubscribe(c.ID, standard)
				assert.NoError(t, err)
				assert.Equal(t, billing.Active, s.Status)
				assert.Equal(t, c.ID, s.CustomerID)
			})
		}
		wg.Wait()
	}},
}

// sendConcurrently sends the same request eight times concurrently and asserts that all responses have the same id.
func sendConcurrently(t *env, send func() (string, error)) {
	t.Helper()
	const callers = 8
	ids := make([]string, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			var err error
			ids[i], err = send()
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	for _, id := range ids {
		assert.NotEmpty(t, id)
		assert.Equal(t, ids[0], id)
	}
}
