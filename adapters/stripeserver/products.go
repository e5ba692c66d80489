package stripeserver

import (
	"crypto/rand"
	"slices"
)

var productEndpoints = map[string]endpoint{
	"POST /v1/products": {objectType: "product", params: "id name description active metadata",
		serve: (*call).createProduct},
	"GET /v1/products":       {objectType: "product", isList: true, params: "ids active", serve: (*call).listProducts},
	"GET /v1/products/{id}":  newRetrieveEndpoint("product", "id"),
	"POST /v1/products/{id}": {objectType: "product", params: "name description active metadata", serve: (*call).updateProduct},
}

func (c *call) createProduct() (renderFunc, error) {
	name, err := c.form.requiredText("name")
	if err != nil {
		return nil, err
	}
	p := &product{id: c.form.text("id"), name: name, active: true}
	switch {
	case p.id == "":
		p.id = "prod_" + rand.Text()
	case c.prices.findProduct(p.id) != nil:
		return nil, invalidRequestError("resource_already_exists", "id", "Product already exists.")
	}
	if err := c.applyProductParams(p); err != nil {
		return nil, err
	}
	c.prices.products = append(c.prices.products, p)
	return newObjectRenderer("product", p.id, "id"), nil
}

func (c *call) updateProduct() (renderFunc, error) {
	p := c.prices.findProduct(c.pathValue("id"))
	if p == nil {
		return nil, notFoundError("product", c.pathValue("id"), "id")
	}
	if c.form.has("name") && c.form.text("name") == "" {
		return nil, invalidRequestError("parameter_invalid_empty", "name", "You passed an empty string for 'name'. "+
			"You should remove 'name' from your request or supply a non-empty value.")
	}
	if err := c.applyProductParams(p); err != nil {
		return nil, err
	}
	return newObjectRenderer("product", p.id, "id"), nil
}

// applyProductParams sets the fields of the product that the request contains.
func (c *call) applyProductParams(p *product) error {
	if err := c.checkMetadata(); err != nil {
		return err
	}
	if c.form.has("name") {
		p.name = c.form.text("name")
	}
	if c.form.has("description") {
		p.description = c.form.text("description")
	}
	if c.form.has("active") {
		p.active = c.form.text("active") == "true"
	}
	p.updatedAt = c.provider.Now().Unix()
	if p.createdAt == 0 {
		p.createdAt = p.updatedAt
	}
	c.saveMetadata(p.id)
	return nil
}

func (c *call) listProducts() (renderFunc, error) {
	ids := c.form.list("ids")
	return func(v view) (object, error) {
		var products []object
		for _, p := range slices.Backward(v.prices.products) {
			if (len(ids) == 0 || slices.Contains(ids, p.id)) && c.matchesActive(p.active) {
				products = append(products, v.productObject(p.id))
			}
		}
		return c.newListPage("product", products)
	}, nil
}

// matchesActive reports whether the request lists objects with this value of "active".
func (c *call) matchesActive(active bool) bool {
	return !c.form.has("active") || active == (c.form.text("active") == "true")
}

func (v view) productObject(id string) object {
	p := v.prices.findProduct(id)
	if p == nil {
		return nil
	}
	return object{
		"id": id, "object": "product", "livemode": false, "active": p.active, "name": p.name,
		"description": textOrNull(p.description),
		"images":      []any{}, "marketing_features": []any{}, "updated": p.updatedAt,
		"created": p.createdAt, "default_price": nil, "metadata": v.state.metadataOf(id), "type": "service",
	}
}
