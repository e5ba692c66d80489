package stripeserver

import (
	"slices"
	"strings"

	"github.com/vc-admin/diy/domain/catalogue"
)

// shelf is the products and prices there are, oldest first.
type shelf struct {
	products []*product
	prices   []*price
}

type product struct {
	id          string
	name        string
	description string
	active      bool
	created     int64
}

type price struct {
	id       string
	product  string
	key      string // by which it is looked up; "" after another price has taken it over
	nickname string
	active   bool
	interval catalogue.Interval
	currency string           // its own; the others are options
	amounts  map[string]int64 // by currency, its own among them
	created  int64
}

func newShelf() shelf { return shelf{} }

// stock fills the shelf with everything that has a price. The amounts are in the minor units of
// ISO 4217, which for the product's own currencies are Stripe's too.
func (s *shelf) stock(c *catalogue.Catalogue) {
	for _, plan := range c.Plans() {
		made := &product{id: "prod_" + plan.ID, name: plan.Name, description: plan.Description, active: true}
		for _, interval := range catalogue.Intervals() {
			if p := priceFor(c, plan.ID, interval); p != nil {
				p.product = made.id
				s.prices = append(s.prices, p)
			}
		}
		s.products = append(s.products, made)
	}
}

// priceFor is the price of a plan for an interval, in all its currencies; nil when it has none.
func priceFor(c *catalogue.Catalogue, plan string, interval catalogue.Interval) *price {
	ref := catalogue.PriceRef{Product: plan, Interval: interval}
	p := &price{id: "price_" + ref.PriceID(), key: ref.PriceID(), active: true, interval: interval, amounts: map[string]int64{}}
	for _, currency := range c.Currencies() {
		ref.Currency = currency.Code
		amount, err := c.Price(ref)
		if err != nil {
			continue // not sold in this one
		}
		p.amounts[small(currency.Code)] = amount.Minor()
		if p.currency == "" || currency.Code == c.DefaultCurrency() {
			p.currency = small(currency.Code)
		}
	}
	if p.currency == "" {
		return nil
	}
	return p
}

func (s *shelf) findProduct(id string) *product {
	return found(s.products, func(p *product) bool { return p.id == id })
}

func (s *shelf) findPrice(id string) *price {
	return found(s.prices, func(p *price) bool { return p.id == id })
}

// underKey is the id of the price that is looked up by the key, or "".
func (s *shelf) underKey(key string) string {
	if p := found(s.prices, func(p *price) bool { return key != "" && p.key == key }); p != nil {
		return p.id
	}
	return ""
}

func found[T any](all []*T, is func(*T) bool) *T {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return nil
}

// ref is the price in the provider's terms, in one of its currencies; "" is its own.
func (p *price) ref(currency string) catalogue.PriceRef {
	if currency == "" {
		currency = p.currency
	}
	name := p.product
	if plan, interval, err := catalogue.ParsePriceID(p.key); err == nil && interval == p.interval {
		name = plan
	}
	return catalogue.PriceRef{Product: name, Interval: p.interval, Currency: strings.ToUpper(currency)}
}

// priceOf finds the price that a parameter names, which must be sold in the currency.
func (c *call) priceOf(param, currency string) (*price, error) {
	id, err := c.form.required(param)
	if err != nil {
		return nil, err
	}
	p := c.shelf.findPrice(id)
	switch {
	case p == nil:
		return nil, missingParam("price", id, param)
	case !p.active:
		return nil, invalidRequest("", param, "The price specified is inactive. This field only accepts active prices.")
	}
	if currency == "" {
		return p, nil
	}
	if _, sold := p.amounts[small(currency)]; !sold {
		return nil, invalidRequest("", param, "The price specified supports currencies other than `"+small(currency)+"`.")
	}
	return p, nil
}
