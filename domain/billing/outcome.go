package billing

// Outcome is what has to happen next after the payment provider answered a payment call.
type Outcome string

// The outcomes. ConfirmSetup and ConfirmPayment need the customer's browser.
const (
	OutcomeSucceeded      Outcome = "succeeded"       // the organisation has its license
	OutcomeConfirmSetup   Outcome = "confirm_setup"   // licensed, but the bank wants to see the card's owner
	OutcomeConfirmPayment Outcome = "confirm_payment" // the payment waits for the card's owner, or for a retry
	OutcomeCardDeclined   Outcome = "card_declined"   // another card is needed; the invoice stays open
	OutcomeProcessing     Outcome = "processing"      // money is on its way and nobody knows yet
	OutcomeFailed         Outcome = "failed"          // nothing is left to confirm
)

// Decide says what a subscription, fresh from the provider, asks for next. retry tells that an
// earlier try at the same invoice was declined: then a payment that still lacks a card is
// confirmed with the new one rather than reported as declined again. While a plan change is pending
// the answer is about its payment.
func Decide(s Subscription, retry bool) Outcome {
	switch {
	case s.Pending == nil && (s.Status == Active || s.Status == Trialing):
		return decideLicensed(s.PendingSetup)
	case s.Status.Ended(), s.LatestInvoice == nil, s.LatestInvoice.Payment == nil:
		// An ended subscription is never paid for: the money would buy nothing.
		return OutcomeFailed
	}
	return decidePayment(s.LatestInvoice.Payment.Status, retry)
}

func decideLicensed(setup *Intent) Outcome {
	if setup != nil && setup.Status == RequiresAction {
		return OutcomeConfirmSetup
	}
	return OutcomeSucceeded
}

func decidePayment(status IntentStatus, retry bool) Outcome {
	switch status {
	case Succeeded:
		return OutcomeSucceeded
	case Processing:
		return OutcomeProcessing
	case RequiresAction, RequiresConfirmation:
		return OutcomeConfirmPayment
	case RequiresPaymentMethod:
		if retry {
			return OutcomeConfirmPayment
		}
		return OutcomeCardDeclined
	default: // canceled, or a status that is new to us
		return OutcomeFailed
	}
}
