package account

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

// Organisation is a customer of the product, such as a practice, a clinic or a single clinician.
type Organisation struct {
	ID           string
	Name         string // unique by NameKey
	ContactEmail string // for receipts: the address of the user who registered
	Phone        string
	Address      Address // the billing address
	Currency     string  // chosen at registration, upper case; "" when none was
	Choice       Choice  // the plan chosen at registration
	CreatedAt    time.Time
	Billing      billing.Account
}

// Address is a postal address. City and PostalCode are the form's fields district and pincode.
type Address struct {
	Line1      string
	Line2      string // may be empty
	City       string
	State      string
	PostalCode string
	Country    string // ISO 3166 alpha-2, upper case
}

// Choice is the plan that a visitor chose before registering. The zero value means none; otherwise
// both fields are set.
type Choice struct {
	Product  string
	Interval catalogue.Interval
}

// None reports whether nothing was chosen.
func (c Choice) None() bool { return c == Choice{} }
