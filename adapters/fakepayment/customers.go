package fakepayment

import (
	"context"
	"errors"
	"slices"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// CreateCustomer creates a customer. The name and the address are printed on the customer's invoices. Email and phone
// are not stored.
func (p *Provider) CreateCustomer(ctx context.Context, req payment.NewCustomer) (billing.Customer, error) {
	return runOnce(ctx, p, "create customer", req.Key, req, func(t *tx) (billing.Customer, error) {
		c := customer{
			ID: newID(customerPrefix), OrganisationID: req.OrganisationID, PreferredCurrency: req.Currency, Created: t.now,
			Buyer: buyer{Name: req.Name, Details: account.BillingDetails{Address: req.Address}},
		}
		t.customers.put(c)
		return t.billingCustomer(c), nil
	})
}

// Customer returns the customer with its default card.
func (p *Provider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	return run(ctx, p, func(t *tx) (billing.Customer, error) {
		c, err := t.customer(id)
		return t.billingCustomer(c), err
	})
}

// UpdateCustomer sets the billing details of the customer's next invoices.
func (p *Provider) UpdateCustomer(ctx context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	return runOnce(ctx, p, "update customer", req.Key, req, func(t *tx) (billing.Customer, error) {
		c, err := t.customer(req.CustomerID)
		if err == nil {
			err = checkTaxID(req.Details.TaxID)
		}
		if err != nil {
			return billing.Customer{}, err
		}
		return t.billingCustomer(t.setBillingDetails(c, req.Details)), nil
	})
}

// setBillingDetails stores the billing details and emits an event.
func (t *tx) setBillingDetails(c customer, details account.BillingDetails) customer {
	c.Buyer.Details = details
	t.customers.put(c)
	t.emit("customer.updated", customerObject(c))
	return c
}

func checkTaxID(id *account.TaxID) error {
	if id != nil && (!id.HasKnownType() || id.Value == "") {
		var f fault.Fields
		f.Add("taxId", "Unknown type of tax id")
		return f.Err()
	}
	return nil
}

// CustomerOf returns the oldest customer of an organisation. It scans all customers.
func (p *Provider) CustomerOf(ctx context.Context, owner payment.Owner) (billing.Customer, error) {
	return run(ctx, p, func(t *tx) (billing.Customer, error) {
		var oldest customer
		for _, c := range t.customers.rows {
			matches := owner.OrganisationID != "" && c.OrganisationID == owner.OrganisationID && !c.Deleted
			if matches && (oldest.ID == "" || c.Created.Before(oldest.Created)) {
				oldest = c
			}
		}
		if oldest.ID == "" {
			return billing.Customer{}, errNoCustomer()
		}
		return t.billingCustomer(oldest), nil
	})
}

// DeleteCustomer deletes the customer with its cards and ends its subscriptions, as an operator
// does in a provider's dashboard.
func (p *Provider) DeleteCustomer(ctx context.Context, id string) error {
	return p.transact(ctx, func(t *tx) error {
		c, err := t.customer(id)
		if err != nil {
			return err
		}
		for _, subscriptionID := range c.SubscriptionIDs {
			t.cancel(t.subscriptions.rows[subscriptionID])
		}
		for _, cardID := range c.CardIDs {
			t.cards.remove(cardID)
		}
		t.customers.put(customer{ID: c.ID, Deleted: true})
		t.emit("customer.deleted", customerObject(c))
		return nil
	})
}

// EraseCustomer removes the cards and the details of the customer. The invoices have details of their own.
func (p *Provider) EraseCustomer(ctx context.Context, id string) error {
	return p.transact(ctx, func(t *tx) error {
		c, err := t.customer(id)
		switch {
		case errors.Is(err, payment.ErrCustomerDeleted):
			return nil
		case err != nil:
			return err
		}
		for _, cardID := range c.CardIDs {
			t.cards.remove(cardID)
		}
		c.OrganisationID, c.DefaultCardID, c.CardIDs, c.Buyer = "", "", nil, buyer{Name: erasedName}
		t.saveCustomer(c)
		return nil
	})
}

// erasedName replaces the name of an erased customer.
const erasedName = "Erased customer"

func (t *tx) customer(id string) (customer, error) {
	c, ok := t.customers.get(id)
	switch {
	case !ok:
		return customer{}, errNoCustomer()
	case c.Deleted:
		return customer{}, fault.Wrap(payment.ErrCustomerDeleted, fault.NotFound, "There is no such customer.")
	}
	return c, nil
}

func errNoCustomer() error { return fault.New(fault.NotFound, "There is no such customer.") }

// saveCustomer stores the customer and emits an event if the default card or the currency has changed.
func (t *tx) saveCustomer(c customer) {
	previous := t.customers.rows[c.ID]
	t.customers.put(c)
	if previous.DefaultCardID != c.DefaultCardID || previous.Currency != c.Currency {
		t.emit("customer.updated", customerObject(c))
	}
}

func (t *tx) billingCustomer(c customer) billing.Customer {
	out := billing.Customer{
		ID: c.ID, OrganisationID: c.OrganisationID, Currency: c.Currency, PreferredCurrency: c.PreferredCurrency,
		Credit: amountOf(c.Credit, c.Currency), HeldCredit: amountOf(c.HeldCredit, c.Currency), Hold: c.Hold,
	}
	if found, ok := t.cards.get(c.DefaultCardID); ok {
		method := found.paymentMethod()
		out.Default = &method
	}
	return out
}

// removeID returns a copy of ids without id.
func removeID(ids []string, id string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(other string) bool { return other == id })
}

// prependID returns a copy of ids that starts with id.
func prependID(ids []string, id string) []string {
	return append([]string{id}, ids...)
}
