package app

import (
	"context"
	"strconv"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// PriceChoice selects a price of the catalogue. The interval and the currency repeat what the caller
// has displayed: the choice is Invalid unless they agree with the price.
type PriceChoice struct {
	PriceID  string // such as "professional_yearly"
	Interval string // "monthly" or "yearly"
	Currency string // an ISO 4217 code in upper or lower case
}

// resolve returns the price; Invalid when it is not for sale.
func (c PriceChoice) resolve(from *catalogue.Catalogue) (catalogue.PriceRef, error) {
	return from.Resolve(c.PriceID, c.Interval, c.Currency)
}

// Subscribe starts the organisation's subscription, or pays the first invoice of one that is still open.
type Subscribe struct {
	catalogue *catalogue.Catalogue
	store     operationStore
	provider  payment.Provider
	ops       operations
	sender    sender
	sync      *billingSync
	cards     savedCards
	quotes    quotes
}

// SubscribeRequest contains the parameters of Subscribe.
type SubscribeRequest struct {
	CustomerID string // optional; Forbidden unless it is the organisation's own customer
	MethodID   string // the payment method to save and charge; "" for the default one
	Price      PriceChoice
	NoTrial    bool   // skips the trial, if one is available
	Quote      string // the token of a SignedQuote; "" to accept any amount
}

// Do returns the subscription as the provider reports it, with the payment or authentication that the
// browser has to complete, if any. A repeat of the request that created or paid the live subscription
// returns that subscription; while one is live, any other request is Conflict. Declined when the card can't be saved.
// With a quote, exactly the quoted amount is charged: otherwise nothing is done and the error is a *QuoteError.
func (u *Subscribe) Do(ctx context.Context, caller identity.Identity, in SubscribeRequest) (billing.Subscription, error) {
	price, err := in.Price.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if in.CustomerID != "" && in.CustomerID != org.Billing.CustomerID {
		return billing.Subscription{}, fault.New(fault.Forbidden, "This customer is not your organisation's.")
	}
	plan, _ := u.catalogue.Plan(price.Product)
	p := purchase{
		Subscribe: u, organisationID: org.ID, quote: in.Quote,
		wanted: billing.Purchase{Plan: plan, Price: price, MethodID: in.MethodID, NoTrial: in.NoTrial},
	}
	return run(ctx, u.ops, request[billing.Subscription]{
		organisationID: org.ID, kind: billing.SubscriptionOperation, fingerprint: p.fingerprint(), decide: p.decide, do: p.do,
		resultID: subscriptionID,
	})
}

func subscriptionID(s billing.Subscription) string { return s.ID }

// purchase is one call of Subscribe.
type purchase struct {
	*Subscribe
	organisationID string
	wanted         billing.Purchase
	quote          string
}

// fingerprint contains the quote, as that of a plan change does.
func (p purchase) fingerprint() string {
	w := p.wanted
	parts := []string{"subscribe", w.MethodID, w.Price.PriceID(), w.Price.Currency, strconv.FormatBool(w.NoTrial)}
	if p.quote != "" {
		parts = append(parts, p.quote)
	}
	return fingerprint(parts...)
}

// decide returns the actions for the provider's current report.
func (p purchase) decide(ctx context.Context, _ bool) (subscriptionDecision, error) {
	org, err := p.sync.refreshForPurchase(ctx, p.organisationID)
	if err != nil {
		return subscriptionDecision{}, err
	}
	actions, err := billing.DecidePurchase(&org.Billing, p.wanted)
	if err != nil {
		done, err := p.findRepeat(ctx, org.Billing.Live(), err)
		return subscriptionDecision{done: done}, err
	}
	actions, err = p.quotes.confirm(ctx, decidedRequest{org: org, price: p.wanted.Price, when: billing.ChangeNow, actions: actions}, p.quote)
	return subscriptionDecision{actions: actions, org: &org}, err
}

// findRepeat returns the live subscription if an earlier execution of the same request created it, ErrRevisionChanged
// while that execution is pending, and the refusal otherwise.
func (p purchase) findRepeat(ctx context.Context, live *billing.Subscription, refusal error) (billing.Subscription, error) {
	if live == nil || live.Price != p.wanted.Price {
		return billing.Subscription{}, refusal
	}
	if err := p.ops.checkNotPending(ctx, p.organisationID, p.fingerprint()); err != nil {
		return billing.Subscription{}, err
	}
	isRepeat, err := p.store.OperationSucceeded(ctx, storage.OperationQuery{
		OrganisationID: p.organisationID, Kind: billing.SubscriptionOperation, Fingerprint: p.fingerprint(), Result: live.ID,
	})
	if err != nil {
		return billing.Subscription{}, err
	}
	if !isRepeat {
		return billing.Subscription{}, refusal
	}
	made, err := p.provider.Subscription(ctx, live.ID) // our copy contains no client secret
	made.QuoteDifference = p.quotes.difference(p.quote, made)
	return made, err
}

// do saves the card, sends the actions and records the responses.
func (p purchase) do(ctx context.Context, at attempt) (billing.Subscription, error) {
	card, err := p.recordNewCard(ctx, at)
	if err != nil {
		return billing.Subscription{}, err
	}
	done, err := p.sender.send(ctx, at.org.ID, at.actions)
	if err != nil {
		return billing.Subscription{}, p.explain(ctx, at, p.recordEnded(ctx, at, done, err))
	}
	made, err := p.sync.current(ctx, at, done.subscription)
	if err != nil {
		return billing.Subscription{}, p.recordEnded(ctx, at, done, err)
	}
	if err := p.sync.record(ctx, at.org, append([]billing.Subscription{made}, done.ended...)...); err != nil {
		return billing.Subscription{}, err
	}
	made.QuoteDifference = p.quotes.reportDifference(ctx, at, p.quote, made)
	p.cards.afterPayment(ctx, at, card, made)
	p.sender.attempts.recordFirst(ctx, p.provider, at.org, made)
	return made, nil
}

// recordNewCard stores the record of the card before the card is saved. A request that joined an operation
// refreshes the copy first, because the actions were decided for an earlier report.
func (p purchase) recordNewCard(ctx context.Context, at attempt) (paymentCard, error) {
	org := at.org
	if at.joined && len(org.Billing.Subscriptions) > 0 {
		var err error
		if org, err = p.sync.refresh(ctx, org.ID); err != nil {
			return paymentCard{}, err
		}
	}
	return p.cards.recordNewCard(ctx, at, org, p.wanted.MethodID)
}

// recordEnded records the subscriptions that were ended before an action was refused, or that turned out
// to be paid and are live. It returns the refusal, or the error of recording.
func (p purchase) recordEnded(ctx context.Context, at attempt, done progress, refusal error) error {
	if len(done.ended) == 0 || isUnknown(refusal) {
		return refusal
	}
	if err := p.sync.record(ctx, at.org, done.ended...); err != nil {
		return err
	}
	return refusal
}

// explain replaces a refusal of the provider by the reason, if deciding again shows one.
func (p purchase) explain(ctx context.Context, at attempt, refusal error) error {
	return p.sync.explain(ctx, at.org.ID, refusal, func(org account.Organisation) error {
		_, err := billing.DecidePurchase(&org.Billing, p.wanted)
		return err
	})
}
