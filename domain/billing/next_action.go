package billing

import (
	"slices"
	"time"
)

// ActionKind is what a customer has to do next.
type ActionKind string

// The kinds of action.
const (
	NoAction         ActionKind = ""
	ConfirmPayment   ActionKind = "confirm_payment"    // approve the payment in the browser
	ConfirmSetup     ActionKind = "confirm_setup"      // approve the card for later payments in the browser
	Redirect         ActionKind = "redirect"           // go to the provider and come back
	NewPaymentMethod ActionKind = "new_payment_method" // the last one was refused
	Wait             ActionKind = "wait"               // nothing but wait, or follow the instructions
)

// Instruction is one line of what a customer needs to pay outside of the browser, such as an
// account number or a reference.
type Instruction struct {
	Label string
	Value string
}

// NextAction is what a customer has to do next about a subscription. Secret and URL are
// credentials: they are passed on to the customer's browser and never stored or logged.
type NextAction struct {
	Kind         ActionKind
	InvoiceID    string // the invoice that is to be paid; "" when it is about a card alone
	Secret, URL  string
	Instructions []Instruction // for Wait
	Until        time.Time     // zero: no limit
	Reason       string        // why the last attempt failed, in the provider's words for the customer
}

// NextActionOf derives the next action from the status of the subscription, the payment of its
// latest invoice and the pending setup. reason is why the last attempt failed; "" when none did.
func NextActionOf(s Subscription, reason string) NextAction {
	if s.Status.Ended() {
		return NextAction{}
	}
	if in := s.openPayment(); in != nil {
		next := NextAction{Kind: actionFor(in.Status, ConfirmPayment), InvoiceID: s.LatestInvoice.ID, Reason: reason}
		if s.Pending != nil {
			next.Until = s.Pending.ExpiresAt
		}
		return next.withSecret(in)
	}
	if s.PendingSetup != nil {
		next := NextAction{Kind: actionFor(s.PendingSetup.Status, ConfirmSetup), Reason: reason}
		return next.withSecret(s.PendingSetup)
	}
	return NextAction{}
}

// openPayment returns the payment of the latest invoice while it is still to be made, or nil.
func (s Subscription) openPayment() *Intent {
	inv := s.LatestInvoice
	switch {
	case inv == nil || inv.Payment == nil:
		return nil
	case s.Status == Incomplete, s.Status == PastDue, s.Pending != nil && s.Pending.InvoiceID == inv.ID:
		return inv.Payment
	}
	return nil
}

func actionFor(status IntentStatus, confirm ActionKind) ActionKind {
	switch status {
	case RequiresAction, RequiresConfirmation:
		return confirm
	case RequiresPaymentMethod:
		return NewPaymentMethod
	case Processing:
		return Wait
	}
	return NoAction
}

// withSecret adds the secret of the intent, or drops everything when there is nothing to do.
func (n NextAction) withSecret(in *Intent) NextAction {
	switch n.Kind {
	case NoAction:
		return NextAction{}
	case ConfirmPayment, ConfirmSetup, NewPaymentMethod:
		n.Secret = in.ClientSecret
	}
	return n
}

// withoutSecrets is a copy that can be stored and shares nothing with the original.
func (n NextAction) withoutSecrets() NextAction {
	n.Secret, n.URL = "", ""
	n.Instructions = slices.Clone(n.Instructions)
	return n
}
