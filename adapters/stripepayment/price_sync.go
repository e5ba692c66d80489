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

// Check compares Stripe's prices and tax rates with the catalogue. The server calls it at startup, so it also shows that
// Stripe can be reached and accepts the API key.
func (p *Provider) Check(ctx context.Context) ([]plugin.PriceDiff, error) {
	offers := offersOf(p.Catalogue)
	prices, err := p.lookUpOfferPrices(ctx, offers)
	if err != nil {
		return nil, err
	}
	var diffs []plugin.PriceDiff
	for _, o := range offers {
		diffs = append(diffs, priceDiffs(o, prices[o.lookupKey()])...)
	}
	rates, err := p.readTaxRates(ctx)
	if err != nil {
		return nil, err
	}
	for _, step := range p.taxRateSteps(rates) {
		diffs = append(diffs, step.diffs...)
	}
	return diffs, nil
}

// priceDiffs returns the differences between an offer and its price.
func priceDiffs(o offer, price *stripe.Price) []plugin.PriceDiff {
	var diffs []plugin.PriceDiff
	for _, amount := range o.amounts {
		diff := plugin.PriceDiff{Subject: o.lookupKey(), Problem: priceProblem(price, o.ref(amount), amount)}
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
// idempotent. It does not edit a price that differs. A new price takes over the lookup key, and the old one is archived
// and stays on the subscriptions that have it.
func (p *Provider) Push(ctx context.Context) ([]plugin.PriceDiff, error) {
	steps, err := p.planPush(ctx)
	if err != nil {
		return nil, err
	}
	var diffs []plugin.PriceDiff
	for _, s := range steps {
		if err := s.apply(ctx); err != nil {
			return diffs, err
		}
		diffs = append(diffs, s.diffs...)
	}
	return diffs, nil
}

// pushStep contains a change at Stripe and the differences that the change removes.
type pushStep struct {
	diffs []plugin.PriceDiff
	apply func(context.Context) error
}

// planPush returns the steps of Push in order. Products precede their prices.
func (p *Provider) planPush(ctx context.Context) ([]pushStep, error) {
	offers := offersOf(p.Catalogue)
	inventory, err := p.readInventory(ctx, offers)
	if err != nil {
		return nil, err
	}
	rates, err := p.readTaxRates(ctx)
	if err != nil {
		return nil, err
	}
	steps := append(p.taxRateSteps(rates), p.productSteps(offers, inventory)...)
	for _, o := range offers {
		steps = append(steps, p.priceSteps(o, inventory)...)
	}
	return steps, nil
}

// offer describes one price at Stripe as the catalogue defines it: a plan, an interval, and the amount in each currency.
type offer struct {
	plan     catalogue.Plan
	interval catalogue.Interval
	amounts  []money.Amount // the first is the price's own amount; further ones are currency_options
}

// lookupKey returns the price's lookup key.
func (o offer) lookupKey() string {
	return catalogue.PriceRef{Product: o.plan.ID, Interval: o.interval}.PriceID()
}

func (o offer) ref(a money.Amount) catalogue.PriceRef {
	return catalogue.PriceRef{Product: o.plan.ID, Interval: o.interval, Currency: a.Currency().Code}
}

// offersOf returns an offer for each plan and interval of the catalogue that has a price, also if it is not sold online.
func offersOf(c *catalogue.Catalogue) []offer {
	var offers []offer
	for _, plan := range c.Plans() {
		for _, interval := range catalogue.Intervals() {
			o := offer{plan: plan, interval: interval}
			o.amounts = amountsOf(c, o)
			if len(o.amounts) > 0 {
				offers = append(offers, o)
			}
		}
	}
	return offers
}

// amountsOf returns the offer's amount in each currency, starting with the default currency.
func amountsOf(c *catalogue.Catalogue, o offer) []money.Amount {
	var amounts []money.Amount
	for _, currency := range c.Currencies() {
		ref := catalogue.PriceRef{Product: o.plan.ID, Interval: o.interval, Currency: currency.Code}
		amount, err := c.Price(ref)
		switch {
		case err != nil: // not sold in this currency
		case currency.Code == c.DefaultCurrency():
			amounts = slices.Insert(amounts, 0, amount)
		default:
			amounts = append(amounts, amount)
		}
	}
	return amounts
}

// maxLookupKeys is Stripe's limit for one request.
const maxLookupKeys = 10

// stripeInventory contains the products and prices at Stripe that belong to the offers.
type stripeInventory struct {
	prices           map[string]*stripe.Price   // by lookup key
	products         map[string]*stripe.Product // by id
	unarchivedPrices map[string][]*stripe.Price // active prices whose lookup key was transferred, by that key
}

// lookUpOfferPrices returns the prices of the offers by lookup key, and caches them.
func (p *Provider) lookUpOfferPrices(ctx context.Context, offers []offer) (map[string]*stripe.Price, error) {
	pricesByKey := map[string]*stripe.Price{}
	for chunk := range slices.Chunk(offers, maxLookupKeys) {
		var keys []string
		for _, o := range chunk {
			keys = append(keys, o.lookupKey())
		}
		prices, err := p.lookUpPrices(ctx, keys...)
		if err != nil {
			return nil, err
		}
		maps.Copy(pricesByKey, prices)
	}
	p.prices.putByKey(pricesByKey)
	return pricesByKey, nil
}

func (p *Provider) readInventory(ctx context.Context, offers []offer) (stripeInventory, error) {
	var inventory stripeInventory
	var err error
	if inventory.prices, err = p.lookUpOfferPrices(ctx, offers); err != nil {
		return inventory, err
	}
	if inventory.products, err = p.listProducts(ctx, inventory.productIDs(offers)); err != nil {
		return inventory, err
	}
	inventory.unarchivedPrices, err = p.listUnarchivedPrices(ctx, inventory)
	return inventory, err
}

// productIDs returns the ids of the offers' products, each once.
func (inventory stripeInventory) productIDs(offers []offer) []string {
	var ids []string
	for _, o := range offers {
		if id := inventory.productID(o); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// productID returns the id of the product that the plan's existing prices belong to, or else the id of the product that
// Push creates for the plan.
func (inventory stripeInventory) productID(o offer) string {
	for _, interval := range catalogue.Intervals() {
		price := inventory.prices[offer{plan: o.plan, interval: interval}.lookupKey()]
		if price != nil && price.Product != nil && price.Product.ID != "" {
			return price.Product.ID
		}
	}
	return "diy_" + o.plan.ID
}

func (p *Provider) listProducts(ctx context.Context, ids []string) (map[string]*stripe.Product, error) {
	productsByID := map[string]*stripe.Product{}
	for chunk := range slices.Chunk(ids, pageSize) {
		params := &stripe.ProductListParams{IDs: stripe.StringSlice(chunk)}
		params.Limit = new(int64(pageSize))
		for product, err := range p.stripe.V1Products.List(ctx, params).All(ctx) {
			if err != nil {
				return nil, p.logFault(ctx, "list products", err)
			}
			productsByID[product.ID] = product
		}
	}
	return productsByID, nil
}

// listUnarchivedPrices returns the active prices that were replaced, by their former lookup key. An interrupted push
// leaves such prices.
func (p *Provider) listUnarchivedPrices(ctx context.Context, inventory stripeInventory) (map[string][]*stripe.Price, error) {
	pricesByKey := map[string][]*stripe.Price{}
	for _, id := range slices.Sorted(maps.Keys(inventory.products)) {
		params := &stripe.PriceListParams{Product: &id, Active: new(true)}
		params.Limit = new(int64(pageSize))
		for price, err := range p.stripe.V1Prices.List(ctx, params).All(ctx) {
			if err != nil {
				return nil, p.logFault(ctx, "list prices of product", err)
			}
			if key := price.Metadata[metaPriceID]; key != "" && price.LookupKey == "" {
				pricesByKey[key] = append(pricesByKey[key], price)
			}
		}
	}
	return pricesByKey, nil
}
