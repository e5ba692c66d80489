package fakepayment

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Snapshot is a consistent, read-only view of all records at one moment. It is valid until the
// function passed to Read returns.
type Snapshot struct{ t *tx }

// Read processes everything that is due and then calls fn with a consistent snapshot.
func (p *Provider) Read(ctx context.Context, fn func(Snapshot) error) error {
	return p.transact(ctx, func(t *tx) error { return fn(Snapshot{t}) })
}

// Now returns the time of the snapshot.
func (s Snapshot) Now() time.Time { return s.t.now }

// Customer returns a customer that is not deleted.
func (s Snapshot) Customer(id string) (CustomerRecord, bool) {
	c, err := s.t.customer(id)
	return c, err == nil
}

// Customers returns all customers that are not deleted, newest first.
func (s Snapshot) Customers() []CustomerRecord {
	var customers []CustomerRecord
	for _, c := range s.t.customers.rows {
		if !c.Deleted {
			customers = append(customers, c)
		}
	}
	slices.SortFunc(customers, func(x, y CustomerRecord) int {
		return cmp.Or(y.Created.Compare(x.Created), cmp.Compare(y.ID, x.ID))
	})
	return customers
}

// Card returns a card, saved or not.
func (s Snapshot) Card(id string) (CardRecord, bool) { return s.t.cards.get(id) }

// Subscription returns a subscription.
func (s Snapshot) Subscription(id string) (SubscriptionRecord, bool) {
	return s.t.subscriptions.get(id)
}

// Invoice returns an invoice.
func (s Snapshot) Invoice(id string) (InvoiceRecord, bool) { return s.t.invoices.get(id) }

// InvoiceByNumber returns the invoice with the number that its customer sees.
func (s Snapshot) InvoiceByNumber(number string) (InvoiceRecord, bool) {
	for _, inv := range s.t.invoices.rows {
		if inv.Number == number {
			return inv, true
		}
	}
	return InvoiceRecord{}, false
}

// Intent returns a payment, or the authentication of a card.
func (s Snapshot) Intent(id string) (IntentRecord, bool) { return s.t.intents.get(id) }

// SubscriptionInvoices returns a subscription's invoices, newest first.
func (s Snapshot) SubscriptionInvoices(subscriptionID string) []InvoiceRecord {
	var invoices []InvoiceRecord
	latest := s.t.subscriptions.rows[subscriptionID].LatestInvoiceID
	for inv, ok := s.Invoice(latest); ok; inv, ok = s.Invoice(inv.PreviousID) {
		invoices = append(invoices, inv)
	}
	return invoices
}

// CustomerInvoices returns a customer's invoices, newest first.
func (s Snapshot) CustomerInvoices(customerID string) []InvoiceRecord {
	var invoices []InvoiceRecord
	for _, id := range s.t.customers.rows[customerID].SubscriptionIDs {
		invoices = append(invoices, s.SubscriptionInvoices(id)...)
	}
	slices.SortStableFunc(invoices, func(x, y InvoiceRecord) int { return y.Created.Compare(x.Created) })
	return invoices
}
