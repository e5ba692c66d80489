// Package testcards contains the numbers of the cards and bank accounts that the fake payment providers accept, and
// validates what a customer enters in a card form. CONTRIBUTING.md lists the numbers.
package testcards

import (
	"slices"

	"github.com/vc-admin/diy/domain/billing"
)

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

// TestNumber is the number of a test card or test bank account.
type TestNumber struct {
	Digits      string
	Behaviour   Behaviour
	Description string // of the behaviour, for developers
}

// Cards returns the numbers of the test cards.
func Cards() []TestNumber { return slices.Clone(cards) }

// Accounts returns the numbers of the test bank accounts.
func Accounts() []TestNumber { return slices.Clone(accounts) }

var cards = []TestNumber{
	{"4242424242424242", Succeeds, "succeeds"},
	{"5555555555554444", Succeeds, "succeeds"},
	{"378282246310005", Succeeds, "succeeds; its CVC has four digits"},
	{"4000002500003155", Authenticates, "requires authentication"},
	{"4000002760003184", AuthenticatesAlways, "requires authentication; with the fake gateway for each payment"},
	{"4000000000000002", DeclinedWhenSaved, "is declined when it is saved"},
	{"4000000000000069", DeclinedAsExpired, "is expired"},
	{"4000000000000341", DeclinedWhenCharged, "can be saved; every charge is declined"},
	{"4000000000001000", SucceedsOnce, "pays once; every later charge is declined"},
	{"4000000000009995", InsufficientFunds, "can be saved; every charge is declined for insufficient funds"},
	{"4000000000009987", DeclinedAsLost, "can be saved; every charge is declined permanently (lost)"},
	{"4000000000009979", DeclinedAsStolen, "can be saved; every charge is declined permanently (stolen)"},
}

var accounts = []TestNumber{
	{"6000000000056819", SucceedsLate, "the payment arrives after three days"},
	{"6000000000059110", FailsLate, "the payment fails after three days for insufficient funds"},
	{"6000000000094406", ReturnsLate, "the payment arrives after three days, and the bank returns it after ten"},
}

// behaviourOf returns the behaviour of a number in the list.
func behaviourOf(numbers []TestNumber, digits string) (Behaviour, bool) {
	i := slices.IndexFunc(numbers, func(n TestNumber) bool { return n.Digits == digits })
	if i < 0 {
		return "", false
	}
	return numbers[i].Behaviour, true
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
