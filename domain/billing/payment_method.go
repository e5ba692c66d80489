package billing

import "fmt"

// Card is all we ever know of a card. Fingerprint is neither stored nor shown.
type Card struct {
	Brand    string // "visa", "mastercard", … as the provider names it
	Last4    string
	ExpMonth int // 1 to 12
	ExpYear  int // four digits
	// Fingerprint is the provider's stand-in for the card's number: the same number has the same
	// fingerprint. "" when the provider does not say.
	Fingerprint string
}

// PaymentMethod is a card saved at the payment provider.
type PaymentMethod struct {
	ID   string
	Card Card
}

// Identity is equal for two payment methods that are the same card: same number and same expiry.
// Without a fingerprint a payment method is identical only to itself.
func (m PaymentMethod) Identity() string {
	if m.Card.Fingerprint == "" {
		return m.ID
	}
	return fmt.Sprintf("%s %04d-%02d", m.Card.Fingerprint, m.Card.ExpYear, m.Card.ExpMonth)
}

// Customer is the organisation as the payment provider knows it.
type Customer struct {
	ID             string
	OrganisationID string         // our id, kept at the provider so that a customer can be found again
	Currency       string         // what it has been charged in; "" before the first subscription
	Preferred      string         // the currency chosen at registration, kept in the provider's metadata
	Default        *PaymentMethod // the card that gets charged; nil when there is none
}
