package fakepayment

import (
	"errors"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// behaviour determines the results of saving and charging a test card. Databases contain the values, so a constant can
// be renamed, but its value must not change.
type behaviour string

const (
	succeeds            behaviour = "pays"
	authenticates       behaviour = "authenticates"
	declinedWhenSaved   behaviour = "refused_when_saved"
	declinedWhenCharged behaviour = "refused_when_paid"
	insufficientFunds   behaviour = "insufficient_funds"
	declinedAsLost      behaviour = "lost"
	declinedAsStolen    behaviour = "stolen"
	declinedAsExpired   behaviour = "expired"
	succeedsOnce        behaviour = "pays_once"
	succeedsLate        behaviour = "settles"       // the payment arrives after settlementDelay
	failsLate           behaviour = "fails_late"    // the payment is accepted, then fails after settlementDelay
	returnsLate         behaviour = "returns_later" // the payment arrives after settlementDelay and returns after returnDelay
)

// testCards maps numbers to behaviours; the package comment documents them.
var testCards = map[string]behaviour{
	"4242424242424242": succeeds,
	"5555555555554444": succeeds,
	"378282246310005":  succeeds,
	"4000002500003155": authenticates,
	"4000000000000002": declinedWhenSaved,
	"4000000000000069": declinedAsExpired,
	"4000000000000341": declinedWhenCharged,
	"4000000000001000": succeedsOnce,
	"4000000000009995": insufficientFunds,
	"4000000000009987": declinedAsLost,
	"4000000000009979": declinedAsStolen,
}

// testAccounts maps the numbers of bank accounts to behaviours; the package comment documents them.
var testAccounts = map[string]behaviour{
	"6000000000056819": succeedsLate,
	"6000000000059110": failsLate,
	"6000000000094406": returnsLate,
}

// CardError describes why a card was refused, with Stripe's codes and messages.
type CardError struct {
	Code        string `json:"code"`
	DeclineCode string `json:"decline_code,omitempty"`
	AdviceCode  string `json:"advice_code,omitempty"` // whether another attempt with the card can succeed
	Message     string `json:"message"`               // for the cardholder
	Param       string `json:"param,omitempty"`
}

// CardErrorOf returns the CardError in err's chain.
func CardErrorOf(err error) (CardError, bool) {
	if cardErr, ok := errors.AsType[*CardError](err); ok {
		return *cardErr, true
	}
	return CardError{}, false
}

// Error returns the message.
func (e *CardError) Error() string { return e.Message }

// Stripe's advice codes.
const (
	adviceTryAgainLater = "try_again_later"
	adviceDoNotTryAgain = "do_not_try_again"
)

// isHardDecline reports whether the card must not be charged again.
func (e *CardError) isHardDecline() bool {
	return e != nil && e.AdviceCode == adviceDoNotTryAgain
}

func (e *CardError) asFault() error { return fault.Wrap(e, fault.Declined, e.Message) }

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
	liveCardDecline    = CardError{
		Code: "card_declined", DeclineCode: "test_mode_live_card", Param: "number",
		Message: "Your card was declined. Your request was in test mode, but used a non test card.",
	}
)

// isAuthenticationFailure reports whether the card can be charged after another authentication.
func (e *CardError) isAuthenticationFailure() bool {
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
func (c card) checkSave(now time.Time) *CardError {
	switch {
	case c.AccountLast4 != "":
		return nil
	case c.Behaviour == declinedAsExpired, isExpired(c.Card, now):
		return &expiredCardDecline
	case c.Behaviour == declinedWhenSaved:
		return &genericDecline
	}
	return nil
}

// checkCharge returns the error of charging the card, or nil if it can be charged.
func (c card) checkCharge(now time.Time) *CardError {
	switch c.Behaviour {
	case declinedWhenCharged:
		return &genericDecline
	case succeedsOnce:
		if c.Charged {
			return &genericDecline
		}
	case insufficientFunds:
		return &insufficientFundsDecline
	case declinedAsLost:
		return &lostCardDecline
	case declinedAsStolen:
		return &stolenCardDecline
	}
	return c.checkSave(now)
}

func (c card) needsAuthentication() bool { return c.Behaviour == authenticates && !c.Authenticated }

// isExpired reports whether the card's last month is over.
func isExpired(c billing.Card, now time.Time) bool {
	return !now.Before(time.Date(c.ExpYear, time.Month(c.ExpMonth)+1, 1, 0, 0, 0, 0, time.UTC))
}
