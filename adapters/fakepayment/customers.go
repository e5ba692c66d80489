package fakepayment

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// CreateCustomer makes a customer. Name, e-mail, phone and address are for receipts, which this
// provider does not send: it does not keep them.
func (p *Provider) CreateCustomer(ctx context.Context, in payment.NewCustomer) (billing.Customer, error) {
	return once(ctx, p, "create customer", in.Key, in, func(t *tx) (billing.Customer, error) {
		c := customer{ID: newID(customerPrefix), Organisation: in.OrganisationID, Preferred: in.Currency, Created: t.now}
		t.customers.put(c)
		return t.showCustomer(c), nil
	})
}

// Customer returns the customer with its default card.
func (p *Provider) Customer(ctx context.Context, id string) (out billing.Customer, err error) {
	err = p.act(ctx, func(t *tx) error {
		c, err := t.customer(id)
		out = t.showCustomer(c)
		return err
	})
	return out, err
}

// CustomerOf finds the oldest customer of an organisation. It looks at all of them: it is asked
// once in a blue moon.
func (p *Provider) CustomerOf(ctx context.Context, of payment.Owner) (out billing.Customer, err error) {
	err = p.act(ctx, func(t *tx) error {
		var found customer
		for _, c := range t.customers.rows {
			theirs := of.OrganisationID != "" && c.Organisation == of.OrganisationID && !c.Deleted
			if theirs && (found.ID == "" || c.Created.Before(found.Created)) {
				found = c
			}
		}
		if found.ID == "" {
			return noSuchCustomer()
		}
		out = t.showCustomer(found)
		return nil
	})
	return out, err
}

// DeleteCustomer is what somebody does by hand in the provider's dashboard: the customer is gone,
// its cards with it, and its subscriptions end.
func (p *Provider) DeleteCustomer(ctx context.Context, id string) error {
	return p.act(ctx, func(t *tx) error {
		c, err := t.customer(id)
		if err != nil {
			return err
		}
		for _, subscriptionID := range c.Subscriptions {
			t.cancel(t.subscriptions.rows[subscriptionID])
		}
		for _, cardID := range c.Cards {
			t.cards.remove(cardID)
		}
		t.customers.put(customer{ID: c.ID, Deleted: true})
		t.emit("customer.deleted", customerObject(c))
		return nil
	})
}

func (t *tx) customer(id string) (customer, error) {
	c, found := t.customers.get(id)
	switch {
	case !found:
		return customer{}, noSuchCustomer()
	case c.Deleted:
		return customer{}, fault.Wrap(payment.ErrCustomerDeleted, fault.NotFound, "There is no such customer.")
	}
	return c, nil
}

func noSuchCustomer() error { return fault.New(fault.NotFound, "There is no such customer.") }

// saveCustomer stores the customer, and tells of it when somebody else could see the difference.
func (t *tx) saveCustomer(c customer) {
	before := t.customers.rows[c.ID]
	t.customers.put(c)
	if before.Default != c.Default || before.Currency != c.Currency {
		t.emit("customer.updated", customerObject(c))
	}
}

func (t *tx) showCustomer(c customer) billing.Customer {
	out := billing.Customer{ID: c.ID, OrganisationID: c.Organisation, Currency: c.Currency, Preferred: c.Preferred}
	if found, saved := t.cards.get(c.Default); saved {
		shown := found.show()
		out.Default = &shown
	}
	return out
}

// without is a new list that lacks the id.
func without(ids []string, id string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(known string) bool { return known == id })
}

// inFront is a new list that begins with the id.
func inFront(ids []string, id string) []string {
	return append([]string{id}, ids...)
}
