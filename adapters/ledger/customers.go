package ledger

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Customer contains the data of a customer apart from its subscriptions and invoices. It is stored as JSON.
type Customer struct {
	ID                string                 `json:"id"`
	OrganisationID    string                 `json:"organisation"` // id
	Name              string                 `json:"name"`
	Email             string                 `json:"email"`
	Details           account.BillingDetails `json:"details,omitzero"`
	PreferredCurrency string                 `json:"preferred,omitempty"`
	Currency          string                 `json:"currency,omitempty"`
	Credit            int64                  `json:"credit,omitempty"` // minor units
	Created           time.Time              `json:"created"`
	State             json.RawMessage        `json:"state,omitempty"`   // see Config.LoadState
	Deleted           bool                   `json:"deleted,omitempty"` // whether its personal data was removed

	ChangedInvoices []string `json:"changed,omitempty"` // ids of invoices that Tick has to report
}

// BillingCustomer converts the customer to the type of the payment port.
func (c Customer) BillingCustomer() billing.Customer {
	return billing.Customer{
		ID: c.ID, OrganisationID: c.OrganisationID, Currency: c.Currency, PreferredCurrency: c.PreferredCurrency,
		Credit: Amount(c.Credit, c.Currency),
	}
}

const (
	insertCustomerSQL = `INSERT INTO @customers (id, organisation_id, created_at, next_at, document)
		VALUES (?, ?, ?, ?, ?)`
	selectCustomersOfOrganisationSQL = "SELECT document FROM @customers WHERE organisation_id = ? ORDER BY created_at, id"
)

// CreateCustomer implements payment.Customers.
func (l *Ledger) CreateCustomer(ctx context.Context, req payment.NewCustomer) (billing.Customer, error) {
	return DoOnce(ctx, l, "create customer", req.Key, req, func(tx plugin.Tx) (billing.Customer, error) {
		c := Customer{
			ID: l.IDPrefixes.Customer + rand.Text(), OrganisationID: req.OrganisationID, Name: req.Name, Email: req.Email,
			Details:           account.BillingDetails{Phone: req.Phone, Address: req.Address},
			PreferredCurrency: req.Currency, Created: l.Now(),
		}
		text, err := json.Marshal(c)
		if err != nil {
			return billing.Customer{}, err
		}
		_, err = tx.Exec(ctx, l.sql(insertCustomerSQL), c.ID, req.OrganisationID, c.Created.Unix(), 0, string(text))
		return c.BillingCustomer(), err
	})
}

// Customer implements payment.Customers.
func (l *Ledger) Customer(ctx context.Context, id string) (out billing.Customer, err error) {
	err = l.Read(ctx, id, Scope{}, func(_ plugin.Tx, r *Record) error {
		out = r.Customer.BillingCustomer()
		return nil
	})
	return out, err
}

// CustomersOfOrganisation returns the customers of an organisation that were not deleted, oldest first.
func (l *Ledger) CustomersOfOrganisation(ctx context.Context, tx plugin.Tx, organisationID string) ([]Customer, error) {
	if organisationID == "" {
		return nil, nil
	}
	var documents []string
	if err := tx.List(ctx, &documents, l.sql(selectCustomersOfOrganisationSQL), organisationID); err != nil {
		return nil, err
	}
	customers := make([]Customer, len(documents))
	for i, document := range documents {
		if err := json.Unmarshal([]byte(document), &customers[i]); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(customers, func(c Customer) bool { return c.Deleted }), nil
}

// CustomerOf implements payment.Customers.
func (l *Ledger) CustomerOf(ctx context.Context, owner payment.Owner) (out billing.Customer, err error) {
	err = l.Database.Read(ctx, func(tx plugin.Tx) error {
		customers, err := l.CustomersOfOrganisation(ctx, tx, owner.OrganisationID)
		if err != nil {
			return err
		}
		if len(customers) == 0 {
			return errNoCustomer()
		}
		out = customers[0].BillingCustomer()
		return nil
	})
	return out, AsFault(err)
}

// UpdateCustomer implements payment.Customers.
func (l *Ledger) UpdateCustomer(ctx context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	return l.UpdateOnce(ctx, "update customer", req.Key, req.CustomerID, req, func(r *Record) error {
		if id := req.Details.TaxID; id != nil && !id.HasKnownType() {
			return fault.New(fault.Invalid, "This type of tax number is not supported.")
		}
		r.Customer.Details = req.Details
		r.Customer.Email = cmp.Or(req.Email, r.Customer.Email)
		return nil
	})
}

// EraseCustomer implements payment.Customers. The invoices have details of their own.
func (l *Ledger) EraseCustomer(ctx context.Context, customerID string) error {
	return l.Erase(ctx, customerID, func(*Record) error { return nil })
}

// Erase removes the details of the customer after change has changed the record. It ignores a deleted customer.
func (l *Ledger) Erase(ctx context.Context, customerID string, change func(*Record) error) error {
	_, err := l.Update(ctx, customerID, Scope{}, func(r *Record) error {
		if err := change(r); err != nil {
			return err
		}
		c := &r.Customer
		c.OrganisationID, c.Name, c.Email, c.Details = "", "", "", account.BillingDetails{}
		return nil
	})
	if errors.Is(err, payment.ErrCustomerDeleted) {
		return nil
	}
	return err
}

// AddCredit implements payment.Support.
func (l *Ledger) AddCredit(ctx context.Context, req payment.CreditGrant) (billing.Customer, error) {
	return l.UpdateOnce(ctx, "add credit", req.Key, req.CustomerID, req, func(r *Record) error {
		return r.Account.AddCredit(req.Amount)
	})
}

// UpdateOnce changes the record of a customer once per key and returns the customer.
func (l *Ledger) UpdateOnce(
	ctx context.Context, name, key, customerID string, request any, change func(*Record) error,
) (billing.Customer, error) {
	return DoOnce(ctx, l, name, key, request, func(tx plugin.Tx) (billing.Customer, error) {
		r, err := l.UpdateInTx(ctx, tx, customerID, Scope{}, change)
		if err != nil {
			return billing.Customer{}, err
		}
		return r.Customer.BillingCustomer(), nil
	})
}

// DeleteCustomer ends the subscriptions of a customer and removes its personal data, but keeps the invoices. Only tests
// call it. It does not close a page that is open at a gateway. A later payment on that page is not recorded, and an
// operator has to refund it at the provider.
func (l *Ledger) DeleteCustomer(ctx context.Context, customerID string) error {
	_, err := l.Update(ctx, customerID, Scope{}, func(r *Record) error {
		for _, s := range r.Account.Subscriptions {
			if err := r.Account.End(s.ID, true); err != nil {
				return err
			}
		}
		r.Account.Currency, r.Account.Credit = "", 0
		c := r.Customer
		r.Customer = Customer{ID: c.ID, OrganisationID: c.OrganisationID, Created: c.Created, Deleted: true}
		return nil
	})
	return err
}
