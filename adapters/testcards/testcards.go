// Package testcards contains the numbers of the cards and bank accounts that the fake payment providers accept, and
// validates what a customer enters in a card form. CONTRIBUTING.md lists the numbers.
package testcards

import "github.com/vc-admin/diy/domain/billing"

// Behaviour determines the results of saving and charging a card or bank account. Databases of the fake providers contain the
// values, so a constant can be renamed, but its value must not change.
type Behaviour string

// The behaviours. The payments of the last three take days.
const (
	Succeeds            Behaviour = "pays"
	Authenticates       Behaviour = "authenticates" // once
	AuthenticatesAlways Behaviour = "authenticates_always"
	DeclinedWhenSaved   Behaviour = "refused_when_saved"
	DeclinedWhenCharged Behaviour = "refused_when_paid"
	InsufficientFunds   Behaviour = "insufficient_funds"
	DeclinedAsLost      Behaviour = "lost"
	DeclinedAsStolen    Behaviour = "stolen"
	DeclinedAsExpired   Behaviour = "expired"
	SucceedsOnce        Behaviour = "pays_once"     // every later charge is declined
	SucceedsLate        Behaviour = "settles"       // the payment arrives
	FailsLate           Behaviour = "fails_late"    // the payment is accepted, then fails
	ReturnsLate         Behaviour = "returns_later" // the payment arrives, and the bank returns it later
)

// Method is a card, or a bank account.
type Method struct {
	Behaviour    Behaviour
	Card         billing.Card // zero for a bank account
	AccountLast4 string       // the last four digits of a bank account; "" for a card
}

// PaymentMethod returns the card or bank account without an ID.
func (m Method) PaymentMethod() billing.PaymentMethod {
	if m.AccountLast4 == "" {
		return billing.PaymentMethod{Card: m.Card}
	}
	return billing.PaymentMethod{
		Kind: billing.BankDebitMethod, Label: "Bank account •••• " + m.AccountLast4, Fingerprint: fingerprint(m.AccountLast4),
	}
}

// cards maps the numbers of cards to behaviours.
var cards = map[string]Behaviour{
	"4242424242424242": Succeeds,
	"5555555555554444": Succeeds,
	"378282246310005":  Succeeds,
	"4000002500003155": Authenticates,
	"4000002760003184": AuthenticatesAlways,
	"4000000000000002": DeclinedWhenSaved,
	"4000000000000069": DeclinedAsExpired,
	"4000000000000341": DeclinedWhenCharged,
	"4000000000001000": SucceedsOnce,
	"4000000000009995": InsufficientFunds,
	"4000000000009987": DeclinedAsLost,
	"4000000000009979": DeclinedAsStolen,
}

// accounts maps the numbers of bank accounts to behaviours.
var accounts = map[string]Behaviour{
	"6000000000056819": SucceedsLate,
	"6000000000059110": FailsLate,
	"6000000000094406": ReturnsLate,
}

// Error describes why an entry or a charge was refused, with Stripe's codes and messages.
type Error struct {
	Code        string `json:"code"`
	DeclineCode string `json:"decline_code,omitempty"`
	AdviceCode  string `json:"advice_code,omitempty"` // whether another attempt with the card can succeed
	Message     string `json:"message"`               // for the cardholder
	Param       string `json:"param,omitempty"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }
