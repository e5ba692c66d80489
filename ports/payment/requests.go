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

// Owner is the organisation that a customer was made for.
type Owner struct {
	OrganisationID string
	Email          string // the one the customer was made with
}

// NewCard saves a card.
type NewCard struct {
	Key        string
	CustomerID string
	CardID     string // the payment method the browser made
}

// SavedCard is one of the customer's cards, to be made the default one or to be taken away.
type SavedCard struct {
	Key        string
	CustomerID string
	CardID     string
}

// NewSubscription starts a subscription.
type NewSubscription struct {
	Key        string
	CustomerID string
	CardID     string // a card made in the browser, or a saved one; "" for the default card
	Price      catalogue.PriceRef
	TrialDays  int // 0 charges now
	// Sole has the provider refuse, as Conflict, to start a subscription beside another one to a
	// product of the catalogue that is not over: live, incomplete or unpaid. Whoever believes that
	// there is none is right then, however little has been heard of the customer so far.
	Sole bool
	// First refuses in the same way to start one for a customer that was ever sold anything, and so
	// has a currency, and perhaps had its trial, that the caller has not heard of.
	First bool
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
	// IfUnpaid spares a live one: it is returned as it is. So an incomplete or unpaid subscription
	// that gets paid at this very moment is either ended and can't be paid, or is paid and goes on.
	IfUnpaid bool
}
