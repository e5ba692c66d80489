package stripeserver

import (
	"crypto/rand"

	"github.com/vc-admin/diy/domain/catalogue"
)

// newPrice reads what can never be changed of a price: what it is of, how often and how much.
func (c *call) newPrice() (*price, error) {
	of, err := c.form.required("product")
	if err != nil {
		return nil, err
	}
	if c.shelf.findProduct(of) == nil {
		return nil, missingParam("product", of, "product")
	}
	currency, err := c.form.required("currency")
	if err != nil {
		return nil, err
	}
	interval, err := c.recurrence()
	if err != nil {
		return nil, err
	}
	p := &price{
		id: "price_" + rand.Text(), product: of, active: true, interval: interval,
		currency: small(currency), amounts: map[string]int64{}, created: c.provider.Clock.Now().Unix(),
	}
	if err := c.readAmount(p, p.currency, "unit_amount"); err != nil {
		return nil, err
	}
	for _, option := range c.form.keysOf("currency_options") {
		if err := c.readAmount(p, option, "currency_options["+option+"][unit_amount]"); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (c *call) recurrence() (catalogue.Interval, error) {
	if err := c.form.only("recurring[interval_count]", "1"); err != nil {
		return "", err
	}
	switch every := c.form.text("recurring[interval]"); every {
	case "month":
		return catalogue.Monthly, nil
	case "year":
		return catalogue.Yearly, nil
	default:
		return "", unsupported("recurring[interval]", every)
	}
}

func (c *call) readAmount(p *price, currency, param string) error {
	amount, given, err := c.form.number(param)
	switch {
	case err != nil:
		return err
	case !given:
		return invalidRequest("parameter_missing", param, "Missing required param: "+param+".")
	case amount < 0:
		return invalidRequest("parameter_invalid_integer", param, "Invalid non-negative integer")
	}
	p.amounts[small(currency)] = amount
	return nil
}
