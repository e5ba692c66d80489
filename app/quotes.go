package app

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// quoteLifetime is the time for which a quote is accepted.
const quoteLifetime = 10 * time.Minute

// QuoteRequest contains the parameters of QuotePrice.
type QuoteRequest struct {
	Price   PriceChoice
	When    billing.When // of a plan change
	NoTrial bool         // of a first subscription, as in SubscribeRequest
}

// SignedQuote is a quote that Subscribe and ChangePlan accept until it expires.
type SignedQuote struct {
	billing.Quote
	Price     catalogue.PriceRef
	Token     string
	ExpiresAt time.Time
}

// QuoteError is a Conflict: a quote has expired, or the request would not charge its amount any more.
// Nothing was charged.
type QuoteError struct {
	Fresh SignedQuote // what the request would cost now
}

// Error returns the message for the customer.
func (e *QuoteError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the Conflict.
func (e *QuoteError) Unwrap() error {
	return fault.New(fault.Conflict, "The amount may have changed, and nothing was charged. Please look at it again.")
}

// QuotePrice computes what a first subscription or a plan change would cost. It changes nothing.
type QuotePrice struct {
	catalogue *catalogue.Catalogue
	sync      *billingSync
	quotes    quotes
}

// Do returns a signed quote of the change if the organisation has a live subscription, otherwise of a new
// subscription. It refuses what ChangePlan and Subscribe would refuse, with the same errors. The quote of
// a request that would pay an invoice is the amount of that invoice. Unsupported when the provider can't
// quote.
func (u *QuotePrice) Do(ctx context.Context, caller identity.Identity, in QuoteRequest) (SignedQuote, error) {
	price, err := in.Price.resolve(u.catalogue)
	if err != nil {
		return SignedQuote{}, err
	}
	org, err := u.sync.refreshForPurchase(ctx, caller.OrganisationID)
	if err != nil {
		return SignedQuote{}, err
	}
	steps, err := u.plan(&org.Billing, price, in)
	if err != nil {
		return SignedQuote{}, err
	}
	return u.quotes.sign(ctx, plannedRequest{org: org, price: price, when: in.When, steps: steps})
}

func (u *QuotePrice) plan(a *billing.Account, price catalogue.PriceRef, in QuoteRequest) ([]billing.Step, error) {
	if a.Live() == nil {
		plan, _ := u.catalogue.Plan(price.Product)
		return billing.PlanPurchase(a, billing.Purchase{Plan: plan, Price: price, NoTrial: in.NoTrial})
	}
	steps, err := billing.PlanChange(a, u.catalogue, billing.Change{To: price, When: in.When})
	if err == nil && len(steps) == 0 {
		err = fault.New(fault.Conflict, "This change is scheduled already.")
	}
	return steps, err
}

// quotes computes, signs and confirms quotes. All servers have the same key.
type quotes struct {
	catalogue    *catalogue.Catalogue
	provider     payment.Provider
	clock        clock.Clock
	log          *slog.Logger
	key          []byte
	onDifference func() // called when another amount than quoted was charged; may be nil
}

// plannedRequest is a first subscription or a plan change with its steps, of which only the last one costs something.
type plannedRequest struct {
	org   account.Organisation
	price catalogue.PriceRef
	when  billing.When
	steps []billing.Step
}

func (r plannedRequest) lastStep() billing.Step { return r.steps[len(r.steps)-1] }

// terms contains what a quote promises. A request that is planned and previewed with equal terms charges
// exactly DueNow.
type terms struct {
	OrganisationID string             `json:"org"`
	SubscriptionID string             `json:"sub,omitempty"`
	InvoiceID      string             `json:"invoice,omitempty"` // of a request that pays an invoice
	From           catalogue.PriceRef `json:"from,omitzero"`
	To             catalogue.PriceRef `json:"to"`
	When           billing.When       `json:"when,omitempty"`
	PeriodStart    time.Time          `json:"period,omitzero"`
	Status         billing.Status     `json:"status,omitempty"`
	TrialDays      int                `json:"trial,omitempty"`
	At             time.Time          `json:"at,omitzero"` // the proration date of a change now
	Total          money.Amount       `json:"total"`
	DueNow         money.Amount       `json:"due"`
	CreditAfter    money.Amount       `json:"credit"`
}

// newTerms returns the terms that depend only on the request.
func newTerms(r plannedRequest) terms {
	s := r.lastStep()
	t := terms{
		OrganisationID: r.org.ID, SubscriptionID: s.SubscriptionID, InvoiceID: s.InvoiceID,
		From: s.From, To: r.price, When: r.when, TrialDays: s.TrialDays,
	}
	if live := r.org.Billing.Live(); live != nil {
		t.PeriodStart, t.Status = live.PeriodStart.UTC(), live.Status
	}
	return t
}

// withAmounts adds the terms that the provider has computed.
func (t terms) withAmounts(s billing.Step, q billing.Quote) terms {
	if s.Kind == billing.ChangePlanStep {
		t.At = q.At.UTC()
	}
	t.Total, t.DueNow, t.CreditAfter = q.Total, q.DueNow, q.CreditAfter
	return t
}

// sign computes a quote of the request and signs it.
func (q quotes) sign(ctx context.Context, r plannedRequest) (SignedQuote, error) {
	preview, err := q.preview(ctx, r, time.Time{})
	if err != nil {
		return SignedQuote{}, err
	}
	expires := q.clock.Now().Add(quoteLifetime)
	token, err := seal(q.key, sealedQuote{terms: newTerms(r).withAmounts(r.lastStep(), preview), ExpiresAt: expires})
	return SignedQuote{Quote: preview, Price: r.price, Token: token, ExpiresAt: expires}, err
}

// confirm returns the steps of the request with the quoted instant if they still cost what the token promises. Without a
// token it returns them unchanged. It makes the preview again for the same instant and compares all terms:
// a *QuoteError when one differs, or when the token has expired or was signed with an earlier key. Invalid
// for a token that is malformed or for another request.
func (q quotes) confirm(ctx context.Context, r plannedRequest, token string) ([]billing.Step, error) {
	if token == "" || len(r.steps) == 0 {
		return r.steps, nil
	}
	quoted, err := q.readToken(token, r)
	if err != nil {
		return nil, err
	}
	if quoted.isPaidBy(r.lastStep()) {
		return r.steps, nil
	}
	isSame, err := q.costsAsQuoted(ctx, r, quoted)
	if err != nil {
		return nil, err
	}
	if !isSame {
		fresh, err := q.sign(ctx, r)
		if err != nil {
			return nil, err
		}
		return nil, &QuoteError{Fresh: fresh}
	}
	confirmed := slices.Clone(r.steps)
	confirmed[len(confirmed)-1].At = quoted.At
	return confirmed, nil
}

// isPaidBy reports whether the step is another attempt to pay what was quoted.
func (t terms) isPaidBy(s billing.Step) bool {
	return s.Kind == billing.PayInvoiceStep && t.DueNow == s.Amount && cmp.Or(t.SubscriptionID, s.SubscriptionID) == s.SubscriptionID
}

// costsAsQuoted reports whether the request costs what was quoted.
func (q quotes) costsAsQuoted(ctx context.Context, r plannedRequest, quoted sealedQuote) (bool, error) {
	now := newTerms(r)
	now.At, now.Total, now.DueNow, now.CreditAfter = quoted.At, quoted.Total, quoted.DueNow, quoted.CreditAfter
	if now != quoted.terms || !q.clock.Now().Before(quoted.ExpiresAt) {
		return false, nil
	}
	preview, err := q.preview(ctx, r, quoted.At)
	if err != nil {
		return false, err
	}
	return now.withAmounts(r.lastStep(), preview) == quoted.terms, nil
}

// readToken returns the content of a token that was signed for the request, also if it has expired. It returns the zero
// value for a token of another key or of another version of this application.
func (q quotes) readToken(token string, r plannedRequest) (sealedQuote, error) {
	quoted, ok, err := unseal(q.key, token)
	if err == nil && (!ok || quoted.OrganisationID == r.org.ID && quoted.To == r.price && quoted.When == r.when) {
		return quoted, nil
	}
	var fields fault.Fields
	fields.Add("quote", "This quote is not for this request")
	return sealedQuote{}, fields.Err()
}

// reportDifference returns the difference if the last step charged another amount than quoted, and nil otherwise. It
// logs and counts a difference, once for each request that joins the operation.
func (q quotes) reportDifference(ctx context.Context, at attempt, token string, changed billing.Subscription) *billing.QuoteDifference {
	last := at.steps[len(at.steps)-1]
	if last.Kind == billing.PayInvoiceStep { // the provider refuses another amount
		return nil
	}
	if !last.Done(&billing.Account{Subscriptions: []billing.Subscription{changed}}) {
		return nil
	}
	d := q.difference(token, changed)
	if d == nil {
		return nil
	}
	q.log.ErrorContext(ctx, "another amount than quoted was charged", "org", at.org.ID, "invoice", changed.LatestInvoice.ID,
		"quoted", d.Quoted.String(), "due", d.Charged.String())
	if q.onDifference != nil {
		q.onDifference()
	}
	return d
}

// difference compares the latest invoice with the quote that it was made for. It returns nil some time after
// the quote has expired, because the latest invoice may be another one by then.
func (q quotes) difference(token string, changed billing.Subscription) *billing.QuoteDifference {
	quoted, ok, err := unseal(q.key, token)
	invoice := changed.LatestInvoice
	if err != nil || !ok || invoice == nil || !q.clock.Now().Before(quoted.ExpiresAt.Add(requestTimeout)) {
		return nil
	}
	if invoice.AmountDue.Minor() == quoted.DueNow.Minor() {
		return nil
	}
	return &billing.QuoteDifference{Quoted: quoted.DueNow, Charged: invoice.AmountDue}
}
