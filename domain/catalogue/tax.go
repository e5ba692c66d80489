package catalogue

import (
	"strconv"
	"strings"

	"github.com/vc-admin/diy/domain/catalogue/internal/strictjson"
	"github.com/vc-admin/diy/domain/money"
)

// Tax is the tax that all prices in a currency include. Each currency has one rate, which applies to all
// customers who pay in that currency.
type Tax struct {
	Name string // the name on invoices, such as "GST" or "VAT"
	// Rate is in millionths of the net price: 100000 is 10 %.
	Rate int64
}

const (
	rateUnit        = 1_000_000 // a Tax.Rate of 100 %
	ratePerPercent  = rateUnit / 100
	maxTaxName      = 20 // characters
	percentDecimals = 4  // the precision of Tax.Rate as a percentage
)

// Percentage returns the rate as a decimal without a percent sign: "10", "8.1".
func (t Tax) Percentage() string {
	whole, rest := t.Rate/ratePerPercent, t.Rate%ratePerPercent
	text := strconv.FormatInt(whole, 10)
	if rest == 0 {
		return text
	}
	decimals := strconv.FormatInt(ratePerPercent+rest, 10)[1:]
	return text + "." + strings.TrimRight(decimals, "0")
}

// Label returns the text for invoices: "GST 10 %". It is "" for the zero Tax.
func (t Tax) Label() string {
	if t == (Tax{}) {
		return ""
	}
	return t.Name + " " + t.Percentage() + " %"
}

// Tax returns the tax that prices in the currency include, or false if they include none. The code is in upper
// or lower case.
func (c *Catalogue) Tax(code string) (Tax, bool) {
	currency, _ := money.ByCode(code)
	tax, found := c.taxes[currency.Code]
	return tax, found
}

// TaxIncluded returns the part of an amount that is tax, rounded half away from zero to the minor unit. For
// example, 110 dollars include 10 dollars of GST at a rate of 10 %. The result is zero in a currency without
// tax, and negative for a negative amount.
func (c *Catalogue) TaxIncluded(amount money.Amount) money.Amount {
	rate := c.taxes[amount.Currency().Code].Rate
	part, err := amount.Scale(rate, rateUnit+rate)
	if err != nil { // impossible, because the part is smaller than the amount
		panic("catalogue: " + err.Error())
	}
	return part
}

// readTaxes reads the tax of each currency. Without an entry the prices in a currency include no tax.
func (c *Catalogue) readTaxes(n strictjson.Node) {
	c.taxes = map[string]Tax{}
	for _, entry := range n.Entries() {
		if !c.listsCurrency(entry.Key) {
			entry.Node.AddProblem("%q is not among the currencies", entry.Key)
		}
		o := entry.Node.Object("name", "percentage")
		c.taxes[entry.Key] = Tax{Name: readTaxName(o.Get("name")), Rate: readTaxRate(o.Get("percentage"))}
	}
}

func readTaxName(n strictjson.Node) string {
	name := n.Text()
	if len([]rune(name)) > maxTaxName {
		n.AddProblem("must have at most %d characters", maxTaxName)
	}
	return name
}

// readTaxRate reads a percentage of up to four decimals, as Stripe does.
func readTaxRate(n strictjson.Node) int64 {
	text, ok := n.Number()
	if !ok {
		return 0
	}
	whole, decimals, _ := strings.Cut(text, ".")
	decimals = strings.TrimRight(decimals, "0")
	if len(decimals) <= percentDecimals {
		decimals += strings.Repeat("0", percentDecimals-len(decimals))
		rate, err := strconv.ParseUint(whole+decimals, 10, 63)
		if err == nil && rate > 0 && rate <= rateUnit {
			return int64(rate)
		}
	}
	n.AddProblem("%s is not a percentage above 0 and up to 100 with at most %d decimals", text, percentDecimals)
	return 0
}
