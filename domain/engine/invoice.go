package engine

import (
	"fmt"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// Line is a line of an invoice. It can be stored as JSON.
type Line struct {
	Price     catalogue.PriceRef `json:"price"`
	Amount    int64              `json:"amount"` // minor units; negative for unused time
	Start     time.Time          `json:"start"`
	End       time.Time          `json:"end"`
	Proration bool               `json:"proration,omitempty"` // Amount is for a part of a period
	Unused    bool               `json:"unused,omitempty"`    // a credit for the rest of a period at the former price
	Returned  bool               `json:"returned,omitempty"`  // the part of Unused lines whose payment was returned
	Trial     bool               `json:"trial,omitempty"`
}

// BillingLine returns the line with a description for the customer. plan is the name of the price's plan.
func (l Line) BillingLine(plan string) (billing.Line, error) {
	description := plan
	switch {
	case l.Unused:
		description = "Unused time on " + plan
	case l.Returned:
		description = ReturnedLineDescription(plan)
	case l.Trial:
		description = "Free trial of " + plan
	}
	amount, err := money.New(l.Amount, l.Price.Currency)
	return billing.Line{
		Description: description, Price: l.Price, Amount: amount, Start: l.Start, End: l.End, Proration: l.Proration,
	}, err
}

// ReturnedLineDescription returns the description of the line with which a plan change deducts returned payments from the
// unused time on the plan.
func ReturnedLineDescription(plan string) string { return "Refunded part of " + plan }

// BillingLines returns the lines with descriptions for the customer. planName returns the name of a plan.
func BillingLines(lines []Line, planName func(id string) string) []billing.Line {
	billingLines := make([]billing.Line, len(lines))
	for i, line := range lines {
		billingLine, err := line.BillingLine(planName(line.Price.Product))
		if err != nil {
			panic(fmt.Sprintf("engine: a line in %s: %v", line.Price.Currency, err)) // the price was sold, so its currency is known
		}
		billingLines[i] = billingLine
	}
	return billingLines
}

// PeriodLines returns the lines of the invoice for the current period. A trial costs nothing.
func (s Subscription) PeriodLines() []Line {
	line := Line{Price: s.Price, Amount: s.Amount, Start: s.PeriodStart, End: s.PeriodEnd}
	if s.Status == billing.Trialing {
		line.Amount, line.Trial = 0, true
	}
	return []Line{line}
}

// RenewalTotal returns the total of the invoice for the next period, before credit.
func (s Subscription) RenewalTotal() int64 { return Total(s.Renew().PeriodLines()) }

// Total returns the sum of the lines.
func Total(lines []Line) int64 {
	var sum int64
	for _, l := range lines {
		sum += l.Amount
	}
	return sum
}

// InvoiceDraft contains the amounts of an invoice before it is issued. Amounts are in minor units, and
// Total = AmountDue + CreditBefore - CreditAfter - Withdrawn. Credit is negative when the customer owes an amount that was
// too small to be charged.
type InvoiceDraft struct {
	Lines                     []Line
	Total                     int64 // the sum of the lines; negative when it becomes credit
	AmountDue                 int64 // the amount to charge now
	CreditBefore, CreditAfter int64
	Withdrawn                 int64 // the credit that Withdraw has withdrawn
}

// NewInvoiceDraft deducts the customer's credit from the total of the lines. A negative total increases the
// credit. An amount below the minimum is not charged, and is due with the next invoice. CreditAfter is the
// customer's credit after the invoice is issued; when the invoice is voided, the customer gets
// CreditBefore - CreditAfter back.
func NewInvoiceDraft(lines []Line, credit, minimum int64) InvoiceDraft {
	d := InvoiceDraft{Lines: lines, Total: Total(lines), CreditBefore: credit}
	if remainingAmount := d.Total - credit; remainingAmount > 0 && remainingAmount >= minimum {
		d.AmountDue = remainingAmount
	} else {
		d.CreditAfter = -remainingAmount
	}
	return d
}

// CarriedForward returns the amount that an invoice leaves to the next one because it is too small to be charged. It is
// the amount by which the customer's debt, a negative credit, has increased.
func CarriedForward(creditBefore, creditAfter int64) int64 {
	return max(0, max(0, -creditAfter)-max(0, -creditBefore))
}

// Withdraw withdraws the owed amount from the credit that the invoice creates, but at most the whole new credit, and
// returns the draft; see ReturnedPayment.OwedAmount.
func (d InvoiceDraft) Withdraw(owed int64) InvoiceDraft {
	newCredit := d.CreditAfter - max(d.CreditBefore, 0)
	d.Withdrawn = max(0, min(newCredit, owed))
	d.CreditAfter -= d.Withdrawn
	return d
}

// MinimumCharge returns the smallest amount that Stripe charges in the currency, in minor units. It returns 0 if Stripe
// documents none. See https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts.
func MinimumCharge(currency string) int64 { return minimumCharges[currency] }

var minimumCharges = map[string]int64{
	"AED": 200, "AUD": 50, "BGN": 100, "BRL": 50, "CAD": 50, "CHF": 50, "CZK": 1500, "DKK": 250, "EUR": 50, "GBP": 30,
	"HKD": 400, "HUF": 17500, "INR": 50, "JPY": 50, "MXN": 1000, "MYR": 200, "NOK": 300, "NZD": 50, "PLN": 200,
	"RON": 200, "SEK": 300, "SGD": 50, "THB": 1000, "USD": 50,
}
