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
		c := customer{ID: newID(customerPrefix), Organisation: in.OrganisationID, Preferred: in.Currency}
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
		t.customers.remove(id)
		t.emit("customer.deleted", customerObject(c))
		return nil
	})
}

func (t *tx) customer(id string) (customer, error) {
	if c, found := t.customers.get(id); found {
		return c, nil
	}
	return customer{}, fault.New(fault.NotFound, "There is no such customer.")
}

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
