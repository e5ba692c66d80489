package billing

// Card is all we ever know and keep of a card.
type Card struct {
	Brand    string // "visa", "mastercard", … as the provider names it
	Last4    string
	ExpMonth int // 1 to 12
	ExpYear  int // four digits
}

// PaymentMethod is a card saved at the payment provider.
type PaymentMethod struct {
	ID   string
	Card Card
}

// Customer is the organisation as the payment provider knows it.
type Customer struct {
	ID             string
	OrganisationID string         // our id, kept at the provider so that a customer can be found again
	Currency       string         // what it has been charged in; "" before the first subscription
	Preferred      string         // the currency chosen at registration, kept in the provider's metadata
	Default        *PaymentMethod // the card that gets charged; nil when there is none
}
