package fakeapi

import (
	"slices"
	"time"
)

// The result codes of payments, and the statuses of refunds and disputes.
const (
	resultAuthorised = "Authorised"
	resultRefused    = "Refused"
	resultCancelled  = "Cancelled"
	resultRedirect   = "RedirectShopper"
	resultChallenge  = "ChallengeShopper"

	statusReceived  = "received"
	statusSucceeded = "succeeded"
	statusFailed    = "failed"

	disputePending = "Pending"
	disputeWon     = "Won"
	disputeLost    = "Lost"
)

type amount struct {
	Value    int64  `json:"value"`
	Currency string `json:"currency"`
}

// payment is a payment as the API returns it. A payment of 0 only stores or authenticates the card.
type payment struct {
	PSPReference      string            `json:"pspReference"`
	MerchantReference string            `json:"merchantReference"`
	ShopperReference  string            `json:"shopperReference"`
	Amount            amount            `json:"amount"`
	ResultCode        string            `json:"resultCode"`
	RefusalReason     string            `json:"refusalReason,omitempty"`
	RefusalReasonCode string            `json:"refusalReasonCode,omitempty"`
	Action            *action           `json:"action,omitempty"`
	AdditionalData    map[string]string `json:"additionalData,omitempty"`
	Refunds           []*modification   `json:"refunds,omitempty"`
	Disputes          []*modification   `json:"disputes,omitempty"`

	card              *card
	isCustomerPresent bool
	// avoidsAuthentication is set if the customer authenticates the storing of a card only if the bank requires it.
	avoidsAuthentication bool
	storesCard           bool
	returnURL            string
}

// action is what the customer has to do: to authenticate the card on the page at URL, or in the browser with Token.
type action struct {
	Type  string `json:"type"`
	URL   string `json:"url,omitempty"`
	Token string `json:"token,omitempty"`
}

// modification is a refund, a dispute or a cancellation of a payment.
type modification struct {
	PSPReference        string `json:"pspReference"`
	PaymentPSPReference string `json:"paymentPspReference"`
	MerchantReference   string `json:"merchantReference,omitempty"`
	Status              string `json:"status"`
	Amount              amount `json:"amount"`

	createdAt time.Time
}

func (p *payment) isOpen() bool { return p.Action != nil }

// remaining returns the amount that was neither refunded nor disputed.
func (p *payment) remaining() int64 {
	if p.ResultCode != resultAuthorised {
		return 0
	}
	value := p.Amount.Value
	for _, m := range slices.Concat(p.Refunds, p.Disputes) {
		if m.Status != statusFailed && m.Status != disputeWon {
			value -= m.Amount.Value
		}
	}
	return value
}

// authorise asks the bank for the payment. isAuthenticated is set after the customer has authenticated it.
func (s *Server) authorise(p *payment, isAuthenticated bool) {
	isCharge := p.Amount.Value > 0
	switch refusal := p.card.refusal(isCharge); {
	case refusal != "":
		s.refuse(p, refusal)
	case isAuthenticated || !p.card.needsAuthentication(isCharge, p.avoidsAuthentication):
		p.ResultCode, p.Action = resultAuthorised, nil
		p.card.hasPaid = p.card.hasPaid || isCharge
		p.card.isAuthenticated = p.card.isAuthenticated || isAuthenticated
		if p.card.id == "" && p.storesCard {
			p.card.id = s.newReference()
		}
		s.notify(p, nil, "AUTHORISATION", true)
	case !p.isCustomerPresent:
		s.refuse(p, needsAuth)
	case p.card.behaviour.redirects:
		p.ResultCode, p.Action = resultRedirect, &action{Type: "redirect", URL: s.config.URL + "/acs/" + p.PSPReference}
	default:
		p.ResultCode, p.Action = resultChallenge, &action{Type: "threeDS2", Token: "3ds2_" + p.PSPReference}
	}
	p.AdditionalData = p.card.additionalData()
}

func (s *Server) refuse(p *payment, code string) {
	p.ResultCode, p.Action = resultRefused, nil
	p.RefusalReasonCode, p.RefusalReason = code, refusalReasons[code]
	s.notify(p, nil, "AUTHORISATION", false)
}

// authenticate ends the authentication of an open payment. A payment that is not open stays unchanged.
func (s *Server) authenticate(p *payment, succeeds bool) {
	switch {
	case !p.isOpen():
	case succeeds:
		s.authorise(p, true)
	default:
		s.refuse(p, notAuthenticated)
	}
}

// newModification returns a modification of a part of a payment. It returns nil if less than that is left.
func (s *Server) newModification(p *payment, status, merchantReference string, a amount) *modification {
	if a.Value <= 0 || a.Currency != p.Amount.Currency || a.Value > p.remaining() {
		return nil
	}
	return &modification{
		PSPReference: s.newReference(), PaymentPSPReference: p.PSPReference, MerchantReference: merchantReference,
		Status: status, Amount: a, createdAt: s.config.Clock.Now(),
	}
}

// refund begins a refund. It returns nil if less than the amount is left of the payment.
func (s *Server) refund(p *payment, merchantReference string, a amount) *modification {
	r := s.newModification(p, statusReceived, merchantReference, a)
	if r != nil {
		p.Refunds = append(p.Refunds, r)
		s.notify(p, r, "REFUND", true)
	}
	return r
}

func (s *Server) settleRefund(p *payment, r *modification) {
	if p.card.behaviour.refusesToRefund {
		r.Status = statusFailed
		s.notify(p, r, "REFUND_FAILED", true)
		return
	}
	r.Status = statusSucceeded
	s.notify(p, r, "REFUND_SETTLED", true)
}
