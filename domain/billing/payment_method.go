package billing

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/vc-admin/diy/domain/money"
)

// Card holds the details of a card. The card number never reaches the server.
type Card struct {
	Brand    string `json:",omitzero"` // "visa", "mastercard", … as the provider names it
	Last4    string `json:",omitzero"`
	ExpMonth int    `json:",omitzero"` // 1 to 12
	ExpYear  int    `json:",omitzero"` // four digits
	// Fingerprint is the provider's identifier of the card number, equal for equal numbers; "" when the
	// provider has none. It is neither stored nor shown.
	Fingerprint string `json:",omitzero"`
}

// MethodKind is the kind of a payment method.
type MethodKind string

// The kinds of payment methods.
const (
	CardMethod      MethodKind = ""
	BankDebitMethod MethodKind = "bank_debit" // charged by direct debit, with a mandate
	OtherMethod     MethodKind = "other"
)

// PaymentMethod is a card, or another method to pay with, saved at the payment provider.
type PaymentMethod struct {
	ID    string     `json:",omitzero"`
	Kind  MethodKind `json:",omitzero"`
	Label string     `json:",omitzero"` // "BECS Direct Debit •••• 3456", or the provider's name of the type, "paypal"; "" for a card
	Card  Card       `json:",omitzero"` // zero unless Kind is CardMethod
	// Fingerprint is the provider's identifier of a bank account, equal for equal accounts; "" when the provider has none
	// and for a card, see Card.Fingerprint. It is neither stored nor shown.
	Fingerprint string `json:",omitzero"`
}

// DisplayName returns the name that customers see: "Visa •••• 4242" for a card, otherwise the label. It is "PayPal" for
// the label "paypal", which is a type of payment methods.
func (m PaymentMethod) DisplayName() string {
	if m.Kind != CardMethod {
		return MethodTypeName(m.Label)
	}
	return BrandName(m.Card.Brand) + " •••• " + m.Card.Last4
}

// Identity returns a string that is equal for two payment methods with the same card number and
// expiry, or the same bank account. Without a fingerprint it is the payment method's id.
func (m PaymentMethod) Identity() string {
	if m.Card.Fingerprint == "" {
		return cmp.Or(m.Fingerprint, m.ID)
	}
	return fmt.Sprintf("%s %04d-%02d", m.Card.Fingerprint, m.Card.ExpYear, m.Card.ExpMonth)
}

// UniqueMethods returns the methods without duplicates of the same card or bank account. methods are ordered from the
// newest to the oldest. Of identical methods it returns the default one, otherwise the newest. It keeps the order.
func UniqueMethods(methods []PaymentMethod, defaultID string) []PaymentMethod {
	shown := map[string]string{} // the id of the method to return, by identity
	for _, m := range methods {
		if shown[m.Identity()] == "" || m.ID == defaultID {
			shown[m.Identity()] = m.ID
		}
	}
	return slices.DeleteFunc(slices.Clone(methods), func(m PaymentMethod) bool { return shown[m.Identity()] != m.ID })
}

// DuplicatesOf returns the other methods that are identical to the method with the id.
func DuplicatesOf(id string, methods []PaymentMethod) []PaymentMethod {
	i := slices.IndexFunc(methods, func(m PaymentMethod) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(methods), func(m PaymentMethod) bool {
		return m.ID == id || m.Identity() != methods[i].Identity()
	})
}

// Customer is an organisation's record at the payment provider.
type Customer struct {
	ID                string
	OrganisationID    string         // stored at the provider, so that the customer can be found again
	Currency          string         // fixed by the first subscription; "" before it
	PreferredCurrency string         // the currency chosen at registration
	Default           *PaymentMethod // the payment method that is charged; nil when there is none
	Credit            money.Amount   // deducted from the next invoices; zero when there is none
	HeldCredit        money.Amount   // not used while the customer is on hold
	Hold              Hold
	// Buyer and Phone are what the next invoice will show, from a provider where operators can edit them. Buyer is nil if the
	// provider does not report them.
	Buyer *Buyer
	Phone string
}

// DefaultID returns the id of the default payment method, or "".
func (c Customer) DefaultID() string {
	if c.Default == nil {
		return ""
	}
	return c.Default.ID
}
