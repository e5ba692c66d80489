package invoicepayment

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
)

// customer is stored as JSON.
type customer struct {
	ID           string                 `json:"id"`
	Organisation string                 `json:"organisation"`
	Name         string                 `json:"name"`
	Email        string                 `json:"email"`
	Details      account.BillingDetails `json:"details,omitzero"`
	Preferred    string                 `json:"preferred,omitempty"` // currency
	Currency     string                 `json:"currency,omitempty"`
	Credit       int64                  `json:"credit,omitempty"` // minor units
	Created      time.Time              `json:"created"`
	Deleted      bool                   `json:"deleted,omitempty"` // its personal data was removed
}

func (c customer) billing() billing.Customer {
	return billing.Customer{
		ID: c.ID, OrganisationID: c.Organisation, Currency: c.Currency, Preferred: c.Preferred, Credit: amountOf(c.Credit, c.Currency),
	}
}

// invoice is stored as JSON.
type invoice struct {
	engine.Invoice
	document
}

// document has what an invoice shows besides its amounts.
type document struct {
	Tax      int64         `json:"tax,omitempty"`      // the part of the total, in minor units
	TaxName  string        `json:"tax_name,omitempty"` // "GST 10 %"
	Buyer    buyer         `json:"buyer"`
	TimeZone timezone.Zone `json:"time_zone,omitempty"` // of the dates; "" in records of earlier versions
}

// buyer is the customer as of when an invoice was issued.
type buyer struct {
	Name    string                 `json:"name"`
	Details account.BillingDetails `json:"details,omitzero"`
}

// zone returns the time zone of the dates of the invoice.
func (d document) zone() timezone.Zone { return cmp.Or(d.TimeZone, d.Buyer.Details.Address.TimeZone()) }

// The prefixes of ids.
const (
	customerPrefix     = "icus_"
	subscriptionPrefix = "isub_"
	invoicePrefix      = "inv_"
)

func newID(prefix string) string { return prefix + rand.Text() }

func newInvoiceID() string { return newID(invoicePrefix) }

// amountOf returns an amount in a currency of the catalogue.
func amountOf(minor int64, currency string) money.Amount {
	if currency == "" {
		return money.Amount{}
	}
	amount, err := money.New(minor, currency)
	if err != nil {
		panic(fmt.Sprintf("invoicepayment: %v", err)) // it was read from the catalogue
	}
	return amount
}
