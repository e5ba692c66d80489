package paymenttest

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// bench is where one proof is worked out: a test, a harness, and the usual first steps.
type bench struct {
	*testing.T
	Harness
}

const trialDays = 7

func newKey() string { return "key-" + rand.Text() }

func price(product string, interval catalogue.Interval) catalogue.PriceRef {
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: "AUD"}
}

var (
	standard     = price("standard", catalogue.Yearly)
	professional = price("professional", catalogue.Yearly)
)

func newCustomer() payment.NewCustomer {
	return payment.NewCustomer{
		Key: newKey(), OrganisationID: "org-" + rand.Text(), Name: "Northside Clinic",
		Email: "billing@northside.example", Phone: "+61 2 5550 1234", Currency: "AUD",
		Address: account.Address{Line1: "1 High Street", City: "Sydney", State: "New South Wales", PostalCode: "2000", Country: "AU"},
	}
}

// customer makes a customer.
func (b *bench) customer() billing.Customer {
	b.Helper()
	c, err := b.Provider.CreateCustomer(b.Context(), newCustomer())
	require.NoError(b, err)
	return c
}

// made makes a card in the browser, which must not refuse it.
func (b *bench) made(s Scenario) string {
	b.Helper()
	id, err := b.MakeCard(b.T, s)
	require.NoError(b, err)
	require.NotEmpty(b, id)
	return id
}

// save gives the customer a card of the kind, as its default card.
func (b *bench) save(customerID string, s Scenario) billing.PaymentMethod {
	b.Helper()
	card, err := b.add(customerID, b.made(s))
	require.NoError(b, err)
	return card
}

func (b *bench) add(customerID, cardID string) (billing.PaymentMethod, error) {
	b.Helper()
	return b.Provider.AddCard(b.Context(), payment.NewCard{Key: newKey(), CustomerID: customerID, CardID: cardID})
}

func (b *bench) setDefault(customerID, cardID string) (billing.Customer, error) {
	b.Helper()
	return b.Provider.SetDefaultCard(b.Context(), payment.SavedCard{Key: newKey(), CustomerID: customerID, CardID: cardID})
}

func (b *bench) remove(customerID, cardID string) error {
	b.Helper()
	return b.Provider.DeleteCard(b.Context(), payment.SavedCard{Key: newKey(), CustomerID: customerID, CardID: cardID})
}

// payer makes a customer with a card of the kind.
func (b *bench) payer(s Scenario) billing.Customer {
	b.Helper()
	c := b.customer()
	b.save(c.ID, s)
	return b.look(c.ID)
}

// look reads a customer.
func (b *bench) look(id string) billing.Customer {
	b.Helper()
	c, err := b.Provider.Customer(b.Context(), id)
	require.NoError(b, err)
	return c
}

// refused asserts that the error is a fault with one of the codes.
func (b *bench) refused(err error, codes ...fault.Code) {
	b.Helper()
	require.Error(b, err)
	assert.Contains(b, codes, fault.CodeOf(err), "%v", err)
}

// owed asserts that the latest invoice waits for its payment in the given status, and returns the
// payment.
func (b *bench) owed(s billing.Subscription, want billing.IntentStatus) billing.Intent {
	b.Helper()
	require.NotNil(b, s.LatestInvoice)
	require.NotNil(b, s.LatestInvoice.Payment)
	p := *s.LatestInvoice.Payment
	assert.Equal(b, want, p.Status)
	assert.NotEmpty(b, p.ID)
	if want != billing.Succeeded {
		assert.NotEmpty(b, p.ClientSecret, "the browser needs it")
	}
	return p
}
