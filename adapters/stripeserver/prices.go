package stripeserver

import (
	"slices"
	"strconv"
)

var priceEndpoints = map[string]endpoint{
	"POST /v1/prices": {
		kind: "price", do: (*call).createPrice,
		params: "product currency unit_amount recurring lookup_key transfer_lookup_key nickname currency_options metadata active",
	},
	"GET /v1/prices":       {kind: "price", list: true, params: "lookup_keys product active", do: (*call).listPrices},
	"GET /v1/prices/{id}":  retrieve("price", "price"),
	"POST /v1/prices/{id}": {kind: "price", params: "active nickname lookup_key transfer_lookup_key metadata", do: (*call).updatePrice},
}

func (c *call) createPrice() (show, error) {
	made, err := c.newPrice()
	if err != nil {
		return nil, err
	}
	if err := c.fillPrice(made); err != nil {
		return nil, err
	}
	c.shelf.prices = append(c.shelf.prices, made)
	return one("price", made.id, "price"), nil
}

func (c *call) updatePrice() (show, error) {
	p := c.shelf.findPrice(c.id("id"))
	if p == nil {
		return nil, missing("price", c.id("id"), "price")
	}
	if err := c.fillPrice(p); err != nil {
		return nil, err
	}
	return one("price", p.id, "price"), nil
}

// fillPrice takes over what may change of a price.
func (c *call) fillPrice(p *price) error {
	if err := c.checkMetadata(); err != nil {
		return err
	}
	if c.form.has("lookup_key") {
		if err := c.takeKey(p, c.form.text("lookup_key")); err != nil {
			return err
		}
	}
	if c.form.has("active") {
		p.active = c.form.text("active") == "true"
	}
	if c.form.has("nickname") {
		p.nickname = c.form.text("nickname")
	}
	c.noteMetadata(p.id)
	return nil
}

// takeKey gives the price a lookup key, which another one has only lent when that is said.
func (c *call) takeKey(p *price, key string) error {
	owner := c.shelf.findPrice(c.shelf.underKey(key))
	if owner != nil && owner != p {
		if c.form.text("transfer_lookup_key") != "true" {
			return invalidRequest("", "lookup_key", "A price (`"+owner.id+"`) already uses that lookup key.")
		}
		owner.key = ""
	}
	p.key = key
	return nil
}

// mostKeys is how many lookup keys Stripe takes at once.
const mostKeys = 10

func (c *call) listPrices() (show, error) {
	keys, of := c.form.list("lookup_keys"), c.form.text("product")
	if len(keys) > mostKeys {
		return nil, invalidRequest("", "lookup_keys", "You can only pass up to "+strconv.Itoa(mostKeys)+" lookup keys.")
	}
	return func(v view) (object, error) {
		var found []object
		for _, p := range slices.Backward(v.shelf.prices) {
			asked := (len(keys) == 0 || slices.Contains(keys, p.key)) && (of == "" || p.product == of)
			if asked && c.activeAsAsked(p.active) {
				found = append(found, v.price(p.id))
			}
		}
		return c.page("price", found)
	}, nil
}
