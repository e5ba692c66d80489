package app

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	// quoteLifetime is the time for which a quote is accepted.
	quoteLifetime = 10 * time.Minute
	// quotedInstantLifetime limits the age of a quote whose instant is used to compute the plan change, if the customer may
	// gain by waiting. With an older quote, the change is computed for the current time. With a longer lifetime a customer
	// could change back and forth and get the more expensive plan at the price of the cheaper one.
	quotedInstantLifetime = time.Minute
)

// QuoteRequest contains the parameters of QuotePrice.
type QuoteRequest struct {
	Price   PriceChoice
	When    billing.ChangeTiming // of a plan change
	NoTrial bool                 // of a first subscription, as in SubscribeRequest
}

// SignedQuote is a quote that Subscribe and ChangePlan accept until it expires.
type SignedQuote struct {
	billing.Quote
	AfterCredit *billing.Charge // see billing.Quote.ChargeAfterCredit
	AfterNext   *billing.Charge // see billing.Quote.ChargeAfterNext
	Price       catalogue.PriceRef
	Token       string
	ExpiresAt   time.Time
}

// QuoteError is the Conflict for a quote that has expired, or whose request would now charge another amount. Nothing was
// charged.
type QuoteError struct {
	NewQuote SignedQuote // what the request would cost now
}

// Error returns the message for the customer.
func (e *QuoteError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the Conflict.
func (e *QuoteError) Unwrap() error {
	return billing.ErrQuoteOutdated()
}

// QuotePrice computes what a first subscription or a plan change would cost. It changes nothing.
type QuotePrice struct {
	catalogue *catalogue.Catalogue
	sync      *billingsync.Sync
	quoter    quoter
}

// Do returns a signed quote of the change if the organisation has a live subscription, otherwise of a new subscription.
// It refuses what ChangePlan and Subscribe would refuse, with the same errors. If the request would pay an open invoice,
// the quote is the amount of that invoice. Do returns Unsupported when the provider can't quote.
func (u *QuotePrice) Do(ctx context.Context, caller identity.Identity, req QuoteRequest) (SignedQuote, error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return SignedQuote{}, err
	}
	price, err := req.Price.resolve(u.catalogue)
	if err != nil {
		return SignedQuote{}, err
	}
	org, err := u.sync.RefreshForPurchase(ctx, caller.OrganisationID)
	if err != nil {
		return SignedQuote{}, err
	}
	actions, err := u.decide(&org.Billing, price, req)
	if err != nil {
		return SignedQuote{}, err
	}
	return u.quoter.newSignedQuote(ctx, decidedRequest{org: org, price: price, when: req.When, actions: actions})
}

func (u *QuotePrice) decide(a *billing.Account, price catalogue.PriceRef, req QuoteRequest) ([]billing.Action, error) {
	if a.LiveSubscription() == nil {
		plan, _ := u.catalogue.Plan(price.Product)
		return billing.DecidePurchase(a, billing.Purchase{Plan: plan, Price: price, NoTrial: req.NoTrial})
	}
	actions, err := billing.DecideChange(a, billing.Change{To: price, Timing: req.When})
	if err == nil && len(actions) == 0 {
		err = fault.New(fault.Conflict, "This change is scheduled already.")
	}
	return actions, err
}

// quoteProvider is the part of the provider that computes quotes.
type quoteProvider interface {
	payment.Quotes
	ListInvoices(ctx context.Context, req payment.InvoiceQuery) (payment.InvoiceList, error)
}

// quoter computes, signs and confirms quotes. All servers have the same key.
type quoter struct {
	catalogue    *catalogue.Catalogue
	provider     quoteProvider
	capabilities payment.Capabilities
	clock        clock.Clock
	log          *slog.Logger
	key          []byte
	onDifference func() // called when the charged amount differs from the quoted one; may be nil
}

// decidedRequest contains the request of a first subscription or a plan change, with its actions. Only the last action
// costs something.
type decidedRequest struct {
	org     account.Organisation
	price   catalogue.PriceRef
	when    billing.ChangeTiming
	actions []billing.Action
}

func (r decidedRequest) lastAction() billing.Action { return r.actions[len(r.actions)-1] }

// newSignedQuote computes a quote of the request and signs its terms.
func (q quoter) newSignedQuote(ctx context.Context, req decidedRequest) (SignedQuote, error) {
	preview, err := q.preview(ctx, req, time.Time{})
	if err != nil {
		return SignedQuote{}, err
	}
	expiresAt := q.clock.Now().Add(quoteLifetime)
	claims := quoteClaims{terms: terms{newRequestTerms(req), newCostTerms(req, preview)}, ExpiresAt: expiresAt}
	token, err := encodeToken(q.key, claims)
	interval, periodStart := req.price.Interval, req.nextPeriodStart(preview)
	return SignedQuote{
		Quote:       preview,
		AfterCredit: preview.ChargeAfterCredit(interval, periodStart, q.capabilities.MinimumCharge(req.price.Currency)),
		AfterNext:   preview.ChargeAfterNext(interval, periodStart),
		Price:       req.price, Token: token, ExpiresAt: expiresAt,
	}, err
}

