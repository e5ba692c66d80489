package billing

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/money"
)

// NextActionKind is the kind of a next action.
type NextActionKind string

// The kinds of next action.
const (
	NoAction         NextActionKind = ""
	ConfirmPayment   NextActionKind = "confirm_payment"    // confirm the payment in the browser
	ConfirmSetup     NextActionKind = "confirm_setup"      // authenticate the card for later payments in the browser
	Redirect         NextActionKind = "redirect"           // visit the provider's page and come back
	NewPaymentMethod NextActionKind = "new_payment_method" // enter another method, because the last one was refused
	Wait             NextActionKind = "wait"               // wait while a payment is processing, or follow the instructions
)

// Instruction is a line of the instructions for a payment outside of the browser, such as an account number or a
// reference. For an amount, Value is the shortest text. A document or screen that shows other amounts formats Amount in
// the same way.
type Instruction struct {
	Label  string
	Value  string
	Amount money.Amount `json:",omitzero"` // zero for a line that is not an amount
}

// NextAction describes the action that a subscription needs next from its customer. Secret and URL are credentials
// for the customer's browser; they are never stored or logged.
type NextAction struct {
	Kind         NextActionKind `json:",omitzero"`
	InvoiceID    string         `json:",omitzero"` // the invoice to be paid; "" when only a card is authenticated or a payment method is saved
	Secret, URL  string         `json:",omitzero"`
	Instructions []Instruction  `json:",omitzero"` // for Wait
	Until        time.Time      `json:",omitzero"` // the deadline, or the expected arrival of a payment that is processing; zero for none
	InvoiceDays  int            `json:",omitzero"` // of an order: the days from its approval to the due date of its invoice; 0 when unknown
	Reason       string         `json:",omitzero"` // the provider's message to the customer about the last failed attempt; see Account.MethodRefusal for NoAction
	Failed       FailedAttempt  `json:",omitzero"` // the last failed attempt, for NewPaymentMethod and Redirect
	// Method is charged by the payment that is processing; nil when unknown. It has no fingerprint.
	Method *PaymentMethod `json:",omitzero"`
}

// DeriveNextAction derives the next action from the status of the subscription, the payment of its latest invoice and the
// pending setup. Adapters of providers with such intents use it. It never returns Redirect, which an adapter sets
// itself. reason states why the last attempt failed, or is "".
//
// For a canceled subscription it returns the action for the open invoice, even if the invoice is not owed; see
// Account.OwingSubscription.
func DeriveNextAction(s Subscription, reason string) NextAction {
	if s.Status.Ended() && s.Status != Canceled {
		return NextAction{}
	}
	if intent := s.paymentToConfirm(); intent != nil {
		next := NextAction{Kind: nextActionKind(intent.Status, ConfirmPayment), InvoiceID: s.LatestInvoice.ID, Reason: reason}
		switch {
		case next.Kind == Wait:
			next.Until, next.Method = intent.ExpectedBy, intent.ChargedMethod
		case s.Pending != nil:
			next.Until = s.Pending.ExpiresAt
		}
		return next.withIntent(intent)
	}
	if setup := s.PendingSetup; setup != nil && setup.Status != RequiresConfirmation && s.Status != Canceled {
		next := NextAction{Kind: nextActionKind(setup.Status, ConfirmSetup), Reason: reason}
		return next.withIntent(setup)
	}
	return NextAction{}
}

// paymentToConfirm returns the payment of the latest invoice if the payment is processing or the subscription waits for
// it, otherwise nil.
func (s Subscription) paymentToConfirm() *Intent {
	inv := s.LatestInvoice
	switch {
	case inv == nil || inv.Payment == nil:
		return nil
	case inv.Status == InvoiceOpen && inv.Payment.Status == Processing:
		return inv.Payment
	case s.Status == Incomplete, s.Status == PastDue, s.Pending != nil && s.Pending.InvoiceID == inv.ID,
		s.Status == Canceled && inv.Status == InvoiceOpen:
		return inv.Payment
	}
	return nil
}

// nextActionKind returns the kind of action for an intent with the status. It returns confirmKind if the browser has to
// confirm the intent.
func nextActionKind(status IntentStatus, confirmKind NextActionKind) NextActionKind {
	switch status {
	case RequiresAction, RequiresConfirmation:
		return confirmKind
	case RequiresPaymentMethod:
		return NewPaymentMethod
	case Processing:
		return Wait
	}
	return NoAction
}

