package payment

import (
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
)

// NewCustomer asks for an organisation's customer.
type NewCustomer struct {
	Key            string
	OrganisationID string // kept at the provider, so that the customer can be found from there
	Name           string // the organisation's name, for the provider's receipts
	Email          string
	Phone          string
	Currency       string // the currency chosen at registration; "" when none was
	Address        account.Address
}

// NewCard saves a card.
type NewCard struct {
	Key        string
	CustomerID string
	CardID     string // the payment method the browser made
}

// NewSubscription starts a subscription.
type NewSubscription struct {
	Key        string
	CustomerID string
	Price      catalogue.PriceRef
	TrialDays  int // 0 charges now
}

// Continuation pays what is open on a subscription.
type Continuation struct {
	Key            string
	SubscriptionID string
}

// PlanChange moves a subscription to another price of the same currency.
type PlanChange struct {
	Key            string
	SubscriptionID string
	Price          catalogue.PriceRef
}

// Cancellation ends a subscription.
type Cancellation struct {
	Key            string
	SubscriptionID string
}
