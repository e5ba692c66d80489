package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

// Line is a line of an invoice.
type Line struct {
	Price     catalogue.PriceRef
	Amount    int64 // minor units; negative for unused time
	Start     time.Time
	End       time.Time
	Proration bool // Amount is for a part of a period
}

// PeriodLines returns the lines of the invoice for the current period. A trial costs nothing.
func (s Subscription) PeriodLines() []Line {
	line := Line{Price: s.Price, Amount: s.Amount, Start: s.PeriodStart, End: s.PeriodEnd}
	if s.Status == billing.Trialing {
		line.Amount = 0
	}
	return []Line{line}
}

// Total returns the sum of the lines.
func Total(lines []Line) int64 {
	var sum int64
	for _, l := range lines {
		sum += l.Amount
	}
	return sum
}

// ApplyCredit deducts a customer's credit from the total of an invoice. It returns the amount due,
// the credit used and the credit left. A negative total increases the credit.
func ApplyCredit(total, credit int64) (due, used, left int64) {
	rest := total - credit
	left = max(-rest, 0)
	return max(rest, 0), max(credit-left, 0), left
}
