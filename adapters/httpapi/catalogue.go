package httpapi

import (
	"encoding/json"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

type catalogueWire struct {
	Plans  []planWire                           `json:"plans"`
	Rows   []comparisonRowWire                  `json:"rows"`
	Prices map[string]map[string]priceEntryWire `json:"prices"`
	Taxes  map[string]taxWire                   `json:"taxes"`
}

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
	MostChosen      bool           `json:"mostChosen,omitempty"`
	TrialPeriodDays int            `json:"trialPeriodDays"`
	Capabilities    map[string]any `json:"capabilities"`
}

type comparisonRowWire struct {
	Name      string `json:"name"`
	Label     string `json:"label"`
	Include   bool   `json:"include"`
	Condition bool   `json:"condition,omitempty"`
	Secondary string `json:"secondary,omitempty"`
}

// priceEntryWire contains the prices of a plan in one currency and the figures that are displayed with them, in
// minor units.
type priceEntryWire struct {
	intervalAmountsWire
	PerMonth     intervalAmountsWire `json:"perMonth"`
	Annual       intervalAmountsWire `json:"annual"`
	YearlySaving int                 `json:"yearlySaving"` // in percent
}

// intervalAmountsWire contains an amount for each interval, null for a price on application.
type intervalAmountsWire struct {
	Monthly *int64 `json:"monthly"`
	Yearly  *int64 `json:"yearly"`
}

func toCatalogueWire(c *catalogue.Catalogue) catalogueWire {
	wire := catalogueWire{
		Plans:  mapEach(c.Plans(), toPlanWire),
		Rows:   mapEach(c.ComparisonRows(), toComparisonRowWire),
		Prices: map[string]map[string]priceEntryWire{},
		Taxes:  map[string]taxWire{},
	}
	for _, currency := range c.Currencies() {
		if tax, ok := c.Tax(currency.Code); ok {
			wire.Taxes[currency.Code] = taxWire{Name: tax.Name, Percentage: json.Number(tax.Percentage())}
		}
	}
	for _, plan := range c.Plans() {
		wire.Prices[plan.ID] = toPricesWire(c, plan.ID)
	}
	return wire
}

func toComparisonRowWire(r catalogue.ComparisonRow) comparisonRowWire { return comparisonRowWire(r) }

func toPlanWire(p catalogue.Plan) planWire {
	wire := planWire{
		ID: p.ID, Name: p.Name, DisplayName: p.DisplayName, Description: p.Description,
		Disabled: p.Disabled, MostChosen: p.MostChosen, TrialPeriodDays: p.TrialPeriodDays, Capabilities: map[string]any{},
	}
	for name, value := range p.Capabilities {
		wire.Capabilities[name] = value.Any()
	}
	return wire
}

func toPricesWire(c *catalogue.Catalogue, product string) map[string]priceEntryWire {
	prices := map[string]priceEntryWire{}
	for _, currency := range c.Currencies() {
		amounts := func(find func(catalogue.PriceRef) (money.Amount, error)) intervalAmountsWire {
			return toIntervalAmountsWire(product, currency.Code, find)
		}
		prices[currency.Code] = priceEntryWire{
			intervalAmountsWire: amounts(c.Price), PerMonth: amounts(c.PerMonth), Annual: amounts(c.PerYear),
			YearlySaving: c.YearlySaving(product, currency.Code),
		}
	}
	return prices
}

// toIntervalAmountsWire calls find for the monthly and the yearly price of the product in the currency.
func toIntervalAmountsWire(
	product, currency string, find func(catalogue.PriceRef) (money.Amount, error),
) intervalAmountsWire {
	amountOf := func(interval catalogue.Interval) *int64 {
		amount, _ := find(catalogue.PriceRef{Product: product, Interval: interval, Currency: currency}) // zero without a price
		return minorUnits(amount)
	}
	return intervalAmountsWire{Monthly: amountOf(catalogue.Monthly), Yearly: amountOf(catalogue.Yearly)}
}
