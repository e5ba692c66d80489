package fakepayment

import (
	"errors"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/testcards"
	"github.com/vc-admin/diy/domain/fault"
)

// CardEntry is the content of a card form.
type CardEntry = testcards.Entry

// CardError describes why a card was refused, with Stripe's codes and messages.
type CardError = testcards.Error

// CardErrorOf returns the CardError in err's chain.
func CardErrorOf(err error) (CardError, bool) {
	if cardErr, ok := errors.AsType[*CardError](err); ok {
		return *cardErr, true
	}
	return CardError{}, false
}

// Stripe's advice codes.
const (
	adviceTryAgainLater = "try_again_later"
	adviceDoNotTryAgain = "do_not_try_again"
)

// isHardDecline reports whether the card must not be charged again.
func isHardDecline(e *CardError) bool {
	return e != nil && e.AdviceCode == adviceDoNotTryAgain
}

func asFault(e *CardError) error { return fault.Wrap(e, fault.Declined, e.Message) }

var (
	genericDecline = CardError{
		Code: "card_declined", DeclineCode: "generic_decline", AdviceCode: adviceTryAgainLater,
		Message: "Your card was declined.",
	}
	insufficientFundsDecline = CardError{
		Code: "card_declined", DeclineCode: "insufficient_funds", AdviceCode: adviceTryAgainLater,
		Message: "Your card has insufficient funds.",
	}
	lostCardDecline = CardError{
		Code: "card_declined", DeclineCode: "lost_card", AdviceCode: adviceDoNotTryAgain,
		Message: "Your card was declined.",
	}
	stolenCardDecline = CardError{
		Code: "card_declined", DeclineCode: "stolen_card", AdviceCode: adviceDoNotTryAgain,
		Message: "Your card was declined.",
	}
	expiredCardDecline = CardError{
		Code: "expired_card", DeclineCode: "expired_card", AdviceCode: adviceDoNotTryAgain, Message: "Your card has expired.",
	}
	debitInsufficientFundsError = CardError{
		Code: "debit_not_authorized", DeclineCode: "insufficient_funds", Message: "Your bank account has insufficient funds.",
	}
	returnedDebitError = CardError{Code: "debit_returned", Message: "Your bank account has insufficient funds."}
	missingMethodError = CardError{Code: "payment_intent_unexpected_state", Message: "You must provide a payment method."}
)

// isAuthenticationFailure reports whether the card can be charged after another authentication.
func isAuthenticationFailure(e *CardError) bool {
	return strings.HasSuffix(e.Code, authenticationFailure)
}

// authenticationFailure is the end of the codes of newAuthenticationError.
const authenticationFailure = "_intent_authentication_failure"

func newAuthenticationError(kind intentKind) *CardError {
	return &CardError{
		Code:    string(kind) + authenticationFailure,
		Message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
	}
}

// checkSave returns the error of saving the card, or nil if it can be saved.
func (cd card) checkSave(now time.Time) *CardError {
	switch {
	case cd.AccountLast4 != "":
		return nil
	case cd.Behaviour == testcards.DeclinedAsExpired, testcards.IsExpired(cd.Card, now):
		return &expiredCardDecline
	case cd.Behaviour == testcards.DeclinedWhenSaved:
		return &genericDecline
	}
	return nil
}

// checkCharge returns the error of charging the card, or nil if it can be charged.
func (cd card) checkCharge(now time.Time) *CardError {
	switch cd.Behaviour {
	case testcards.DeclinedWhenCharged:
		return &genericDecline
	case testcards.SucceedsOnce:
		if cd.Charged {
			return &genericDecline
		}
	case testcards.InsufficientFunds:
		return &insufficientFundsDecline
	case testcards.DeclinedAsLost:
		return &lostCardDecline
	case testcards.DeclinedAsStolen:
		return &stolenCardDecline
	}
	return cd.checkSave(now)
}

// needsAuthentication reports whether the cardholder has to authenticate the card. A card with
// AuthenticatesAlways is authenticated only once too, as at Stripe after a set-up intent.
func (cd card) needsAuthentication() bool {
	authenticates := cd.Behaviour == testcards.Authenticates || cd.Behaviour == testcards.AuthenticatesAlways
	return authenticates && !cd.Authenticated
}
