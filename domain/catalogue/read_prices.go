package catalogue

import (
	"slices"

	"github.com/vc-admin/diy/domain/catalogue/internal/strictjson"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// largestPrice keeps twelve months of a price within what every language counts exactly.
const largestPrice = (1<<53 - 1) / 12

// readPrices reads the price table: plan, then currency, then interval. What is for sale must
// have every price; what is not may have none.
func (c *Catalogue) readPrices(n strictjson.Node) {
	c.prices = map[PriceRef]money.Amount{}
	for _, plan := range n.Entries() {
		if !slices.ContainsFunc(c.plans, func(p Plan) bool { return p.ID == plan.Key }) {
			plan.Node.Problem("there is no plan of this id")
		}
		for _, currency := range plan.Node.Entries() {
			c.readPricesIn(currency, PriceRef{Product: plan.Key, Currency: currency.Key})
		}
	}
	if n.IsObject() {
		c.checkPrices(n)
	}
}

func (c *Catalogue) readPricesIn(e strictjson.Entry, ref PriceRef) {
	if !c.lists(ref.Currency) {
		e.Node.Problem("%q is not among the currencies", ref.Currency)
	}
	o := e.Node.Object(string(Monthly), string(Yearly))
	for _, interval := range intervals {
		ref.Interval = interval
		c.readPrice(o.Get(string(interval)), ref)
	}
}

// readPrice reads an amount in whole units of the currency, or null for none.
func (c *Catalogue) readPrice(n strictjson.Node, ref PriceRef) {
	if n.Null() || n.Absent() || !c.lists(ref.Currency) {
		return
	}
	text, ok := n.Number()
	if !ok {
		return
	}
	amount, err := money.Parse(text, ref.Currency)
	switch {
	case err != nil:
		n.Problem("%s", fault.MessageOf(err))
	case amount.Minor() < 0:
		n.Problem("%s is negative", text)
	case amount.Minor() > largestPrice:
		n.Problem("%s is too large an amount", text)
	case !amount.Exact():
		n.Problem("%s can't be shown and paid exactly in %s", text, ref.Currency)
	}
	c.prices[ref] = amount
}

// checkPrices reports the prices that an enabled plan lacks.
func (c *Catalogue) checkPrices(n strictjson.Node) {
	for _, plan := range c.plans {
		for _, currency := range c.currencies {
			for _, interval := range intervals {
				ref := PriceRef{Product: plan.ID, Interval: interval, Currency: currency.Code}
				if _, priced := c.prices[ref]; !priced && !plan.Disabled {
					n.Problem("the enabled plan %q has no %s price in %s", plan.ID, interval, currency.Code)
				}
			}
		}
	}
}
