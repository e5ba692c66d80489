package stripepayment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// priceSteps returns the steps that create the offer's price if it is missing or differs, and that archive replaced prices.
func (p *Provider) priceSteps(o offer, inv inventory) []pushStep {
	oldPrice := inv.prices[o.lookupKey()]
	var steps []pushStep
	if diffs := priceDiffs(o, oldPrice); len(diffs) > 0 {
		steps = append(steps, pushStep{diffs: diffs, apply: p.replacePrice(o, inv.productID(o), oldPrice)})
	}
	for _, price := range inv.unarchivedPrices[o.lookupKey()] {
		steps = append(steps, pushStep{
			diffs: []plugin.PriceDiff{{
				Subject: o.lookupKey(), Problem: "was replaced, and " + price.ID + " is not archived yet",
			}},
			apply: p.archivePrice(price.ID),
		})
	}
	return steps
}

// replacePrice returns a function that creates the new price before it archives the old one, so that the plan always
// has a price. First the function writes the catalogue's price id to the old price's metadata. Otherwise subscriptions
// to the old price would lose their plan when the new price takes over the lookup key.
func (p *Provider) replacePrice(o offer, productID string, oldPrice *stripe.Price) func(context.Context) error {
	return func(ctx context.Context) error {
		params, err := priceParams(o, productID, oldPrice)
		if err != nil {
			return err
		}
		if err := p.markPrice(ctx, o.lookupKey(), oldPrice); err != nil {
			return err
		}
		if _, err := p.stripe.V1Prices.Create(ctx, params); err != nil {
			return p.logFault(ctx, "create price", err)
		}
		p.prices.forget(o.lookupKey())
		if oldPrice == nil || !oldPrice.Active {
			return nil
		}
		return p.archivePrice(oldPrice.ID)(ctx)
	}
}

// markPrice writes the price id of the catalogue to the price's metadata, unless it has one.
func (p *Provider) markPrice(ctx context.Context, priceID string, price *stripe.Price) error {
	if price == nil || price.Metadata[metaPrice] != "" {
		return nil
	}
	params := &stripe.PriceUpdateParams{Metadata: metadata(metaPrice, priceID)}
	params.SetIdempotencyKey(newKey())
	_, err := p.stripe.V1Prices.Update(ctx, price.ID, params)
	return p.logFault(ctx, "mark price", err)
}

// priceParams returns the parameters that create the offer's price and transfer the lookup key to it. The idempotency key is
// derived from the content, so that concurrent pushes create one price.
func priceParams(o offer, productID string, oldPrice *stripe.Price) (*stripe.PriceCreateParams, error) {
	lookup := o.lookupKey()
	params := &stripe.PriceCreateParams{
		Product: &productID, LookupKey: &lookup, Nickname: &lookup, TransferLookupKey: new(true),
		Recurring: &stripe.PriceCreateRecurringParams{Interval: stripe.String(stripeInterval(o.interval))},
		Metadata:  metadata(metaPrice, lookup),
	}
	content := []string{"price", lookup, productID}
	if oldPrice != nil {
		content = append(content, oldPrice.ID)
	}
	for _, amount := range o.amounts {
		units, err := toStripeUnits(amount)
		if err != nil {
			return nil, err
		}
		addAmount(params, amount.Currency().Code, units)
		content = append(content, amount.String())
	}
	params.SetIdempotencyKey(contentKey(content...))
	return params, nil
}

// addAmount sets the price's own amount if there is none yet, and otherwise adds a currency option.
func addAmount(params *stripe.PriceCreateParams, currency string, units int64) {
	currency = strings.ToLower(currency)
	if params.Currency == nil {
		params.Currency, params.UnitAmount = &currency, &units
		return
	}
	if params.CurrencyOptions == nil {
		params.CurrencyOptions = map[string]*stripe.PriceCreateCurrencyOptionsParams{}
	}
	params.CurrencyOptions[currency] = &stripe.PriceCreateCurrencyOptionsParams{UnitAmount: &units}
}

func (p *Provider) archivePrice(id string) func(context.Context) error {
	return func(ctx context.Context) error {
		params := &stripe.PriceUpdateParams{Active: new(false)}
		params.SetIdempotencyKey(newKey())
		_, err := p.stripe.V1Prices.Update(ctx, id, params)
		return p.logFault(ctx, "archive price", err)
	}
}

// contentKey returns an idempotency key that is the same for the same content.
func contentKey(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "catalogue-" + hex.EncodeToString(sum[:])
}

// metaPlan holds the plan of a product that Push has created.
const metaPlan = "plan"

// productSteps returns the steps that create missing products and correct the names and descriptions of products that
// Push has created. A product that was created by hand keeps its name.
func (p *Provider) productSteps(offers []offer, inv inventory) []pushStep {
	var steps []pushStep
	isListed := map[string]bool{}
	for _, o := range offers {
		id := inv.productID(o)
		if isListed[id] {
			continue
		}
		isListed[id] = true
		product, exists := inv.products[id]
		switch {
		case !exists:
			steps = append(steps, pushStep{diffs: productDiff(o, "has no product"), apply: p.createProduct(id, o.plan)})
		case product.Metadata[metaPlan] == o.plan.ID && !matchesPlan(product, o.plan):
			steps = append(steps,
				pushStep{diffs: productDiff(o, "has a product with another name or description, or an archived one"),
					apply: p.updateProduct(id, o.plan)})
		}
	}
	return steps
}

func matchesPlan(product *stripe.Product, plan catalogue.Plan) bool {
	return product.Active && product.Name == plan.Name && product.Description == plan.Description
}

func (p *Provider) createProduct(id string, plan catalogue.Plan) func(context.Context) error {
	return func(ctx context.Context) error {
		params := &stripe.ProductCreateParams{
			ID: &id, Name: &plan.Name, Description: optionalString(plan.Description), Metadata: metadata(metaPlan, plan.ID),
		}
		params.SetIdempotencyKey(contentKey("product", id, plan.Name, plan.Description))
		_, err := p.stripe.V1Products.Create(ctx, params)
		return p.logFault(ctx, "create product", err)
	}
}

func (p *Provider) updateProduct(id string, plan catalogue.Plan) func(context.Context) error {
	return func(ctx context.Context) error {
		params := &stripe.ProductUpdateParams{Name: &plan.Name, Description: &plan.Description, Active: new(true)}
		params.SetIdempotencyKey(newKey())
		_, err := p.stripe.V1Products.Update(ctx, id, params)
		return p.logFault(ctx, "update product", err)
	}
}

func productDiff(o offer, problem string) []plugin.PriceDiff {
	return []plugin.PriceDiff{{Subject: o.plan.ID, Problem: problem}}
}
