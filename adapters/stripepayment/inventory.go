package stripepayment

import (
	"context"
	"maps"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/catalogue"
)

// lookupLimit is how many lookup keys Stripe takes in one request.
const lookupLimit = 10

// inventory is what there is at Stripe.
type inventory struct {
	prices   map[string]*stripe.Price   // by lookup key
	products map[string]*stripe.Product // by id
	spares   map[string][]*stripe.Price // active prices that nobody is sold any more, by the key they had
}

// lookUpAll finds the prices of all offers.
func (p *Provider) lookUpAll(ctx context.Context, all []offer) (map[string]*stripe.Price, error) {
	found := map[string]*stripe.Price{}
	for some := range slices.Chunk(all, lookupLimit) {
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

func (p *Provider) takeStock(ctx context.Context, all []offer) (inventory, error) {
	var stock inventory
	var err error
	if stock.prices, err = p.lookUpAll(ctx, all); err != nil {
		return stock, err
	}
	if stock.products, err = p.products(ctx, stock.productIDs(all)); err != nil {
		return stock, err
	}
	stock.spares, err = p.spares(ctx, stock)
	return stock, err
}

// productIDs is where the offers' prices are, or would be put.
func (i inventory) productIDs(all []offer) []string {
	var ids []string
	for _, o := range all {
		if id := i.productID(o); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// productID is the product that one of the plan's prices is of already, else one of our own naming.
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
	for some := range slices.Chunk(ids, page) {
		params := &stripe.ProductListParams{IDs: stripe.StringSlice(some)}
		params.Limit = new(int64(page))
		for product, err := range p.stripe.V1Products.List(ctx, params).All(ctx) {
			if err != nil {
				return nil, p.fault(ctx, "list products", err)
			}
			found[product.ID] = product
		}
	}
	return found, nil
}

// spares finds the prices that were replaced but not archived: a push was cut off in between.
func (p *Provider) spares(ctx context.Context, stock inventory) (map[string][]*stripe.Price, error) {
	found := map[string][]*stripe.Price{}
	for _, id := range slices.Sorted(maps.Keys(stock.products)) {
		params := &stripe.PriceListParams{Product: &id, Active: new(true)}
		params.Limit = new(int64(page))
		for price, err := range p.stripe.V1Prices.List(ctx, params).All(ctx) {
			if err != nil {
				return nil, p.fault(ctx, "list prices of product", err)
			}
			if was := price.Metadata[metaPrice]; was != "" && price.LookupKey == "" {
				found[was] = append(found[was], price)
			}
		}
	}
	return found, nil
}
