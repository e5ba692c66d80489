package catalogue

import (
	"strings"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// Price looks an amount up. NotFound means that there is none: an unknown plan, interval or
// currency, or a plan whose price is on application.
func (c *Catalogue) Price(ref PriceRef) (money.Amount, error) {
	if currency, known := money.ByCode(ref.Currency); known {
		ref.Currency = currency.Code
	}
	amount, priced := c.prices[ref]
	if !priced {
		return money.Amount{}, fault.New(fault.NotFound, "There is no such price")
	}
	return amount, nil
}

// Enabled returns nil when the price is for sale: its plan is enabled and it has an amount. Else
// it is Invalid, on the fields priceId, interval and currency as it may be.
func (c *Catalogue) Enabled(ref PriceRef) error {
	var f fault.Fields
	plan, known := c.Plan(ref.Product)
	f.Check(known, "priceId", "Unknown plan")
	f.Check(!plan.Disabled, "priceId", plan.DisplayName+" is not sold here, please contact us")
	if _, err := ParseInterval(string(ref.Interval)); err != nil {
		f.Add("interval", fault.MessageOf(err))
	}
	f.Check(c.Supports(ref.Currency), "currency", "Currency must be one of "+c.codes())
	return f.Err()
}

// Resolve finds the price that is for sale under an id such as "professional_yearly", with its
// interval and a currency in either case. The three must agree; what does not is Invalid, as in
// Enabled.
func (c *Catalogue) Resolve(priceID, interval, currency string) (PriceRef, error) {
	product, named, err := ParsePriceID(priceID)
	if err != nil {
		return PriceRef{}, err
	}
	ref := PriceRef{Product: product, Interval: Interval(interval), Currency: currency}
	if known, ok := money.ByCode(currency); ok {
		ref.Currency = known.Code
	}
	if err := c.Enabled(ref); err != nil {
		return PriceRef{}, err
	}
	if named != ref.Interval {
		var f fault.Fields
		f.Add("interval", "Interval does not belong to the price")
		return PriceRef{}, f.Err()
	}
	return ref, nil
}

// ParsePriceID takes apart what PriceRef.PriceID puts together. Whether the plan exists is for
// the catalogue to say.
func ParsePriceID(id string) (product string, interval Interval, err error) {
	product, last, _ := strings.Cut(id, "_")
	interval, err = ParseInterval(last)
	if err != nil || !ValidPlanID(product) {
		var f fault.Fields
		f.Add("priceId", "Unknown price")
		return "", "", f.Err()
	}
	return product, interval, nil
}

// codes lists the supported currencies for a message: "USD, NZD, AUD".
func (c *Catalogue) codes() string {
	var codes []string
	for _, currency := range c.currencies {
		codes = append(codes, currency.Code)
	}
	return strings.Join(codes, ", ")
}
