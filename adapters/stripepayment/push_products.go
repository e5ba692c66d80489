package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// metaPlan marks the products that are ours to name.
const metaPlan = "plan"

// productSteps makes the products that are missing and renames those of ours that are called
// otherwise. A product that somebody made by hand keeps the name it was given.
func (p *Provider) productSteps(all []offer, stock inventory) []step {
	var steps []step
	seen := map[string]bool{}
	for _, o := range all {
		id := stock.productID(o)
		if seen[id] {
			continue
		}
		seen[id] = true
		product, found := stock.products[id]
		switch {
		case !found:
			steps = append(steps, step{mends: productDrift(o, "has no product"), do: p.createProduct(id, o.plan)})
		case product.Metadata[metaPlan] == o.plan.ID && !describes(product, o.plan):
			steps = append(steps, step{mends: productDrift(o, "has a product with another name or description, or an archived one"), do: p.updateProduct(id, o.plan)})
		}
	}
	return steps
}

func describes(product *stripe.Product, plan catalogue.Plan) bool {
	return product.Active && product.Name == plan.Name && product.Description == plan.Description
}

func (p *Provider) createProduct(id string, plan catalogue.Plan) func(context.Context) error {
	return func(ctx context.Context) error {
		params := &stripe.ProductCreateParams{
			ID: &id, Name: &plan.Name, Description: optional(plan.Description), Metadata: metadata(metaPlan, plan.ID),
		}
		params.IdempotencyKey = contentKey("product", id, plan.Name, plan.Description)
		_, err := p.stripe.V1Products.Create(ctx, params)
		return p.fault(ctx, "create product", err)
	}
}

func (p *Provider) updateProduct(id string, plan catalogue.Plan) func(context.Context) error {
	return func(ctx context.Context) error {
		params := &stripe.ProductUpdateParams{Name: &plan.Name, Description: &plan.Description, Active: new(true)}
		params.SetIdempotencyKey(freshKey())
		_, err := p.stripe.V1Products.Update(ctx, id, params)
		return p.fault(ctx, "update product", err)
	}
}

func productDrift(o offer, problem string) []plugin.PriceDiff {
	return []plugin.PriceDiff{{Subject: o.plan.ID, Problem: problem}}
}
