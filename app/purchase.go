package app

import (
	"context"
	"strconv"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

// purchase is one request to subscribe on its way.
type purchase struct {
	*Subscribe
	plan    catalogue.Plan
	price   catalogue.PriceRef
	cardID  string
	noTrial bool

	before     account.Organisation // before this request began
	lastBefore string               // the key of what had been done last by then
	made       billing.Subscription
	ended      []billing.Subscription // what had to make place for it, or was paid at that very moment
	unheard    bool                   // the provider refused, and may know what we have not heard of
}

func (p *purchase) fingerprint() string {
	return fingerprint("subscribe", p.cardID, p.price.PriceID(), p.price.Currency, strconv.FormatBool(p.noTrial))
}

// look finds out what there is before anything begins: what is there afterwards besides is of this
// request's making, or of a repeat's that joined it. It asks for the truth, however fresh our copy
// looks. Only a first subscription does without: our copy lacks none that we have made, and the
// provider refuses to call one the first that is not.
func (p *purchase) look(ctx context.Context, organisationID, customerID string) error {
	last, err := p.last(ctx, organisationID)
	if err != nil {
		return err
	}
	p.lastBefore = last.Key
	p.before, err = p.store.Organisation(ctx, organisationID)
	if err == nil {
		err = checkCustomerID(p.before, customerID)
	}
	if err == nil && len(p.before.Billing.Subscriptions) > 0 {
		p.before, err = p.sync.do(ctx, organisationID)
	}
	return err
}

// do finds what a repeat of this request has made before, or makes it.
func (p *purchase) do(ctx context.Context, at attempt) (string, error) {
	org, err := p.sync.since(ctx, p.before, at)
	if err != nil {
		return "", err
	}
	made, err := p.outcome(ctx, at, &org.Billing)
	if p.unheard {
		org, made, err = p.again(ctx, at)
	}
	if err != nil {
		return "", p.leave(ctx, org, err)
	}
	p.made = made
	return made.ID, p.sync.keep(ctx, org, append([]billing.Subscription{made}, p.ended...)...)
}

// again goes by the truth, under a key of its own, after the provider refused to start a
// subscription because of something that we had not heard of.
func (p *purchase) again(ctx context.Context, at attempt) (account.Organisation, billing.Subscription, error) {
	org, err := p.sync.do(ctx, at.org.ID)
	if err != nil {
		return org, billing.Subscription{}, err
	}
	if live := org.Billing.Live(); live == nil || live.CreatedAt.Before(at.began.Truncate(time.Second)) {
		p.before = org // nothing that was there before this request is of its making
	}
	at.key += "-again"
	made, err := p.outcome(ctx, at, &org.Billing)
	return org, made, err
}

// leave records what was ended or spared on the way to a refusal.
func (p *purchase) leave(ctx context.Context, org account.Organisation, refusal error) error {
	if len(p.ended) == 0 || inDoubt(refusal) {
		return refusal
	}
	if err := p.sync.keep(ctx, org, p.ended...); err != nil {
		return err
	}
	return refusal
}
