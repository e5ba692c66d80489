package stripeserver

import (
	"slices"
	"strings"

	"github.com/vc-admin/diy/domain/catalogue"
)

// priceStore contains the products and prices, oldest first.
type priceStore struct {
	products []*product
	prices   []*price
}

type product struct {
	id          string
	name        string
	description string
	active      bool
	createdAt   int64
	updatedAt   int64
}

type price struct {
	id        string
	productID string
	lookupKey string // "" after another price has taken over the key
	nickname  string
	active    bool
	interval  catalogue.Interval
	currency  string           // the price's own; other currencies are currency_options
	amounts   map[string]int64 // by currency, including its own
	createdAt int64
}

// load adds every plan of the catalogue and its prices. The catalogue's minor units are also Stripe's units, because
// Stripe does not differ from ISO 4217 in the catalogue's currencies.
func (s *priceStore) load(c *catalogue.Catalogue, now int64) {
	for _, plan := range c.Plans() {
		planProduct := &product{id: "prod_" + plan.ID, name: plan.Name, description: plan.Description, active: true,
			createdAt: now, updatedAt: now}
		for _, interval := range catalogue.Intervals() {
			if p := newCataloguePrice(c, plan.ID, interval); p != nil {
				p.productID, p.createdAt = planProduct.id, now
				s.prices = append(s.prices, p)
			}
		}
		s.products = append(s.products, planProduct)
	}
}

// newCataloguePrice returns the price of a plan and interval with its amounts in all currencies, or nil if it is not
// sold.
func newCataloguePrice(c *catalogue.Catalogue, planID string, interval catalogue.Interval) *price {
	ref := catalogue.PriceRef{Product: planID, Interval: interval}
	p := &price{id: "price_" + ref.PriceID(), lookupKey: ref.PriceID(), active: true, interval: interval,
		amounts: map[string]int64{}}
	for _, currency := range c.Currencies() {
		ref.Currency = currency.Code
		amount, err := c.Price(ref)
		if err != nil {
			continue // not sold in this currency
		}
		p.amounts[stripeCurrency(currency.Code)] = amount.Minor()
		if p.currency == "" || currency.Code == c.DefaultCurrency() {
			p.currency = stripeCurrency(currency.Code)
		}
	}
	if p.currency == "" {
		return nil
	}
	return p
}

func (s *priceStore) findProduct(id string) *product {
	return findFirst(s.products, func(p *product) bool { return p.id == id })
}

func (s *priceStore) findPrice(id string) *price {
	return findFirst(s.prices, func(p *price) bool { return p.id == id })
}

// priceIDForKey returns the id of the price with the lookup key, or "".
func (s *priceStore) priceIDForKey(key string) string {
	if p := findFirst(s.prices, func(p *price) bool { return key != "" && p.lookupKey == key }); p != nil {
		return p.id
	}
	return ""
}

func findFirst[T any](items []*T, match func(*T) bool) *T {
	if i := slices.IndexFunc(items, match); i >= 0 {
		return items[i]
	}
	return nil
}

// ref returns the provider's reference to the price in one of its currencies; "" stands for the price's own currency. The
// lookup key determines the plan; without one the plan is the id of the product.
func (p *price) ref(currency string) catalogue.PriceRef {
	if currency == "" {
		currency = p.currency
	}
	planID := p.productID
	if keyPlanID, interval, err := catalogue.ParsePriceID(p.lookupKey); err == nil && interval == p.interval {
		planID = keyPlanID
	}
	return catalogue.PriceRef{Product: planID, Interval: p.interval, Currency: strings.ToUpper(currency)}
}

// findActivePrice returns the price whose id the parameter contains. The price must be active and, unless currency is "",
// have an amount in the currency.
func (c *call) findActivePrice(param, currency string) (*price, error) {
	id, err := c.form.requiredText(param)
	if err != nil {
		return nil, err
	}
	p := c.prices.findPrice(id)
	switch {
	case p == nil:
		return nil, unknownReferenceError("price", id, param)
	case !p.active:
		return nil, invalidRequestError("", param, "The price specified is inactive. This field only accepts active prices.")
	}
	if currency == "" {
		return p, nil
	}
	if _, found := p.amounts[stripeCurrency(currency)]; !found {
		return nil, invalidRequestError("", param,
			"The price specified supports currencies other than `"+stripeCurrency(currency)+"`.")
	}
	return p, nil
}
