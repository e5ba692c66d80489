package stripepayment

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// metaTaxCurrency holds the currency whose prices include the tax rate. It marks the tax rates as ours.
const metaTaxCurrency = "prices_in"

// taxRateCache caches the ids of the tax rates by currency.
type taxRateCache struct {
	mu            sync.Mutex
	idsByCurrency map[string]string
}

func (t *taxRateCache) get(currency string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.idsByCurrency[currency]
}

func (t *taxRateCache) replace(idsByCurrency map[string]string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.idsByCurrency = idsByCurrency
}

// taxRateIDsOfCurrency returns the id of the tax rate that prices in the currency include, if they include any. A tax
// rate changes only the text of invoices and no amount. A missing tax rate is therefore logged and does not prevent a
// purchase.
func (p *Provider) taxRateIDsOfCurrency(ctx context.Context, currency string) ([]*string, error) {
	if _, ok := p.Catalogue.Tax(currency); !ok {
		return nil, nil
	}
	id := p.taxRates.get(currency)
	if id == "" {
		rates, err := p.readTaxRates(ctx)
		if err != nil {
			return nil, err
		}
		id = p.matchTaxRates(rates)[currency]
	}
	if id == "" {
		p.Log.ErrorContext(ctx, "a tax rate of the catalogue is missing at stripe", "currency", currency)
		return nil, nil
	}
	return []*string{&id}, nil
}

// readTaxRates returns our active tax rates.
func (p *Provider) readTaxRates(ctx context.Context) ([]*stripe.TaxRate, error) {
	params := &stripe.TaxRateListParams{Active: new(true), Inclusive: new(true)}
	params.Limit = new(int64(pageSize))
	var rates []*stripe.TaxRate
	for rate, err := range p.stripe.V1TaxRates.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.logFault(ctx, "list tax rates", err)
		}
		if rate.Metadata[metaTaxCurrency] != "" {
			rates = append(rates, rate)
		}
	}
	return rates, nil
}

// matchTaxRates returns the ids of the rates that match the catalogue, by currency, and caches them.
func (p *Provider) matchTaxRates(rates []*stripe.TaxRate) map[string]string {
	ids := map[string]string{}
	for _, rate := range rates {
		currency := rate.Metadata[metaTaxCurrency]
		if tax, ok := p.Catalogue.Tax(currency); ok && ids[currency] == "" && matchesTax(rate, tax) {
			ids[currency] = rate.ID
		}
	}
	p.taxRates.replace(ids)
	return ids
}

func matchesTax(rate *stripe.TaxRate, tax catalogue.Tax) bool {
	return rate.Inclusive && rate.DisplayName == tax.Name &&
		strconv.FormatFloat(rate.Percentage, 'f', -1, 64) == tax.Percentage()
}

// taxRateSteps returns the steps that create missing tax rates and archive those that differ. The percentage of a tax
// rate can't be changed. An archived tax rate stays on the subscriptions that have it.
func (p *Provider) taxRateSteps(rates []*stripe.TaxRate) []pushStep {
	currentIDs := p.matchTaxRates(rates)
	var steps []pushStep
	for _, currency := range p.Catalogue.Currencies() {
		if tax, ok := p.Catalogue.Tax(currency.Code); ok && currentIDs[currency.Code] == "" {
			steps = append(steps,
				pushStep{diffs: taxRateDiffs(currency.Code, "is missing"),
					apply: func(ctx context.Context) error { return p.createTaxRate(ctx, currency.Code, tax) }})
		}
	}
	for _, rate := range rates {
		if currency := rate.Metadata[metaTaxCurrency]; currentIDs[currency] != rate.ID {
			steps = append(steps,
				pushStep{diffs: taxRateDiffs(currency, "was replaced, and "+rate.ID+" is not archived yet"),
					apply: func(ctx context.Context) error { return p.archiveTaxRate(ctx, rate.ID) }})
		}
	}
	return steps
}

func (p *Provider) createTaxRate(ctx context.Context, currency string, tax catalogue.Tax) error {
	percentage, err := strconv.ParseFloat(tax.Percentage(), 64)
	if err != nil {
		return err
	}
	params := &stripe.TaxRateCreateParams{
		DisplayName: &tax.Name, Percentage: &percentage, Inclusive: new(true),
		Metadata: newMetadata(metaTaxCurrency, currency),
	}
	params.SetIdempotencyKey(newKey())
	_, err = p.stripe.V1TaxRates.Create(ctx, params)
	return p.logFault(ctx, "create tax rate", err)
}

func (p *Provider) archiveTaxRate(ctx context.Context, id string) error {
	params := &stripe.TaxRateUpdateParams{Active: new(false)}
	params.SetIdempotencyKey(newKey())
	_, err := p.stripe.V1TaxRates.Update(ctx, id, params)
	return p.logFault(ctx, "archive tax rate", err)
}

func taxRateDiffs(currency, problem string) []plugin.PriceDiff {
	return []plugin.PriceDiff{{Subject: "tax_" + strings.ToLower(currency), Problem: problem}}
}
