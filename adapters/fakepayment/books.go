package fakepayment

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// The records are values: nobody who reads them can change the books by them.
type (
	// CustomerRecord is a customer as it is kept.
	CustomerRecord = customer
	// CardRecord is a card as it is kept.
	CardRecord = card
	// SubscriptionRecord is a subscription as it is kept.
	SubscriptionRecord = subscription
	// InvoiceRecord is an invoice as it is kept.
	InvoiceRecord = invoice
	// IntentRecord is a payment, or the authentication of a card, as it is kept.
	IntentRecord = intent
)

// Snapshot is a look at everything as it is kept, at one moment. It is good for the length of Read.
type Snapshot struct{ t *tx }

// Read has look read the books, after everything that came due has happened.
func (p *Provider) Read(ctx context.Context, look func(Snapshot) error) error {
	return p.act(ctx, func(t *tx) error { return look(Snapshot{t}) })
}

// Now is the moment.
func (b Snapshot) Now() time.Time { return b.t.now }

// Customer finds a customer; a deleted one is not there.
func (b Snapshot) Customer(id string) (CustomerRecord, bool) {
	c, err := b.t.customer(id)
	return c, err == nil
}

// Customers lists all customers, newest first.
func (b Snapshot) Customers() []CustomerRecord {
	var all []CustomerRecord
	for _, c := range b.t.customers.rows {
		if !c.Deleted {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(x, y CustomerRecord) int {
		return cmp.Or(y.Created.Compare(x.Created), cmp.Compare(y.ID, x.ID))
	})
	return all
}

// Card finds a card, whether or not somebody has saved it.
func (b Snapshot) Card(id string) (CardRecord, bool) { return b.t.cards.get(id) }

// Subscription finds a subscription.
func (b Snapshot) Subscription(id string) (SubscriptionRecord, bool) { return b.t.subscriptions.get(id) }

// Invoice finds an invoice.
func (b Snapshot) Invoice(id string) (InvoiceRecord, bool) { return b.t.invoices.get(id) }

// Intent finds a payment, or the authentication of a card.
func (b Snapshot) Intent(id string) (IntentRecord, bool) { return b.t.intents.get(id) }

// InvoicesOf lists a subscription's invoices, newest first.
func (b Snapshot) InvoicesOf(subscriptionID string) []InvoiceRecord {
	var all []InvoiceRecord
	s := b.t.subscriptions.rows[subscriptionID]
	for inv, found := b.Invoice(s.Invoice); found; inv, found = b.Invoice(inv.Previous) {
		all = append(all, inv)
	}
	return all
}

// InvoicesFor lists a customer's invoices, newest first.
func (b Snapshot) InvoicesFor(customerID string) []InvoiceRecord {
	var all []InvoiceRecord
	for _, id := range b.t.customers.rows[customerID].Subscriptions {
		all = append(all, b.InvoicesOf(id)...)
	}
	slices.SortStableFunc(all, func(x, y InvoiceRecord) int { return y.Created.Compare(x.Created) })
	return all
}
