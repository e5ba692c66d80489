package fakepayment

import (
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// behaviour is what a test card's number stands for.
type behaviour string

const (
	pays              behaviour = "pays"
	authenticates     behaviour = "authenticates"
	refusedWhenSaved  behaviour = "refused_when_saved"
	refusedWhenPaid   behaviour = "refused_when_paid"
	insufficientFunds behaviour = "insufficient_funds"
	lost              behaviour = "lost"
	stolen            behaviour = "stolen"
	expired           behaviour = "expired"
)

// problem is why a card did not do, in Stripe's codes and words.
type problem struct {
	Code        string `json:"code"`
	DeclineCode string `json:"decline_code,omitempty"`
	Message     string `json:"message"`
	Param       string `json:"param,omitempty"`
}

// CardError is why a card did not do.
type CardError = problem

// CardErrorOf finds what was wrong with the card in an error that a card was the reason of.
func CardErrorOf(err error) (CardError, bool) {
	if why, is := errors.AsType[*problem](err); is {
		return *why, true
	}
	return CardError{}, false
}

// Error is the sentence for the card's holder.
func (p *problem) Error() string { return p.Message }

// hard reports whether the card will never do.
func (p *problem) hard() bool {
	return p != nil && (p.Code == "expired_card" || p.DeclineCode == "lost_card" || p.DeclineCode == "stolen_card")
}

// declined is the fault that carries the problem.
func (p *problem) declined() error { return fault.Wrap(p, fault.Declined, p.Message) }

var (
	genericDecline = problem{Code: "card_declined", DeclineCode: "generic_decline", Message: "Your card was declined."}
	noFunds        = problem{Code: "card_declined", DeclineCode: "insufficient_funds", Message: "Your card has insufficient funds."}
	lostCard       = problem{Code: "card_declined", DeclineCode: "lost_card", Message: "Your card was declined."}
	stolenCard     = problem{Code: "card_declined", DeclineCode: "stolen_card", Message: "Your card was declined."}
	expiredCard    = problem{Code: "expired_card", Message: "Your card has expired."}
	noCard         = problem{Code: "payment_intent_unexpected_state", Message: "You must provide a payment method."}
)

// notAuthenticated is the problem of an intent whose holder did not pass, or gave up.
func notAuthenticated(kind intentKind) *problem {
	return &problem{
		Code:    string(kind) + "_intent_authentication_failure",
		Message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
	}
}

// problemSaving is what the bank says when the card is to be saved, nil when it is fine.
func (c card) problemSaving(now time.Time) *problem {
	switch {
	case c.Behaviour == expired, past(c.Card, now):
		return &expiredCard
	case c.Behaviour == refusedWhenSaved:
		return &genericDecline
	}
	return nil
}

// problemPaying is what the bank says to a payment, nil when it is fine.
func (c card) problemPaying(now time.Time) *problem {
	switch c.Behaviour {
	case refusedWhenPaid:
		return &genericDecline
	case insufficientFunds:
		return &noFunds
	case lost:
		return &lostCard
	case stolen:
		return &stolenCard
	}
	return c.problemSaving(now)
}

// asksHolder reports whether the bank wants to see the card's holder first.
func (c card) asksHolder() bool { return c.Behaviour == authenticates && !c.Authenticated }

// past reports whether the card's last month is over.
func past(c billing.Card, now time.Time) bool {
	return !now.Before(time.Date(c.ExpYear, time.Month(c.ExpMonth)+1, 1, 0, 0, 0, 0, time.UTC))
}
