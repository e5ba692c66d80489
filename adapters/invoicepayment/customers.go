package invoicepayment

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// CreateCustomer implements payment.Provider.
func (p *Provider) CreateCustomer(ctx context.Context, req payment.NewCustomer) (billing.Customer, error) {
	return runOnce(ctx, p, "create customer", req.Key, req, func(tx plugin.Tx) (billing.Customer, error) {
		c := customer{
			ID: newID(customerPrefix), Organisation: req.OrganisationID, Name: req.Name, Email: req.Email,
			Details: account.BillingDetails{Phone: req.Phone, Address: req.Address}, Preferred: req.Currency, Created: p.now(),
		}
		text, err := json.Marshal(c)
		if err != nil {
			return billing.Customer{}, err
		}
		_, err = tx.Exec(ctx, insertCustomer, c.ID, req.OrganisationID, c.Created.Unix(), 0, string(text))
		return c.billing(), err
	})
}

// Customer implements payment.Provider.
func (p *Provider) Customer(ctx context.Context, id string) (out billing.Customer, err error) {
	err = p.read(ctx, id, func(l *ledger) error {
		out = l.customer.billing()
		return nil
	})
	return out, err
}

const selectCustomersOf = "SELECT document FROM invoice_customers WHERE organisation_id = ? ORDER BY created_at, id"

// customersOf returns the customers of an organisation that were not deleted, oldest first.
func customersOf(ctx context.Context, tx plugin.Tx, organisationID string) ([]customer, error) {
	var documents []string
	if err := tx.List(ctx, &documents, selectCustomersOf, organisationID); err != nil || organisationID == "" {
		return nil, err
	}
	customers := make([]customer, len(documents))
	for i, document := range documents {
		if err := json.Unmarshal([]byte(document), &customers[i]); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(customers, func(c customer) bool { return c.Deleted }), nil
}

// CustomerOf implements payment.Provider.
func (p *Provider) CustomerOf(ctx context.Context, owner payment.Owner) (out billing.Customer, err error) {
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		customers, err := customersOf(ctx, tx, owner.OrganisationID)
		if err != nil {
			return err
		}
		if len(customers) == 0 {
			return errNoCustomer()
		}
		out = customers[0].billing()
		return nil
	})
	return out, unavailable(err)
}

// UpdateCustomer implements payment.Provider.
func (p *Provider) UpdateCustomer(ctx context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	return p.changeCustomer(ctx, "update customer", req.Key, req.CustomerID, req, func(l *ledger) error {
		if id := req.Details.TaxID; id != nil && !id.KnownType() {
			return fault.New(fault.Invalid, "This type of tax number is not supported.")
		}
		l.customer.Details = req.Details
		return nil
	})
}

// AddCredit implements payment.Provider.
func (p *Provider) AddCredit(ctx context.Context, req payment.Credit) (billing.Customer, error) {
	return p.changeCustomer(ctx, "add credit", req.Key, req.CustomerID, req, func(l *ledger) error {
		switch {
		case req.Amount.Minor() <= 0:
			return fault.New(fault.Invalid, "The credit must be positive.")
		case req.Amount.Currency().Code != l.account.Currency:
			return fault.New(fault.Invalid, "The credit must be in the currency that the customer pays in.")
		}
		l.account.AddCredit(req.Amount.Minor())
		return nil
	})
}
