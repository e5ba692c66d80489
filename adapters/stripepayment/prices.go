package stripepayment

import (
	"cmp"
	"context"
	"maps"
	"sync"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// priceCache caches Stripe's prices by lookup key and by id.
type priceCache struct {
	mu          sync.Mutex
	pricesByKey map[string]*stripe.Price
	pricesByID  map[string]*stripe.Price
}

func newPriceCache() priceCache {
	return priceCache{pricesByKey: map[string]*stripe.Price{}, pricesByID: map[string]*stripe.Price{}}
}

func (c *priceCache) getByKey(key string) *stripe.Price {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pricesByKey[key]
}

func (c *priceCache) putByKey(pricesByKey map[string]*stripe.Price) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(c.pricesByKey, pricesByKey)
	for _, price := range pricesByKey {
		c.pricesByID[price.ID] = price
	}
}

func (c *priceCache) getByID(id string) *stripe.Price {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pricesByID[id]
}

func (c *priceCache) putByID(price *stripe.Price) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pricesByID[price.ID] = price
}

// removeKey removes the lookup key, so that the next use of the key looks up its price again.
func (c *priceCache) removeKey(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pricesByKey, key)
}

// lookUpPriceID returns the id of Stripe's price for the reference. It uses the cached price if it matches the catalogue;
// otherwise it looks up the price again.
//
// It returns Invalid for a price that the catalogue does not have. It returns Conflict for a price that is missing at
// Stripe or differs there, so that customers are charged only the displayed amount.
func (p *Provider) lookUpPriceID(ctx context.Context, ref catalogue.PriceRef) (string, error) {
	amount, err := p.Catalogue.Price(ref)
	if err != nil {
		return "", fault.Wrap(err, fault.Invalid, "There is no such price.")
	}
	if price := p.prices.getByKey(ref.PriceID()); price != nil && priceProblem(price, ref, amount) == "" {
		return price.ID, nil
	}
	pricesByKey, err := p.lookUpPrices(ctx, ref.PriceID())
	if err != nil {
		return "", err
	}
	p.prices.putByKey(pricesByKey)
	price := pricesByKey[ref.PriceID()]
	if problem := priceProblem(price, ref, amount); problem != "" {
		p.Log.ErrorContext(ctx, "a price at stripe differs from the catalogue", "price", ref.PriceID(), "currency",
			ref.Currency, "problem", problem)
		return "", fault.New(fault.Conflict,
			"This plan can't be bought at the moment, and nothing was charged. Please contact us.")
	}
	return price.ID, nil
}

// resolvePrice returns the price with its lookup key and metadata. It reads the price if the reference contains only the
// id.
func (p *Provider) resolvePrice(ctx context.Context, reference *stripe.Price) (*stripe.Price, error) {
	if reference == nil || reference.ID == "" || reference.LookupKey != "" || reference.Metadata[metaPriceID] != "" {
		return reference, nil
	}
	return p.priceWithCurrencies(ctx, reference.ID)
}

// priceWithCurrencies returns the price with its amounts in all currencies. It reads each price once per process, because
// its amounts and its plan never change.
func (p *Provider) priceWithCurrencies(ctx context.Context, id string) (*stripe.Price, error) {
	if price := p.prices.getByID(id); price != nil {
		return price, nil
	}
	params := &stripe.PriceRetrieveParams{}
	params.AddExpand("currency_options")
	price, err := p.stripe.V1Prices.Retrieve(ctx, id, params)
	if err != nil {
		return nil, p.logFault(ctx, "read price", err)
	}
	p.prices.putByID(price)
	return price, nil
}

// priceProblem describes why the price can't be sold for the amount, or returns "".
func priceProblem(price *stripe.Price, ref catalogue.PriceRef, amount money.Amount) string {
	switch {
	case price == nil:
		return "is missing"
	case !price.Active:
		return "is archived"
	case !hasInterval(price, ref.Interval):
		return "is not paid " + string(ref.Interval)
	}
	return amountProblem(price, amount)
}

// hasInterval reports whether the price is charged once in each interval.
func hasInterval(price *stripe.Price, interval catalogue.Interval) bool {
	r := price.Recurring
	return r != nil && r.IntervalCount == 1 && r.Interval == stripeInterval(interval)
}

func stripeInterval(interval catalogue.Interval) stripe.PriceRecurringInterval {
	if interval == catalogue.Yearly {
		return stripe.PriceRecurringIntervalYear
	}
	return stripe.PriceRecurringIntervalMonth
}

