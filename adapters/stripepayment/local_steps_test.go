package stripepayment_test

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// localPrice is a yearly price in AUD.
func localPrice(product string) catalogue.PriceRef {
	return catalogue.PriceRef{Product: product, Interval: catalogue.Yearly, Currency: "AUD"}
}

// payer is a new customer with a card of the kind.
func (l *localStripe) payer(t *testing.T, p *stripepayment.Provider, s paymenttest.Scenario) billing.Customer {
	t.Helper()
	c, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: rand.Text(), OrganisationID: "org_1"})
	require.NoError(t, err)
	l.give(t, p, c.ID, s)
	return c
}

// give saves a card of the kind as the default one.
func (l *localStripe) give(t *testing.T, p *stripepayment.Provider, customerID string, s paymenttest.Scenario) {
	t.Helper()
	card, err := l.makeCard(t, s)
	require.NoError(t, err)
	_, err = p.AddCard(t.Context(), payment.NewCard{Key: rand.Text(), CustomerID: customerID, CardID: card})
	require.NoError(t, err)
}

func localOrder(c billing.Customer, product string) payment.NewSubscription {
	return payment.NewSubscription{Key: rand.Text(), CustomerID: c.ID, Price: localPrice(product)}
}
