package stripepayment

import (
	"context"
	"maps"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Check compares Stripe's prices and tax rates with the catalogue. At startup it proves that Stripe can be
// reached and accepts the API key.
func (p *Provider) Check(ctx context.Context) ([]plugin.PriceDiff, error) {
	all := offers(p.Catalogue)
	found, err := p.lookUpAll(ctx, all)
	if err != nil {
		return nil, err
	}
	var diffs []plugin.PriceDiff
	for _, o := range all {
		diffs = append(diffs, priceDiffs(o, found[o.key()])...)
	}
	rates, err := p.readTaxRates(ctx)
	if err != nil {
		return nil, err
	}
	for _, step := range p.taxSteps(rates) {
		diffs = append(diffs, step.diffs...)
	}
	return diffs, nil
}

// priceDiffs returns the differences between an offer and its price.
func priceDiffs(o offer, price *stripe.Price) []plugin.PriceDiff {
	var diffs []plugin.PriceDiff
	for _, amount := range o.amounts {
		diff := plugin.PriceDiff{Subject: o.key(), Problem: priceProblem(price, o.ref(amount), amount)}
		if diff.Problem != "" && !slices.Contains(diffs, diff) {
			diffs = append(diffs, diff)
		}
	}
	return diffs
}

// Diff reports what Push would change.
func (p *Provider) Diff(ctx context.Context) ([]plugin.PriceDiff, error) {
	steps, err := p.planPush(ctx)
	var diffs []plugin.PriceDiff
	for _, s := range steps {
		diffs = append(diffs, s.diffs...)
	}
	return diffs, err
}

// Push makes Stripe's tax rates, products and prices match the catalogue, and reports what it changed. It is
// idempotent. A price is never edited, so its subscribers keep it: a new price takes over the
// lookup key and the old one is archived.
func (p *Provider) Push(ctx context.Context) ([]plugin.PriceDiff, error) {
	steps, err := p.planPush(ctx)
	if err != nil {
		return nil, err
	}
	var fixed []plugin.PriceDiff
	for _, s := range steps {
		if err := s.do(ctx); err != nil {
			return fixed, err
		}
		fixed = append(fixed, s.diffs...)
	}
	return fixed, nil
}

// pushStep is one change at Stripe and the differences that it removes.
type pushStep struct {
	diffs []plugin.PriceDiff
	do    func(context.Context) error
}

// planPush returns the necessary steps: tax rates, and products before their prices.
func (p *Provider) planPush(ctx context.Context) ([]pushStep, error) {
	all := offers(p.Catalogue)
	inv, err := p.readInventory(ctx, all)
	if err != nil {
		return nil, err
	}
	rates, err := p.readTaxRates(ctx)
	if err != nil {
		return nil, err
	}
	steps := append(p.taxSteps(rates), p.productSteps(all, inv)...)
	for _, o := range all {
		steps = append(steps, p.priceSteps(o, inv)...)
	}
	return steps, nil
}

// offer is a plan with an interval and its amount in each currency: one price at Stripe.
type offer struct {
	plan     catalogue.Plan
	interval catalogue.Interval
	amounts  []money.Amount // the first is the price's own, the others are currency_options
}

// key returns the price's lookup key.
func (o offer) key() string {
	return catalogue.PriceRef{Product: o.plan.ID, Interval: o.interval}.PriceID()
}

func (o offer) ref(a money.Amount) catalogue.PriceRef {
	return catalogue.PriceRef{Product: o.plan.ID, Interval: o.interval, Currency: a.Currency().Code}
}

// offers returns everything in the catalogue that has a price, including plans that are not sold
// online.
func offers(c *catalogue.Catalogue) []offer {
	var out []offer
	for _, plan := range c.Plans() {
		for _, interval := range catalogue.Intervals() {
			o := offer{plan: plan, interval: interval}
			o.amounts = amountsOf(c, o)
			if len(o.amounts) > 0 {
				out = append(out, o)
			}
		}
	}
	return out
}

// amountsOf returns the offer's amounts, the default currency's first.
func amountsOf(c *catalogue.Catalogue, o offer) []money.Amount {
	var own, others []money.Amount
	for _, currency := range c.Currencies() {
		ref := catalogue.PriceRef{Product: o.plan.ID, Interval: o.interval, Currency: currency.Code}
		amount, err := c.Price(ref)
		switch {
		case err != nil: // not sold in this currency
		case currency.Code == c.DefaultCurrency():
			own = append(own, amount)
		default:
			others = append(others, amount)
		}
	}
	return append(own, others...)
}

// maxLookupKeys is Stripe's limit for one request.
const maxLookupKeys = 10

// inventory is the state of products and prices at Stripe.
type inventory struct {
	prices     map[string]*stripe.Price   // by lookup key
	products   map[string]*stripe.Product // by id
	unarchived map[string][]*stripe.Price // active prices that lost their lookup key, by that key
}

// lookUpAll returns the prices of all offers by lookup key.
func (p *Provider) lookUpAll(ctx context.Context, all []offer) (map[string]*stripe.Price, error) {
	found := map[string]*stripe.Price{}
	for some := range slices.Chunk(all, maxLookupKeys) {
		var keys []string
		for _, o := range some {
			keys = append(keys, o.key())
		}
		prices, err := p.lookUp(ctx, keys...)
		if err != nil {
			return nil, err
		}
		maps.Copy(found, prices)
	}
	p.prices.put(found)
	return found, nil
}

func (p *Provider) readInventory(ctx context.Context, all []offer) (inventory, error) {
	var inv inventory
	var err error
	if inv.prices, err = p.lookUpAll(ctx, all); err != nil {
		return inv, err
	}
	if inv.products, err = p.products(ctx, inv.productIDs(all)); err != nil {
		return inv, err
	}
	inv.unarchived, err = p.findUnarchived(ctx, inv)
	return inv, err
}

// productIDs returns the products that the offers' prices belong or will belong to.
func (i inventory) productIDs(all []offer) []string {
	var ids []string
	for _, o := range all {
		if id := i.productID(o); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// productID returns the product of the plan's existing prices, or else our own id for it.
func (i inventory) productID(o offer) string {
	for _, interval := range catalogue.Intervals() {
		price := i.prices[offer{plan: o.plan, interval: interval}.key()]
		if price != nil && price.Product != nil && price.Product.ID != "" {
			return price.Product.ID
		}
	}
	return "diy_" + o.plan.ID
}

func (p *Provider) products(ctx context.Context, ids []string) (map[string]*stripe.Product, error) {
	found := map[string]*stripe.Product{}
	for some := range slices.Chunk(ids, pageSize) {
		params := &stripe.ProductListParams{IDs: stripe.StringSlice(some)}
		params.Limit = new(int64(pageSize))
		for product, err := range p.stripe.V1Products.List(ctx, params).All(ctx) {
			if err != nil {
				return nil, p.fault(ctx, "list products", err)
			}
			found[product.ID] = product
		}
	}
	return found, nil
}

// findUnarchived returns the prices that were replaced and not archived, because a push was
// interrupted.
func (p *Provider) findUnarchived(ctx context.Context, inv inventory) (map[string][]*stripe.Price, error) {
	found := map[string][]*stripe.Price{}
	for _, id := range slices.Sorted(maps.Keys(inv.products)) {
		params := &stripe.PriceListParams{Product: &id, Active: new(true)}
		params.Limit = new(int64(pageSize))
		for price, err := range p.stripe.V1Prices.List(ctx, params).All(ctx) {
			if err != nil {
				return nil, p.fault(ctx, "list prices of product", err)
			}
			if id := price.Metadata[metaPrice]; id != "" && price.LookupKey == "" {
				found[id] = append(found[id], price)
			}
		}
	}
	return found, nil
}