// lookUpPrices returns Stripe's prices by lookup key. Keys without a price are absent.
func (p *Provider) lookUpPrices(ctx context.Context, keys ...string) (map[string]*stripe.Price, error) {
	params := &stripe.PriceListParams{LookupKeys: stripe.StringSlice(keys)}
	params.Limit = new(int64(pageSize))
	params.AddExpand("data.currency_options")
	pricesByKey := map[string]*stripe.Price{}
	for price, err := range p.stripe.V1Prices.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.logFault(ctx, "look up prices", err)
		}
		pricesByKey[price.LookupKey] = price
	}
	return pricesByKey, nil
}

// priceRefOf returns the price of a subscription, and false for the second result if the catalogue does not have it. It is
// the price of the first item with a price of the catalogue, or else the operator's price of the first item, see
// operatorPriceRef. If that price has no name, it is the price in the subscription's metadata. priceRefOf returns the zero
// reference for a subscription that is ignored.
func (p *Provider) priceRefOf(ctx context.Context, s *stripe.Subscription) (ref catalogue.PriceRef, inCatalogue bool) {
	currency := currencyCode(s.Currency)
	if isIgnored(s) {
		return catalogue.PriceRef{}, true
	}
	for _, item := range itemsOf(s) {
		if ref, ok := p.catalogueRef(item.Price, currency); ok {
			return ref, true
		}
	}
	price := firstItem(s).Price
	product, interval, err := catalogue.ParsePriceID(s.Metadata[metaProduct] + "_" + s.Metadata[metaInterval])
	switch {
	case err == nil && (price == nil || price.Nickname == "" && price.Product == nil):
		return catalogue.PriceRef{Product: product, Interval: interval, Currency: currency}, true
	case price == nil:
		return catalogue.PriceRef{}, true
	}
	return p.operatorPriceRef(ctx, price, currency), false
}

// hasPrice reports whether the subscription has the price of the reference.
func (p *Provider) hasPrice(ctx context.Context, s *stripe.Subscription, want catalogue.PriceRef) bool {
	ref, _ := p.priceRefOf(ctx, s)
	return ref == want
}

// catalogueRef returns the catalogue price that Stripe's price stands for in the currency, and false for a price
// outside the catalogue. It parses the lookup key or, after another price has taken over the key, the price id in the
// metadata. Without that metadata, the lookup key must name a plan of the catalogue. An operator's price for the product
// of a plan stands for this plan. The interval is that of the price, and empty if the catalogue has no such interval.
func (p *Provider) catalogueRef(price *stripe.Price, currency string) (ref catalogue.PriceRef, ok bool) {
	if price == nil {
		return catalogue.PriceRef{}, false
	}
	recordedID := price.Metadata[metaPriceID]
	for _, id := range []string{price.LookupKey, recordedID} {
		product, interval, err := catalogue.ParsePriceID(id)
		if _, hasPlan := p.Catalogue.Plan(product); err == nil && (hasPlan || recordedID != "") {
			if price.Recurring != nil && !hasInterval(price, interval) {
				interval = intervalOf(price)
			}
			return catalogue.PriceRef{Product: product, Interval: interval, Currency: currency}, true
		}
	}
	return p.refOfProduct(price, currency)
}

// refOfProduct returns the plan whose id is that of the price's product, and false if there is none.
func (p *Provider) refOfProduct(price *stripe.Price, currency string) (ref catalogue.PriceRef, ok bool) {
	if price.Product == nil || price.Recurring == nil {
		return catalogue.PriceRef{}, false
	}
	if _, isPlan := p.Catalogue.Plan(price.Product.ID); !isPlan {
		return catalogue.PriceRef{}, false
	}
	return catalogue.PriceRef{Product: price.Product.ID, Interval: intervalOf(price), Currency: currency}, true
}

// planItem returns the item with one of the catalogue's prices, or else the first item, or nil.
func (p *Provider) planItem(s *stripe.Subscription) *stripe.SubscriptionItem {
	var fallbackItem *stripe.SubscriptionItem
	for _, item := range itemsOf(s) {
		if _, ok := p.catalogueRef(item.Price, ""); ok {
			return item
		}
		fallbackItem = cmp.Or(fallbackItem, item)
	}
	return fallbackItem
}

// firstItem returns the subscription's first item, or an empty item if it has none.
func firstItem(s *stripe.Subscription) *stripe.SubscriptionItem {
	if items := itemsOf(s); len(items) > 0 {
		return items[0]
	}
	return &stripe.SubscriptionItem{}
}

func itemsOf(s *stripe.Subscription) []*stripe.SubscriptionItem {
	if s.Items == nil {
		return nil
	}
	return s.Items.Data
}
