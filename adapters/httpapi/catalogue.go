package httpapi

import (
	"encoding/json"

	"github.com/vc-admin/diy/domain/catalogue"
)

type catalogueWire struct {
	Plans  []planWire                           `json:"plans"`
	Rows   []rowWire                            `json:"rows"`
	Prices map[string]map[string]priceEntryWire `json:"prices"`
	Taxes  map[string]taxWire                   `json:"taxes"`
}

// taxWire is the tax that the prices in a currency include.
type taxWire struct {
	Name       string      `json:"name"`
	Percentage json.Number `json:"percentage"`
}

type planWire struct {
	ID              string         `json:"id"`
	Name            string         `json:"name"`
	DisplayName     string         `json:"displayName"`
	Description     string         `json:"description"`
	Disabled        bool           `json:"disabled"`
	TrialPeriodDays int            `json:"trialPeriodDays"`
	Capabilities    map[string]any `json:"capabilities"`
}

type rowWire struct {
	Name      string `json:"name"`
	Label     string `json:"label"`
	Include   bool   `json:"include"`
	Condition bool   `json:"condition,omitempty"`
	Secondary string `json:"secondary,omitempty"`
}

type priceEntryWire struct {
	Monthly *int64 `json:"monthly"`
	Yearly  *int64 `json:"yearly"`
}

func toCatalogueWire(c *catalogue.Catalogue) catalogueWire {
	wire := catalogueWire{
		Plans:  mapEach(c.Plans(), toPlanWire),
		Rows:   mapEach(c.Rows(), func(r catalogue.Row) rowWire { return rowWire(r) }),
		Prices: map[string]map[string]priceEntryWire{},
		Taxes:  map[string]taxWire{},
	}
	for _, currency := range c.Currencies() {
		if tax, taxed := c.Tax(currency.Code); taxed {
			wire.Taxes[currency.Code] = taxWire{Name: tax.Name, Percentage: json.Number(tax.Percentage())}
		}
	}
	for _, plan := range c.Plans() {
		wire.Prices[plan.ID] = toPricesWire(c, plan.ID)
	}
	return wire
}

func toPlanWire(p catalogue.Plan) planWire {
	wire := planWire{
		ID: p.ID, Name: p.Name, DisplayName: p.DisplayName, Description: p.Description,
		Disabled: p.Disabled, TrialPeriodDays: p.TrialPeriodDays, Capabilities: map[string]any{},
	}
	for name, value := range p.Capabilities {
		wire.Capabilities[name] = value.Any()
	}
	return wire
}

func toPricesWire(c *catalogue.Catalogue, product string) map[string]priceEntryWire {
	prices := map[string]priceEntryWire{}
	for _, currency := range c.Currencies() {
		prices[currency.Code] = priceEntryWire{
			Monthly: minorUnits(c, catalogue.PriceRef{Product: product, Interval: catalogue.Monthly, Currency: currency.Code}),
			Yearly:  minorUnits(c, catalogue.PriceRef{Product: product, Interval: catalogue.Yearly, Currency: currency.Code}),
		}
	}
	return prices
}

// minorUnits returns the price in minor units, nil if there is none.
func minorUnits(c *catalogue.Catalogue, ref catalogue.PriceRef) *int64 {
	amount, err := c.Price(ref)
	if err != nil {
		return nil
	}
	minor := amount.Minor()
	return &minor
}