// nextPeriodStart returns the start of the period that ends with the next charge of the quote, or the zero time if
// later periods follow from the next charge alone.
func (r decidedRequest) nextPeriodStart(quote billing.Quote) time.Time {
	liveSub := r.org.Billing.LiveSubscription()
	switch {
	case liveSub != nil && liveSub.Status != billing.Trialing && liveSub.Price.Interval == r.price.Interval:
		return liveSub.PeriodStart
	case r.when == billing.ChangeAtRenewal:
		return time.Time{}
	}
	return quote.At
}

// confirm returns the actions of the request if they cost the quoted amounts. It sets Quoted, so that the provider refuses
// the last action if its cost changes afterwards. For a plan change it sets the ProrationDate to an instant for which the
// change costs the quoted amounts. Without a token it returns the actions unchanged.
//
// confirm returns a *QuoteError if the request would cost other amounts, or if the token has expired or was signed with an
// earlier key. It returns Invalid if the token is malformed or is for another request.
func (q quoter) confirm(ctx context.Context, req decidedRequest, token string) ([]billing.Action, error) {
	if token == "" || len(req.actions) == 0 {
		return req.actions, nil
	}
	claims, err := q.readToken(token, req)
	if err != nil {
		return nil, err
	}
	if claims.isPaidBy(req.lastAction()) {
		return req.actions, nil
	}
	cost, isValid, err := q.confirmCost(ctx, req, claims)
	if err != nil {
		return nil, err
	}
	if !isValid {
		quote, err := q.newSignedQuote(ctx, req)
		if err != nil {
			return nil, err
		}
		return nil, &QuoteError{NewQuote: quote}
	}
	actions := slices.Clone(req.actions)
	lastAction := &actions[len(actions)-1]
	lastAction.ProrationDate = cost.At
	if lastAction.Kind.CanCharge() {
		lastAction.Quoted = billing.QuotedAmounts{DueNow: cost.DueNow, CreditAfter: cost.CreditAfter}
	}
	return actions, nil
}

// confirmCost returns the cost of the request. For a plan change it contains the instant for which the provider has to
// compute the change. isValid is false if the quote has expired or the request would cost other amounts than quoted.
func (q quoter) confirmCost(
	ctx context.Context, req decidedRequest, claims quoteClaims,
) (cost costTerms, isValid bool, err error) {
	now := q.clock.Now()
	if newRequestTerms(req) != claims.requestTerms || !now.Before(claims.ExpiresAt) {
		return costTerms{}, false, nil
	}
	if now.After(claims.signedAt().Add(quotedInstantLifetime)) && q.mayGainByWaiting(req, claims) {
		cost, err := q.computeCost(ctx, req, time.Time{})
		switch {
		case err != nil, cost.isWorseThan(claims.costTerms):
			return costTerms{}, false, err
		case cost.DueNow == claims.DueNow:
			return cost, true, nil
		}
		// Less is due now than was quoted, so the quoted instant is no advantage.
	}
	cost, err = q.computeCost(ctx, req, claims.At)
	return cost, err == nil && cost == claims.costTerms, err
}

// mayGainByWaiting reports whether the customer may gain by confirming a quote later. This is possible for a plan change
// with nothing due, and for a change to a plan that costs less over the same time.
func (q quoter) mayGainByWaiting(req decidedRequest, claims quoteClaims) bool {
	liveSub := req.org.Billing.LiveSubscription()
	if req.lastAction().Kind != billing.ChangePlanAction || liveSub == nil {
		return false
	}
	annual, err := liveSub.Price.Interval.PerYear(liveSub.Amount)
	newAnnual, newErr := q.catalogue.PerYear(claims.To)
	return claims.DueNow.Minor() == 0 || liveSub.Amount == (money.Amount{}) || err != nil || newErr != nil ||
		newAnnual.Minor() < annual.Minor()
}

// computeCost returns the cost of the request for the instant. Zero means the provider's current time.
func (q quoter) computeCost(ctx context.Context, req decidedRequest, at time.Time) (costTerms, error) {
	preview, err := q.preview(ctx, req, at)
	if err != nil {
		return costTerms{}, err
	}
	return newCostTerms(req, preview), nil
}

// readToken returns the claims of a token that was signed for the request, also if it has expired. It returns the zero
// value if the token was signed with another key or by another version of this application, and Invalid if it is
// malformed or was signed for another request.
func (q quoter) readToken(token string, req decidedRequest) (quoteClaims, error) {
	claims, ok, err := decodeToken(q.key, token)
	if err == nil && (!ok || claims.OrganisationID == req.org.ID && claims.To == req.price && claims.When == req.when) {
		return claims, nil
	}
	var fields fault.Fields
	fields.Add("quote", "This quote is not for this request")
	return quoteClaims{}, fields.Err()
}
