package stripepayment

import (
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// offer is one price as the catalogue wants it at Stripe: a plan paid in one interval, with an
// amount in each currency that it is priced in.
type offer struct {
	plan     catalogue.Plan
	interval catalogue.Interval
	amounts  []money.Amount // the first one is the price's own, the others are its options
}

// key is the price's lookup key.
func (o offer) key() string {
	return catalogue.PriceRef{Product: o.plan.ID, Interval: o.interval}.PriceID()
}

func (o offer) ref(a money.Amount) catalogue.PriceRef {
	return catalogue.PriceRef{Product: o.plan.ID, Interval: o.interval, Currency: a.Currency().Code}
}

// offers is everything that has a price, plans that are sold by people included.
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

// amountsOf begins with the default currency's, if there is one.
func amountsOf(c *catalogue.Catalogue, o offer) []money.Amount {
	var own, others []money.Amount
	for _, currency := range c.Currencies() {
		ref := catalogue.PriceRef{Product: o.plan.ID, Interval: o.interval, Currency: currency.Code}
		amount, err := c.Price(ref)
		switch {
		case err != nil: // this one has none in the currency
		case currency.Code == c.DefaultCurrency():
			own = append(own, amount)
		default:
			others = append(others, amount)
		}
	}
	return append(own, others...)
}
