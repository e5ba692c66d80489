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

// priceSteps returns the steps that create the offer's price if it is missing or differs, and that archive replaced
// prices.
func (p *Provider) priceSteps(o offer, inventory stripeInventory) []pushStep {
	oldPrice := inventory.prices[o.lookupKey()]
	var steps []pushStep
	if diffs := priceDiffs(o, oldPrice); len(diffs) > 0 {
		productID := inventory.productID(o)
		steps = append(steps, pushStep{
			diffs: diffs,
			apply: func(ctx context.Context) error { return p.replacePrice(ctx, o, productID, oldPrice) },
		})
	}
	for _, price := range inventory.unarchivedPrices[o.lookupKey()] {
		steps = append(steps, pushStep{
			diffs: []plugin.PriceDiff{{
				Subject: o.lookupKey(), Problem: "was replaced, and " + price.ID + " is not archived yet",
			}},
			apply: func(ctx context.Context) error { return p.archivePrice(ctx, price.ID) },
		})
	}
	return steps
}

// replacePrice creates the new price before it archives the old one, so that the plan always has a price. First it writes
// the catalogue's price id to the old price's metadata. Otherwise subscriptions to the old price would lose their plan
// when the new price takes over the lookup key.
func (p *Provider) replacePrice(ctx context.Context, o offer, productID string, oldPrice *stripe.Price) error {
	params, err := priceParams(o, productID, oldPrice)
	if err != nil {
		return err
	}
	if err := p.writePriceID(ctx, o.lookupKey(), oldPrice); err != nil {
		return err
	}
	if _, err := p.stripe.V1Prices.Create(ctx, params); err != nil {
		return p.logFault(ctx, "create price", err)
	}
	p.prices.removeKey(o.lookupKey())
	if oldPrice == nil || !oldPrice.Active {
		return nil
	}
	return p.archivePrice(ctx, oldPrice.ID)
}

// writePriceID writes the price id of the catalogue to the price's metadata, unless it has one.
func (p *Provider) writePriceID(ctx context.Context, priceID string, price *stripe.Price) error {
	if price == nil || price.Metadata[metaPriceID] != "" {
		return nil
	}
	params := &stripe.PriceUpdateParams{Metadata: newMetadata(metaPriceID, priceID)}
	params.SetIdempotencyKey(newKey())
	_, err := p.stripe.V1Prices.Update(ctx, price.ID, params)
	return p.logFault(ctx, "mark price", err)
}

// priceParams returns the parameters that create the offer's price and transfer the lookup key to it. The idempotency key
// is derived from the content, so that concurrent pushes create one price.
func priceParams(o offer, productID string, oldPrice *stripe.Price) (*stripe.PriceCreateParams, error) {
	lookupKey := o.lookupKey()
	params := &stripe.PriceCreateParams{
		Product: &productID, LookupKey: &lookupKey, Nickname: &lookupKey, TransferLookupKey: new(true),
		Recurring: &stripe.PriceCreateRecurringParams{Interval: stripe.String(stripeInterval(o.interval))},
		Metadata:  newMetadata(metaPriceID, lookupKey),
	}
	content := []string{"price", lookupKey, productID}
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

func (p *Provider) archivePrice(ctx context.Context, id string) error {
	params := &stripe.PriceUpdateParams{Active: new(false)}
	params.SetIdempotencyKey(newKey())
	_, err := p.stripe.V1Prices.Update(ctx, id, params)
	return p.logFault(ctx, "archive price", err)
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
func (p *Provider) productSteps(offers []offer, inventory stripeInventory) []pushStep {
	var steps []pushStep
	isChecked := map[string]bool{}
	for _, o := range offers {
		id := inventory.productID(o)
		if isChecked[id] {
			continue
		}
		isChecked[id] = true
		product, exists := inventory.products[id]
		switch {
		case !exists:
			steps = append(steps, pushStep{
				diffs: productDiffs(o, "has no product"),
				apply: func(ctx context.Context) error { return p.createProduct(ctx, id, o.plan) },
			})
		case product.Metadata[metaPlan] == o.plan.ID && !matchesPlan(product, o.plan):
			steps = append(steps,
				pushStep{diffs: productDiffs(o, "has a product with another name or description, or an archived one"),
					apply: func(ctx context.Context) error { return p.updateProduct(ctx, id, o.plan) }})
		}
	}
	return steps
}

func matchesPlan(product *stripe.Product, plan catalogue.Plan) bool {
	return product.Active && product.Name == plan.Name && product.Description == plan.Description
}

func (p *Provider) createProduct(ctx context.Context, id string, plan catalogue.Plan) error {
	params := &stripe.ProductCreateParams{
		ID: &id, Name: &plan.Name, Description: optionalString(plan.Description), Metadata: newMetadata(metaPlan, plan.ID),
	}
	params.SetIdempotencyKey(contentKey("product", id, plan.Name, plan.Description))
	_, err := p.stripe.V1Products.Create(ctx, params)
	return p.logFault(ctx, "create product", err)
}

func (p *Provider) updateProduct(ctx context.Context, id string, plan catalogue.Plan) error {
	params := &stripe.ProductUpdateParams{Name: &plan.Name, Description: &plan.Description, Active: new(true)}
	params.SetIdempotencyKey(newKey())
	_, err := p.stripe.V1Products.Update(ctx, id, params)
	return p.logFault(ctx, "update product", err)
}

func productDiffs(o offer, problem string) []plugin.PriceDiff {
	return []plugin.PriceDiff{{Subject: o.plan.ID, Problem: problem}}
}
