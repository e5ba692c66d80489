package catalogue

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/vc-admin/diy/domain/catalogue/internal/strictjson"
	"github.com/vc-admin/diy/domain/money"
)

// Catalogue is the set of plans, prices and defaults. It is immutable and safe for concurrent use;
// its methods return copies.
type Catalogue struct {
	plans           []Plan
	rows            []ComparisonRow
	currencies      []money.Currency
	prices          map[PriceRef]money.Amount // without an entry for a price on application
	taxes           map[string]Tax            // by currency
	defaultCurrency string
	defaultInterval Interval
	defaultCountry  string
}

//go:embed data/catalogue.json
var embeddedJSON string

// DefaultJSON returns the text of the embedded catalogue, which Load and Parse accept.
func DefaultJSON() string { return embeddedJSON }

// Default returns the embedded catalogue. Invalid data is a programming error that the tests find,
// so it panics.
var Default = sync.OnceValue(func() *Catalogue {
	c, err := Parse([]byte(embeddedJSON))
	if err != nil {
		panic("catalogue: " + err.Error())
	}
	return c
})

// Load reads a catalogue file; see Parse.
func Load(r io.Reader) (*Catalogue, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	return Parse(data)
}

// Parse reads a catalogue in the format of data/catalogue.json. It reports all problems together, as
// an Invalid fault with a line in its message and a field for each problem.
func Parse(data []byte) (*Catalogue, error) {
	var problems strictjson.Problems
	c := readCatalogue(strictjson.Read(data, &problems))
	if err := problems.Err("the catalogue"); err != nil {
		return nil, err
	}
	return c, nil
}

// Plans returns the plans in display order.
func (c *Catalogue) Plans() []Plan {
	plans := make([]Plan, len(c.plans))
	for i, p := range c.plans {
		plans[i] = p.clone()
	}
	return plans
}

// Plan returns the plan with the id.
func (c *Catalogue) Plan(id string) (Plan, bool) {
	i := slices.IndexFunc(c.plans, func(p Plan) bool { return p.ID == id })
	if i < 0 {
		return Plan{}, false
	}
	return c.plans[i].clone(), true
}

// PlanName returns the display name of the plan with the id, or the id if the plan is not in the catalogue any
// more.
func (c *Catalogue) PlanName(id string) string {
	if plan, ok := c.Plan(id); ok {
		return plan.DisplayName
	}
	return id
}

// WithoutTrials returns a copy of the catalogue with plans that have no trial.
func (c *Catalogue) WithoutTrials() *Catalogue {
	result := *c
	result.plans = c.Plans()
	for i := range result.plans {
		result.plans[i].TrialPeriodDays = 0
	}
	return &result
}

// ComparisonRows returns the rows of the plan comparison in display order, including those with Include false.
func (c *Catalogue) ComparisonRows() []ComparisonRow { return slices.Clone(c.rows) }

// Currencies returns the currencies of the prices in display order.
func (c *Catalogue) Currencies() []money.Currency { return slices.Clone(c.currencies) }

// SupportsCurrency reports whether there are prices in the currency. The code is in upper or lower case.
func (c *Catalogue) SupportsCurrency(code string) bool {
	currency, known := money.ByCode(code)
	return known && slices.Contains(c.currencies, currency)
}

// DefaultCurrency returns the code of the preselected currency, one of Currencies.
func (c *Catalogue) DefaultCurrency() string { return c.defaultCurrency }

// DefaultInterval returns the preselected interval.
func (c *Catalogue) DefaultInterval() Interval { return c.defaultInterval }

// DefaultCountry returns the country that is preselected in a registration, as an ISO 3166 alpha-2 code.
func (c *Catalogue) DefaultCountry() string { return c.defaultCountry }