// withIntent adds the secret and the failed attempt of the intent when the action needs them. It returns the zero action when
// there is nothing to do.
func (n NextAction) withIntent(intent *Intent) NextAction {
	switch n.Kind {
	case NoAction:
		return NextAction{}
	case NewPaymentMethod:
		n.Secret, n.Failed = intent.ClientSecret, intent.LastFailure
	case ConfirmPayment, ConfirmSetup:
		n.Secret = intent.ClientSecret
	}
	return n
}

// isOutsideBrowser reports whether the customer pays outside of the browser, by following the instructions.
func (n NextAction) isOutsideBrowser() bool { return n.Kind == Wait && len(n.Instructions) > 0 }

// isProcessing reports whether a payment of the invoice is processing and the customer only has to wait.
func (n NextAction) isProcessing() bool {
	return n.Kind == Wait && n.InvoiceID != "" && len(n.Instructions) == 0
}

// NeedsBankApproval reports whether the cardholder's bank wants the customer to approve the payment of the latest invoice, in
// the browser or on a page.
func (s *Subscription) NeedsBankApproval() bool {
	return s.Next.Kind == ConfirmPayment || s.Next.Kind == Redirect && s.LatestInvoice != nil && s.LatestInvoice.Payment != nil &&
		s.LatestInvoice.Payment.Status == RequiresAction
}

// withoutSecrets returns a deep copy that can be stored.
func (n NextAction) withoutSecrets() NextAction {
	n.Secret, n.URL = "", ""
	n.Instructions = slices.Clone(n.Instructions)
	if n.Method != nil {
		method := *n.Method
		method.Fingerprint, method.Card.Fingerprint = "", ""
		n.Method = &method
	}
	return n
}

// Outcome is the result of a payment request, in the form in which front ends present it.
type Outcome string

// The outcomes. OutcomeConfirmSetup and OutcomeConfirmPayment need the customer's browser.
const (
	OutcomeSucceeded      Outcome = "succeeded"       // the plan is active, or the invoice is paid
	OutcomeConfirmSetup   Outcome = "confirm_setup"   // the plan is active, but the card has to be authenticated
	OutcomeConfirmPayment Outcome = "confirm_payment" // the browser confirms the payment
	OutcomeRedirect       Outcome = "redirect"        // the customer continues at the provider, at Next.URL
	OutcomeCardDeclined   Outcome = "card_declined"   // another card is needed; the invoice stays open
	OutcomeProcessing     Outcome = "processing"      // the result is not known yet
	OutcomeFailed         Outcome = "failed"          // the customer can't complete the payment any more
)

// DecideOutcome returns the outcome of a payment request whose response is the subscription. It depends only on what
// every provider reports: the status and the next action or, without a next action, the status of the latest invoice.
// While a plan change is pending, DecideOutcome returns the outcome of its payment.
//
// retry is true if an earlier attempt to pay the same invoice was declined. A payment that needs a payment method is
// then confirmed with the new card instead of being reported as declined again. Without a client secret the confirmation
// fails, and the front end reports a retry that failed.
func DecideOutcome(s Subscription, retry bool) Outcome {
	switch {
	case s.Status.Ended():
		return OutcomeFailed // even if its invoice was paid, because the customer has no license
	case s.Pending != nil || s.Status != Active && s.Status != Trialing:
		return decidePayment(s, retry)
	case s.Next.Kind == ConfirmSetup:
		return OutcomeConfirmSetup
	case s.Next.Kind == Redirect:
		return OutcomeRedirect // nothing is due: the customer saves a payment method
	}
	return OutcomeSucceeded
}

// DecideInvoiceOutcome returns the outcome of paying the latest invoice of the subscription. Unlike DecideOutcome, it also
// reports the payment of an owed invoice after the subscription has ended.
func DecideInvoiceOutcome(s Subscription) Outcome {
	if s.Status.Ended() {
		return decidePayment(s, false)
	}
	return DecideOutcome(s, false)
}

// decidePayment returns the outcome of the payment that the subscription waits for.
func decidePayment(s Subscription, retry bool) Outcome {
	switch s.Next.Kind {
	case ConfirmPayment:
		return OutcomeConfirmPayment
	case Redirect:
		return OutcomeRedirect
	case NewPaymentMethod:
		if retry {
			return OutcomeConfirmPayment
		}
		return OutcomeCardDeclined
	case Wait:
		return OutcomeProcessing
	case NoAction, ConfirmSetup:
	}
	if s.LatestInvoice != nil && s.LatestInvoice.Status == InvoicePaid {
		return OutcomeSucceeded
	}
	return OutcomeFailed
}
