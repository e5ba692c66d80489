package payment

import (
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
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
	// KeepDefault saves the card beside the present default one, which stays what it is.
	KeepDefault bool
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

// InvoicePayment charges one open invoice of a subscription.
type InvoicePayment struct {
	Key       string
	InvoiceID string
	Amount    money.Amount // what the customer agreed to; another amount due is Conflict
	MethodID  string       // one of the customer's saved payment methods; "" for the default one
}

// PlanChange moves a subscription to another price of the same currency.
type PlanChange struct {
	Key            string
	SubscriptionID string
	From           catalogue.PriceRef // the present price; any other is Conflict
	To             catalogue.PriceRef
	// At is the instant for which the unused part of the period is calculated, within the present
	// period. Zero is the provider's present time.
	At time.Time
	// EndTrial says that a trial is running, which the change ends. A trialing subscription without
	// it, and one that isn't trialing with it, is Conflict: the customer agreed to something else.
	EndTrial bool
}

// PendingCancellation drops a plan change that is not paid yet.
type PendingCancellation struct {
	Key            string
	SubscriptionID string
	InvoiceID      string // of the pending change
}

// Cancellation ends a subscription.
type Cancellation struct {
	Key            string
	SubscriptionID string
	// IfUnpaid spares a live one: it is returned as it is. So an incomplete or unpaid subscription
	// that gets paid at this very moment is either ended and can't be paid, or is paid and goes on.
	IfUnpaid bool
}
