package stripeserver

import (
	"crypto/rand"
	"slices"
	"strconv"

	"github.com/vc-admin/diy/domain/catalogue"
)

var priceEndpoints = map[string]endpoint{
	"POST /v1/prices": {
		objectType: "price", serve: (*call).createPrice,
		params: "product currency unit_amount recurring lookup_key transfer_lookup_key nickname currency_options metadata " +
			"active",
	},
	"GET /v1/prices":      {objectType: "price", isList: true, params: "lookup_keys product active", serve: (*call).listPrices},
	"GET /v1/prices/{id}": newRetrieveEndpoint("price", "price"),
	"POST /v1/prices/{id}": {objectType: "price", params: "active nickname lookup_key transfer_lookup_key metadata",
		serve: (*call).updatePrice},
}

func (c *call) createPrice() (renderFunc, error) {
	p, err := c.parsePrice()
	if err != nil {
		return nil, err
	}
	if err := c.applyPriceParams(p); err != nil {
		return nil, err
	}
	c.prices.prices = append(c.prices.prices, p)
	return newObjectRenderer("price", p.id, "price"), nil
}

func (c *call) updatePrice() (renderFunc, error) {
	p := c.prices.findPrice(c.pathValue("id"))
	if p == nil {
		return nil, notFoundError("price", c.pathValue("id"), "price")
	}
	if err := c.applyPriceParams(p); err != nil {
		return nil, err
	}
	return newObjectRenderer("price", p.id, "price"), nil
}

// applyPriceParams sets the changeable fields of the price that the request contains.
func (c *call) applyPriceParams(p *price) error {
	if err := c.checkMetadata(); err != nil {
		return err
	}
	if c.form.has("lookup_key") {
		if err := c.setLookupKey(p, c.form.text("lookup_key")); err != nil {
			return err
		}
	}
	if c.form.has("active") {
		p.active = c.form.text("active") == "true"
	}
	if c.form.has("nickname") {
		p.nickname = c.form.text("nickname")
	}
	c.saveMetadata(p.id)
	return nil
}

// setLookupKey sets the price's lookup key. If another price has the key, it is transferred with transfer_lookup_key=true
// and refused otherwise.
func (c *call) setLookupKey(p *price, key string) error {
	keyOwner := c.prices.findPrice(c.prices.priceIDForKey(key))
	if keyOwner != nil && keyOwner != p {
		if c.form.text("transfer_lookup_key") != "true" {
			return invalidRequestError("", "lookup_key", "A price (`"+keyOwner.id+"`) already uses that lookup key.")
		}
		keyOwner.lookupKey = ""
	}
	p.lookupKey = key
	return nil
}

// maxLookupKeys is Stripe's limit for one list of prices.
const maxLookupKeys = 10

func (c *call) listPrices() (renderFunc, error) {
	lookupKeys, productID := c.form.list("lookup_keys"), c.form.text("product")
	if len(lookupKeys) > maxLookupKeys {
		return nil, invalidRequestError("", "lookup_keys", "You can only pass up to "+strconv.Itoa(maxLookupKeys)+" lookup keys.")
	}
	return func(v view) (object, error) {
		var prices []object
		for _, p := range slices.Backward(v.prices.prices) {
			matches := (len(lookupKeys) == 0 || slices.Contains(lookupKeys, p.lookupKey)) &&
				(productID == "" || p.productID == productID)
			if matches && c.matchesActive(p.active) {
				prices = append(prices, v.priceObject(p.id))
			}
		}
		return c.newListPage("price", prices)
	}, nil
}

// parsePrice returns a new price with the product, the interval and the amounts of the request, which can't be changed
// later.
func (c *call) parsePrice() (*price, error) {
	productID, err := c.form.requiredText("product")
	if err != nil {
		return nil, err
	}
	if c.prices.findProduct(productID) == nil {
		return nil, unknownReferenceError("product", productID, "product")
	}
	currency, err := c.form.requiredText("currency")
	if err != nil {
		return nil, err
	}
	interval, err := c.parseInterval()
	if err != nil {
		return nil, err
	}
	p := &price{
		id: "price_" + rand.Text(), productID: productID, active: true, interval: interval,
		currency: stripeCurrency(currency), amounts: map[string]int64{}, createdAt: c.provider.Now().Unix(),
	}
	if err := c.setAmount(p, p.currency, "unit_amount"); err != nil {
		return nil, err
	}
	for _, option := range c.form.hashKeys("currency_options") {
		if err := c.setAmount(p, option, "currency_options["+option+"][unit_amount]"); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (c *call) parseInterval() (catalogue.Interval, error) {
	if err := c.form.allowOnly("recurring[interval_count]", "1"); err != nil {
		return "", err
	}
	switch interval := c.form.text("recurring[interval]"); interval {
	case "month":
		return catalogue.Monthly, nil
	case "year":
		return catalogue.Yearly, nil
	default:
		return "", unsupportedError("recurring[interval]", interval)
	}
}

// setAmount sets the price's amount in the currency to the value of the parameter.
func (c *call) setAmount(p *price, currency, param string) error {
	amount, found, err := c.form.number(param)
	switch {
	case err != nil:
		return err
	case !found:
		return invalidRequestError("parameter_missing", param, "Missing required param: "+param+".")
	case amount < 0:
		return invalidRequestError("parameter_invalid_integer", param, "Invalid non-negative integer")
	}
	p.amounts[stripeCurrency(currency)] = amount
	return nil
}

func (v view) priceObject(id string) object {
	p := v.prices.findPrice(id)
	if p == nil {
		return nil
	}
	amount := p.amounts[p.currency]
	return object{
		"id": id, "object": "price", "livemode": false, "active": p.active, "product": p.productID, "currency": p.currency,
		"unit_amount": amount, "unit_amount_decimal": strconv.FormatInt(amount, 10), "type": "recurring",
		"billing_scheme": "per_unit",
		"recurring":      object{"interval": intervalName(p.interval), "interval_count": 1, "usage_type": "licensed"},
		"lookup_key":     textOrNull(p.lookupKey), "nickname": textOrNull(p.nickname), "created": p.createdAt,
		"metadata": v.state.metadataOf(id),
	}
}

func intervalName(interval catalogue.Interval) string {
	if interval == catalogue.Yearly {
		return "year"
	}
	return "month"
}

// currencyOptions returns the price's amounts in all currencies, including its own.
func (v view) currencyOptions(id string) any {
	options := object{}
	for currency, amount := range v.prices.findPrice(id).amounts {
		options[currency] = object{"unit_amount": amount, "unit_amount_decimal": strconv.FormatInt(amount, 10)}
	}
	return options
}
