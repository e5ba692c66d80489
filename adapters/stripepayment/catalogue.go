package stripepayment

import (
	"context"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Check asks Stripe for the catalogue's prices: that proves at the start that Stripe can be
// reached and that the key works, and tells which prices are missing or differ. (That the key is of
// the right mode New has found out already.)
func (p *Provider) Check(ctx context.Context) ([]plugin.PriceDiff, error) {
	all := offers(p.Catalogue)
	found, err := p.lookUpAll(ctx, all)
	if err != nil {
		return nil, err
	}
	var drifts []plugin.PriceDiff
	for _, o := range all {
		drifts = append(drifts, driftsOf(o, found[o.key()])...)
	}
	return drifts, nil
}

// driftsOf is what is wrong with an offer's price, each thing once.
func driftsOf(o offer, price *stripe.Price) []plugin.PriceDiff {
	var drifts []plugin.PriceDiff
	for _, amount := range o.amounts {
		drift := plugin.PriceDiff{Subject: o.key(), Problem: wrongWith(price, o.ref(amount), amount)}
		if drift.Problem != "" && !slices.Contains(drifts, drift) {
			drifts = append(drifts, drift)
		}
	}
	return drifts
}

// Diff tells what Push would mend, and changes nothing.
func (p *Provider) Diff(ctx context.Context) ([]plugin.PriceDiff, error) {
	steps, err := p.plan(ctx)
	var drifts []plugin.PriceDiff
	for _, s := range steps {
		drifts = append(drifts, s.mends...)
	}
	return drifts, err
}

// Push makes Stripe's products and prices those of the catalogue, and tells what it mended; doing
// it again changes nothing. No amount of a price is ever edited: those who subscribed to it go on
// paying it. A new price takes its lookup key over, and the old one is archived.
func (p *Provider) Push(ctx context.Context) ([]plugin.PriceDiff, error) {
	steps, err := p.plan(ctx)
	if err != nil {
		return nil, err
	}
	var mended []plugin.PriceDiff
	for _, s := range steps {
		if err := s.do(ctx); err != nil {
			return mended, err
		}
		mended = append(mended, s.mends...)
	}
	return mended, nil
}

// step is one thing to be done at Stripe, and what it mends.
type step struct {
	mends []plugin.PriceDiff
	do    func(context.Context) error
}

// plan is what has to be done: products before the prices that are of them.
func (p *Provider) plan(ctx context.Context) ([]step, error) {
	all := offers(p.Catalogue)
	stock, err := p.takeStock(ctx, all)
	if err != nil {
		return nil, err
	}
	steps := p.productSteps(all, stock)
	for _, o := range all {
		steps = append(steps, p.priceSteps(o, stock)...)
	}
	return steps, nil
}
