package billing

import (
	"strconv"
	"time"
	"unicode"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// StepKind is what a step asks of the payment provider.
type StepKind string

// The kinds of steps.
const (
	CreateCustomerStep    StepKind = "create customer"
	SaveCardStep          StepKind = "save card"        // and make it the default one
	SetDefaultCardStep    StepKind = "set default card" // one that is saved already
	DeleteCardStep        StepKind = "delete card"
	EndUnpaidStep         StepKind = "end unpaid subscription" // unless it is paid at this very moment
	StartSubscriptionStep StepKind = "start subscription"
	PayInvoiceStep        StepKind = "pay invoice"
	ChangePlanStep        StepKind = "change plan"
	DropChangeStep        StepKind = "drop pending change"
)

// Charges reports whether a step of this kind can charge a card.
func (k StepKind) Charges() bool {
	switch k {
	case StartSubscriptionStep, PayInvoiceStep, ChangePlanStep:
		return true
	case CreateCustomerStep, SaveCardStep, SetDefaultCardStep, DeleteCardStep, EndUnpaidStep, DropChangeStep:
		return false
	}
	return true // a kind that a newer server has stored
}

// Step is one request to the payment provider with all its parameters, as it was planned. It is
// stored with its operation, and whoever carries it out sends exactly this. Which fields are set
// depends on the kind.
type Step struct {
	Kind           StepKind
	Key            string // the request's own idempotency key; Keyed sets it
	CustomerID     string
	SubscriptionID string
	InvoiceID      string
	CardID         string
	Amount         money.Amount       // what the customer agreed to pay
	From           catalogue.PriceRef // the price before a change
	Price          catalogue.PriceRef // the price that is bought
	TrialDays      int
	First          bool      // nothing was ever sold to the customer, as far as we know
	KeepDefault    bool      // a saved card does not become the default one
	EndTrial       bool      // a change ends a running trial
	At             time.Time // the instant for which a change is calculated
}

// Keyed returns the steps of an operation with their keys. A key is good for one step: a provider
// refuses it for any other request.
func Keyed(operationKey string, steps []Step) []Step {
	keyed := make([]Step, len(steps))
	for i, s := range steps {
		s.Key = operationKey + "-" + strconv.Itoa(i+1)
		keyed[i] = s
	}
	return keyed
}

// CheckSteps refuses steps that can't be stored: what a client names as a card may be a card number
// that somebody typed into the wrong place. No provider has a payment method of that name.
func CheckSteps(steps []Step) error {
	for _, s := range steps {
		if isCardNumber(s.CardID) {
			return fault.New(fault.NotFound, "There is no such card.")
		}
	}
	return nil
}

// isCardNumber reports whether the text has the digits of a card number, and no letters.
func isCardNumber(text string) bool {
	const fewest = 12
	digits := 0
	for _, r := range text {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case unicode.IsLetter(r):
			return false
		}
	}
	return digits >= fewest
}
