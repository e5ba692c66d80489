package stripepayment

import (
	"encoding/json"
	"slices"

	"github.com/stripe/stripe-go/v85"
)

// declineAdvice contains the advice on another attempt that Stripe and the card network give with a decline. Either part
// may be empty.
type declineAdvice struct {
	AdviceCode        string `json:"advice_code"`
	NetworkAdviceCode string `json:"network_advice_code"`
}

// hardNetworkAdvice contains the codes with which Mastercard and Visa forbid another attempt: 01 (the account data has
// changed, or the issuer never approves), 03 (do not try again, or revalidate the data), and 21 (the cardholder has
// cancelled the payments). The networks charge merchants for attempts after these codes.
var hardNetworkAdvice = []string{"01", "03", "21"}

// softNetworkAdvice contains the codes that suggest another attempt later: 02 (can't approve at this time) and 24 to 30
// (try again after an hour, up to ten days).
var softNetworkAdvice = []string{"02", "24", "25", "26", "27", "28", "29", "30"}

// hardDeclineCodes contains the decline codes after which another attempt with the same card fails too. Stripe
// documents most of them as hard; the others report a closed account or a revoked consent. The list does not contain
// authentication_required, because the customer can authenticate the next attempt.
var hardDeclineCodes = []stripe.DeclineCode{
	"lost_card", "stolen_card", "pickup_card", "incorrect_number", "highest_risk_level", "fraudulent",
	"revocation_of_authorization", "revocation_of_all_authorizations", "stop_payment_order",
	"transaction_not_allowed", "invalid_account", "expired_card",
}

// isHardDecline reports whether another attempt with the card of the last attempt would fail too. If there is advice, it
// takes precedence over the decline code, and the more cautious advice takes precedence over the other. A card whose data
// is to be confirmed can be entered again.
func isHardDecline(pi *stripe.PaymentIntent) bool {
	if pi.LastPaymentError == nil {
		return false
	}
	advice := adviceOf(pi)
	switch {
	case advice.AdviceCode == string(stripe.ChargeOutcomeAdviceCodeDoNotTryAgain),
		slices.Contains(hardNetworkAdvice, advice.NetworkAdviceCode):
		return true
	case advice.AdviceCode == string(stripe.ChargeOutcomeAdviceCodeTryAgainLater),
		advice.AdviceCode == string(stripe.ChargeOutcomeAdviceCodeConfirmCardData),
		slices.Contains(softNetworkAdvice, advice.NetworkAdviceCode):
		return false
	}
	return pi.LastPaymentError.Code == stripe.ErrorCodeExpiredCard ||
		slices.Contains(hardDeclineCodes, pi.LastPaymentError.DeclineCode)
}

// adviceOf returns the advice of the last attempt. It is part of the error, where Stripe's library does not decode it,
// and of the outcome of the charge, which is absent if the attempt failed before the charge.
func adviceOf(pi *stripe.PaymentIntent) declineAdvice {
	var body struct {
		LastPaymentError declineAdvice `json:"last_payment_error"`
	}
	if pi.LastResponse != nil {
		_ = json.Unmarshal(pi.LastResponse.RawJSON, &body) // the library has decoded the same body
	}
	advice := body.LastPaymentError
	if c := lastFailedCharge(pi); c != nil && c.Outcome != nil {
		if advice.AdviceCode == "" {
			advice.AdviceCode = string(c.Outcome.AdviceCode)
		}
		if advice.NetworkAdviceCode == "" {
			advice.NetworkAdviceCode = c.Outcome.NetworkAdviceCode
		}
	}
	return advice
}

// lastFailedCharge returns the charge of the last error, or nil if the attempt failed before the charge.
func lastFailedCharge(pi *stripe.PaymentIntent) *stripe.Charge {
	c := pi.LatestCharge
	if c == nil || c.Status != stripe.ChargeStatusFailed ||
		pi.LastPaymentError.ChargeID != "" && pi.LastPaymentError.ChargeID != c.ID {
		return nil
	}
	return c
}

// needsAuthentication reports whether the method of a failed attempt can be charged after the customer has authenticated it.
func needsAuthentication(err *stripe.Error) bool {
	return err.Code == stripe.ErrorCodePaymentIntentAuthenticationFailure || err.Code == stripe.ErrorCodeAuthenticationRequired ||
		err.DeclineCode == stripe.DeclineCode(stripe.ErrorCodeAuthenticationRequired)
}
