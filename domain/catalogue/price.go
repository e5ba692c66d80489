package catalogue

import (
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

const monthsPerYear = 12

// Interval is the billing interval of a price.
type Interval string

// The intervals that are sold.
const (
	Monthly Interval = "monthly"
	Yearly  Interval = "yearly"
)

var allIntervals = []Interval{Monthly, Yearly}

// Intervals returns all intervals, shortest first.
func Intervals() []Interval { return slices.Clone(allIntervals) }

// ParseInterval parses "monthly" or "yearly"; anything else is Invalid in the field "interval".
func ParseInterval(text string) (Interval, error) {
	if i := Interval(text); slices.Contains(allIntervals, i) {
		return i, nil
	}
	var f fault.Fields
	f.Add("interval", "Interval must be monthly or yearly")
	return "", f.Err()
}

// Months returns the number of calendar months of the interval, or 0 for an unknown interval.
func (i Interval) Months() int {
	switch i {
	case Monthly:
		return 1
	case Yearly:
		return monthsPerYear
	}
	return 0
}

// AddTo returns the time n intervals after t, in UTC. The day is that of t, or the last day of a shorter month. For
// example, 31 January is followed by 28 February and 31 March.
func (i Interval) AddTo(t time.Time, n int) time.Time {
	t = t.UTC()
	first := time.Date(t.Year(), t.Month()+time.Month(n*i.Months()), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	lastDay := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), lastDay)-1)
}

// PerMonth converts the price of one interval to a price per month. The result for a yearly price is rounded and for
// display only.
func (i Interval) PerMonth(price money.Amount) (money.Amount, error) {
	if i == Monthly {
		return price, nil
	}
	return price.Div(monthsPerYear)
}

// PerYear converts the price of one interval to a price per year.
func (i Interval) PerYear(price money.Amount) (money.Amount, error) {
	if i == Yearly {
		return price, nil
	}
	return price.Mul(monthsPerYear)
}

// PriceRef identifies a price: a plan, an interval and a currency.
type PriceRef struct {
	Product  string // the plan's id, such as "professional"
	Interval Interval
	Currency string // ISO 4217, upper case
}

// PriceID returns the id of the price without its currency, such as "professional_yearly". It is the
// price's lookup key at the payment provider.
func (p PriceRef) PriceID() string { return p.Product + "_" + string(p.Interval) }

// ParsePriceID splits an id such as "professional_yearly" into plan and interval. It does not check
// whether the plan exists.
func ParsePriceID(id string) (product string, interval Interval, err error) {
	product, intervalText, _ := strings.Cut(id, "_")
	interval, err = ParseInterval(intervalText)
	if err != nil || !ValidPlanID(product) {
		var f fault.Fields
		f.Add("priceId", "Unknown price")
		return "", "", f.Err()
	}
	return product, interval, nil
}

// Price returns the amount charged per interval. It returns NotFound when the plan, interval or currency
// is unknown or the price is on application.
func (c *Catalogue) Price(ref PriceRef) (money.Amount, error) {
	if currency, isKnown := money.ByCode(ref.Currency); isKnown {
		ref.Currency = currency.Code
	}
	amount, found := c.prices[ref]
	if !found {
		return money.Amount{}, fault.New(fault.NotFound, "There is no such price")
	}
	return amount, nil
}

// PerMonth returns the monthly price, or a twelfth of the yearly one, rounded. It is for display
// only; the customer is charged the amount of Price. It returns the errors of Price.
func (c *Catalogue) PerMonth(ref PriceRef) (money.Amount, error) {
	price, err := c.Price(ref)
	if err != nil {
		return price, err
	}
	return ref.Interval.PerMonth(price)
}

// PerYear returns the yearly price, or twelve times the monthly one. It returns the errors of Price.
func (c *Catalogue) PerYear(ref PriceRef) (money.Amount, error) {
	price, err := c.Price(ref)
	if err != nil {
		return price, err
	}
	return ref.Interval.PerYear(price)
}

// YearlySaving returns how much a customer saves with the yearly price compared with twelve monthly prices, in whole
// percent, rounded down. It returns 0 if the yearly price saves nothing or a price is missing.
func (c *Catalogue) YearlySaving(product, currency string) int {
	year, errYear := c.Price(PriceRef{Product: product, Interval: Yearly, Currency: currency})
	months, errMonths := c.PerYear(PriceRef{Product: product, Interval: Monthly, Currency: currency})
	if errYear != nil || errMonths != nil || months.Minor() <= year.Minor() {
		return 0
	}
	return int((months.Minor() - year.Minor()) * 100 / months.Minor())
}

// CheckEnabled returns nil when the price can be bought: its plan is enabled and has an amount. Otherwise
// the error is Invalid in the fields priceId, interval and currency.
func (c *Catalogue) CheckEnabled(ref PriceRef) error {
	var f fault.Fields
	plan, found := c.Plan(ref.Product)
	f.Check(found, "priceId", "Unknown plan")
	f.Check(!plan.Disabled, "priceId", plan.DisplayName+" is not sold here, please contact us")
	if _, err := ParseInterval(string(ref.Interval)); err != nil {
		f.Add("interval", fault.MessageOf(err))
	}
	f.Check(c.SupportsCurrency(ref.Currency), "currency", "Currency must be one of "+c.currencyCodes())
	return f.Err()
}

// ResolvePrice returns the enabled price with an id such as "professional_yearly". The interval must match
// the id; the currency may be in upper or lower case. It returns the errors of CheckEnabled.
func (c *Catalogue) ResolvePrice(priceID, interval, currency string) (PriceRef, error) {
	product, idInterval, err := ParsePriceID(priceID)
	if err != nil {
		return PriceRef{}, err
	}
	ref := PriceRef{Product: product, Interval: Interval(interval), Currency: currency}
	if currency, isKnown := money.ByCode(currency); isKnown {
		ref.Currency = currency.Code
	}
	if err := c.CheckEnabled(ref); err != nil {
		return PriceRef{}, err
	}
	if idInterval != ref.Interval {
		var f fault.Fields
		f.Add("interval", "Interval does not belong to the price")
		return PriceRef{}, f.Err()
	}
	return ref, nil
}

// currencyCodes lists the supported currencies for a message: "USD, NZD, AUD".
func (c *Catalogue) currencyCodes() string {
	var codes []string
	for _, currency := range c.currencies {
		codes = append(codes, currency.Code)
	}
	return strings.Join(codes, ", ")
}
