package app

import (
	"cmp"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// terms contains the terms of a quote. A request with equal terms charges exactly DueNow, and NextAmount at the next
// charge.
type terms struct {
	requestTerms
	costTerms
}

// requestTerms contains the terms that depend only on the request and the state of the account.
type requestTerms struct {
	OrganisationID string               `json:"org"`
	SubscriptionID string               `json:"sub,omitempty"`
	InvoiceID      string               `json:"invoice,omitempty"` // of a request that pays an invoice
	From           catalogue.PriceRef   `json:"from,omitzero"`
	To             catalogue.PriceRef   `json:"to"`
	When           billing.ChangeTiming `json:"when,omitempty"`
	PeriodStart    time.Time            `json:"period,omitzero"`
	Status         billing.Status       `json:"status,omitempty"`
	TrialDays      int                  `json:"trial,omitempty"`
}

// costTerms contains the terms that the provider has computed.
type costTerms struct {
	At          time.Time    `json:"at,omitzero"` // the proration date of a change now
	Total       money.Amount `json:"total"`
	DueNow      money.Amount `json:"due"`
	CreditAfter money.Amount `json:"credit"`
	NextAmount  money.Amount `json:"next"`
	// NextAt is set if it is the end of the current period. Other dates depend on the time of the request.
	NextAt time.Time `json:"nextAt,omitzero"`
}

func newRequestTerms(req decidedRequest) requestTerms {
	action := req.lastAction()
	t := requestTerms{
		OrganisationID: req.org.ID, SubscriptionID: action.SubscriptionID, InvoiceID: action.InvoiceID,
		From: action.From, To: req.price, When: req.when, TrialDays: action.TrialDays,
	}
	if liveSub := req.org.Billing.LiveSubscription(); liveSub != nil {
		t.PeriodStart, t.Status = liveSub.PeriodStart.UTC(), liveSub.Status
	}
	return t
}

func newCostTerms(req decidedRequest, quote billing.Quote) costTerms {
	t := costTerms{Total: quote.Total, DueNow: quote.DueNow, CreditAfter: quote.CreditAfter, NextAmount: quote.Next.Amount}
	if req.lastAction().Kind == billing.ChangePlanAction {
		t.At = quote.At.UTC()
	}
	if liveSub := req.org.Billing.LiveSubscription(); liveSub != nil && quote.Next.At.Equal(liveSub.CurrentPeriodEnd) {
		t.NextAt = quote.Next.At.UTC()
	}
	return t
}

// isPaidBy reports whether the action pays an open invoice of exactly the quoted amount.
func (t terms) isPaidBy(action billing.Action) bool {
	return action.Kind == billing.PayInvoiceAction && t.DueNow == action.Amount &&
		cmp.Or(t.SubscriptionID, action.SubscriptionID) == action.SubscriptionID
}

// isWorseThan reports whether t is worse for the customer than other: a higher amount now or next, another date of the
// next charge, or less credit left.
func (t costTerms) isWorseThan(other costTerms) bool {
	return t.DueNow.Minor() > other.DueNow.Minor() || t.CreditAfter.Minor() < other.CreditAfter.Minor() ||
		t.NextAmount.Minor() > other.NextAmount.Minor() || !t.NextAt.Equal(other.NextAt)
}
