package catalogue

import (
	"fmt"

	"github.com/vc-admin/diy/domain/money"
)

const monthsPerYear = 12

// PerMonth is the figure shown big on a plan: the monthly price, or a twelfth of the yearly one.
// It is for show only; what is charged is Price. Its errors are Price's.
func (c *Catalogue) PerMonth(ref PriceRef) (money.Amount, error) {
	price, err := c.Price(ref)
	if err != nil || ref.Interval == Monthly {
		return price, err
	}
	return price.Div(monthsPerYear)
}

// Annual is what a year costs: the yearly price, or twelve monthly ones. Its errors are Price's.
func (c *Catalogue) Annual(ref PriceRef) (money.Amount, error) {
	price, err := c.Price(ref)
	if err != nil || ref.Interval == Yearly {
		return price, err
	}
	return price.Mul(monthsPerYear)
}

// Note is the line under a plan, "Free 7-day trial $816 paid annually"; without the trial's part
// when the plan has none. Its errors are Price's.
func (c *Catalogue) Note(ref PriceRef) (string, error) {
	annual, err := c.Annual(ref)
	if err != nil {
		return "", err
	}
	note := annual.FormatWithSymbol() + " paid annually"
	if plan, _ := c.Plan(ref.Product); plan.TrialPeriodDays > 0 {
		note = fmt.Sprintf("Free %d-day trial %s", plan.TrialPeriodDays, note)
	}
	return note, nil
}
