package stripepayment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/ports/payment/plugin"
)

// priceSteps makes the offer's price when it is missing or differs, and archives what it replaces.
func (p *Provider) priceSteps(o offer, stock inventory) []step {
	old := stock.prices[o.key()]
	var steps []step
	if drifts := driftsOf(o, old); len(drifts) > 0 {
		steps = append(steps, step{mends: drifts, do: p.replacePrice(o, stock.productID(o), old)})
	}
	for _, spare := range stock.spares[o.key()] {
		steps = append(steps, step{
			mends: []plugin.PriceDiff{{Subject: o.key(), Problem: "was replaced, and " + spare.ID + " is not archived yet"}},
			do:    p.archive(spare.ID),
		})
	}
	return steps
}

// replacePrice makes the new price first: at no moment is there none.
func (p *Provider) replacePrice(o offer, product string, old *stripe.Price) func(context.Context) error {
	return func(ctx context.Context) error {
		params, err := newPrice(o, product, old)
		if err != nil {
			return err
		}
		if _, err := p.stripe.V1Prices.Create(ctx, params); err != nil {
			return p.fault(ctx, "create price", err)
		}
		p.prices.forget(o.key())
		if old == nil || !old.Active {
			return nil
		}
		return p.archive(old.ID)(ctx)
	}
}

// newPrice takes the lookup key from whichever price has it. The key of the request stands for all
// of its content, so that two pushes at once make one price.
func newPrice(o offer, product string, old *stripe.Price) (*stripe.PriceCreateParams, error) {
	lookup := o.key()
	params := &stripe.PriceCreateParams{
		Product: &product, LookupKey: &lookup, Nickname: &lookup, TransferLookupKey: new(true),
		Recurring: &stripe.PriceCreateRecurringParams{Interval: stripe.String(recurrence(o.interval))},
		Metadata:  metadata(metaPrice, lookup),
	}
	content := []string{"price", lookup, product}
	if old != nil {
		content = append(content, old.ID)
	}
	for _, amount := range o.amounts {
		units, err := unitsOf(amount)
		if err != nil {
			return nil, err
		}
		addAmount(params, amount.Currency().Code, units)
		content = append(content, amount.String())
	}
	params.IdempotencyKey = contentKey(content...)
	return params, nil
}

// addAmount gives the price its own amount, or one more currency to be paid in.
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

func (p *Provider) archive(id string) func(context.Context) error {
	return func(ctx context.Context) error {
		params := &stripe.PriceUpdateParams{Active: new(false)}
		params.SetIdempotencyKey(freshKey())
		_, err := p.stripe.V1Prices.Update(ctx, id, params)
		return p.fault(ctx, "archive price", err)
	}
}

// contentKey is the same key for the same content only.
func contentKey(parts ...string) *string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	key := "catalogue-" + hex.EncodeToString(sum[:])
	return &key
}
