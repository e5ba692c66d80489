package catalogue

import (
	"slices"

	"github.com/vc-admin/diy/domain/money"
)

// Catalogue is everything that is for sale. It never changes once loaded, so any number of
// goroutines may ask it; what it returns is the caller's own.
type Catalogue struct {
	plans           []Plan
	rows            []Row
	currencies      []money.Currency
	prices          map[PriceRef]money.Amount // no entry where the table says null
	defaultCurrency string
	defaultInterval Interval
	defaultCountry  string
}

// Plans returns the plans, in the order they are shown.
func (c *Catalogue) Plans() []Plan {
	plans := make([]Plan, len(c.plans))
	for i, p := range c.plans {
		plans[i] = p.clone()
	}
	return plans
}

// Plan finds a plan by its id.
func (c *Catalogue) Plan(id string) (Plan, bool) {
	i := slices.IndexFunc(c.plans, func(p Plan) bool { return p.ID == id })
	if i < 0 {
		return Plan{}, false
	}
	return c.plans[i].clone(), true
}

// Rows returns the rows of the comparison, in the order they are shown; those that are not
// included are among them.
func (c *Catalogue) Rows() []Row { return slices.Clone(c.rows) }

// Currencies returns the currencies that prices are in, in the order they are offered.
func (c *Catalogue) Currencies() []money.Currency { return slices.Clone(c.currencies) }

// Supports reports whether prices are to be had in the currency, given in either case.
func (c *Catalogue) Supports(code string) bool {
	currency, known := money.ByCode(code)
	return known && slices.Contains(c.currencies, currency)
}

// DefaultCurrency is the currency to begin with: one of Currencies.
func (c *Catalogue) DefaultCurrency() string { return c.defaultCurrency }

// DefaultInterval is the interval to begin with.
func (c *Catalogue) DefaultInterval() Interval { return c.defaultInterval }

// DefaultCountry is the country a registration begins with, as an ISO 3166 alpha-2 code.
func (c *Catalogue) DefaultCountry() string { return c.defaultCountry }
