package account

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

// Organisation is a customer of ours: a practice, a clinic, a single clinician.
type Organisation struct {
	ID           string
	Name         string // unique by NameKey
	ContactEmail string // where receipts go: the e-mail of who registered it
	Phone        string
	Address      Address // the billing address
	Currency     string  // chosen at registration, upper case; "" when none was
	Choice       Choice  // the plan chosen at registration, to come back to
	CreatedAt    time.Time
	Billing      billing.Account
}

// Address is a postal address. Country is an ISO 3166 alpha-2 code in upper case; Line2 may be
// empty; City and PostalCode are what the form calls district and pincode.
type Address struct {
	Line1      string
	Line2      string
	City       string
	State      string
	PostalCode string
	Country    string
}

// Choice is the plan a visitor had picked before registering. It is optional: the zero value
// means none, and one half never comes without the other.
type Choice struct {
	Product  string
	Interval catalogue.Interval
}

// None reports whether nothing was chosen.
func (c Choice) None() bool { return c == Choice{} }
