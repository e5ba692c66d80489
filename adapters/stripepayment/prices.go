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

// priceList caches Stripe's prices by lookup key and by id.
type priceList struct {
	mu    sync.Mutex
	byKey map[string]*stripe.Price
	byID  map[string]*stripe.Price
}

func newPriceList() priceList {
	return priceList{byKey: map[string]*stripe.Price{}, byID: map[string]*stripe.Price{}}
}

func (p *priceList) get(key string) *stripe.Price {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byKey[key]
}

func (p *priceList) put(found map[string]*stripe.Price) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.Copy(p.byKey, found)
	for _, price := range found {
		p.byID[price.ID] = price
	}
}

func (p *priceList) getByID(id string) *stripe.Price {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byID[id]
}

func (p *priceList) putByID(price *stripe.Price) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byID[price.ID] = price
}

// forget makes the next use read the price again.
func (p *priceList) forget(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.byKey, key)
}

// price returns the id of Stripe's price for the reference, if it costs what the catalogue says. It
// uses the cached price while that fits and otherwise reads it again.
//
// It returns Invalid for a price that the catalogue does not have, and Conflict for one that is
// missing at Stripe or differs: the customer is charged what was displayed, or nothing.
func (p *Provider) price(ctx context.Context, ref catalogue.PriceRef) (string, error) {
	amount, err := p.Catalogue.Price(ref)
	if err != nil {
		return "", fault.Wrap(err, fault.Invalid, "There is no such price.")
	}
	if price := p.prices.get(ref.PriceID()); price != nil && priceProblem(price, ref, amount) == "" {
		return price.ID, nil
	}
	found, err := p.lookUp(ctx, ref.PriceID())
	if err != nil {
		return "", err
	}
	p.prices.put(found)
	price := found[ref.PriceID()]
	if problem := priceProblem(price, ref, amount); problem != "" {
		p.Log.ErrorContext(ctx, "a price at stripe differs from the catalogue", "price", ref.PriceID(), "currency",
			ref.Currency, "problem", problem)
		return "", fault.New(fault.Conflict,
			"This plan can't be bought at the moment, and nothing was charged. Please contact us.")
	}
	return price.ID, nil
}

// priceByID returns the price with its names, of which a reference has only the id. The plan and interval that a price
// stands for never change.
func (p *Provider) priceByID(ctx context.Context, reference *stripe.Price) (*stripe.Price, error) {
	if reference == nil || reference.ID == "" || reference.LookupKey != "" || reference.Metadata[metaPrice] != "" {
		return reference, nil
	}
	return p.priceWithCurrencies(ctx, reference.ID)
}

// priceWithCurrencies returns the price with its amounts in all currencies. It reads a price once per process.
func (p *Provider) priceWithCurrencies(ctx context.Context, id string) (*stripe.Price, error) {
	if price := p.prices.getByID(id); price != nil {
		return price, nil
	}
	params := &stripe.PriceRetrieveParams{}
	params.AddExpand("currency_options")
	price, err := p.stripe.V1Prices.Retrieve(ctx, id, params)
	if err != nil {
		return nil, p.fault(ctx, "read price", err)
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

// hasInterval reports whether the price recurs in exactly this interval.
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

// lookUp returns Stripe's prices by lookup key. Keys without a price are absent.
func (p *Provider) lookUp(ctx context.Context, keys ...string) (map[string]*stripe.Price, error) {
	params := &stripe.PriceListParams{LookupKeys: stripe.StringSlice(keys)}
	params.Limit = new(int64(pageSize))
	params.AddExpand("data.currency_options")
	found := map[string]*stripe.Price{}
	for price, err := range p.stripe.V1Prices.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.fault(ctx, "look up prices", err)
		}
		found[price.LookupKey] = price
	}
	return found, nil
}

// priceRefOf returns the catalogue price of a subscription, or the zero reference if it is for a
// foreign product.
func (p *Provider) priceRefOf(s *stripe.Subscription) catalogue.PriceRef {
	for _, item := range items(s) {
		product, interval, ours := p.parsePriceName(item.Price)
		if ours {
			return catalogue.PriceRef{Product: product, Interval: interval, Currency: currencyCode(s.Currency)}
		}
	}
	product, interval, err := catalogue.ParsePriceID(s.Metadata[metaProduct] + "_" + s.Metadata[metaInterval])
	if err != nil {
		return catalogue.PriceRef{}
	}
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: currencyCode(s.Currency)}
}

// parsePriceName returns the plan and interval in a price's lookup key or, after another price has
// taken over the key, in its metadata. A lookup key without our metadata must name a plan of the
// catalogue.
func (p *Provider) parsePriceName(price *stripe.Price) (product string, interval catalogue.Interval, ours bool) {
	if price == nil {
		return "", "", false
	}
	mark := price.Metadata[metaPrice]
	for _, name := range []string{price.LookupKey, mark} {
		product, interval, err := catalogue.ParsePriceID(name)
		if _, sold := p.Catalogue.Plan(product); err == nil && (sold || mark != "") {
			return product, interval, true
		}
	}
	return "", "", false
}

// planItem returns the item with one of the catalogue's prices, or else the first item.
func (p *Provider) planItem(s *stripe.Subscription) *stripe.SubscriptionItem {
	var first *stripe.SubscriptionItem
	for _, item := range items(s) {
		if _, _, ours := p.parsePriceName(item.Price); ours {
			return item
		}
		first = cmp.Or(first, item)
	}
	return first
}

// items returns the subscription's items.
func items(s *stripe.Subscription) []*stripe.SubscriptionItem {
	if s.Items == nil {
		return nil
	}
	return s.Items.Data
}
