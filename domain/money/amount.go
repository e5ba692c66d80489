package money

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/vc-admin/diy/domain/fault"
)

// Amount is a number of minor units of one currency. Amounts can be compared with ==. The zero
// Amount has no currency; create amounts with New or Parse.
type Amount struct {
	minor    int64
	currency string
}

// New returns the amount of minor units (cents for AUD, whole yen for JPY). It returns Invalid for an unknown currency.
func New(minor int64, code string) (Amount, error) {
	c, err := lookup(code)
	if err != nil {
		return Amount{}, err
	}
	return Amount{minor: minor, currency: c.Code}, nil
}

// decimalPattern matches an amount: no plus sign, exponent, separators or leading zeros.
var decimalPattern = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// Parse reads an amount in whole units such as "39" or "39.50". It never rounds: it returns Invalid for more decimals
// than the currency's minor unit has, unless the excess decimals are zero.
func Parse(text, code string) (Amount, error) {
	c, err := lookup(code)
	if err != nil {
		return Amount{}, err
	}
	minor, err := parseMinor(text, c.MinorDigits)
	if err != nil {
		return Amount{}, err
	}
	return Amount{minor: minor, currency: c.Code}, nil
}

// parseMinor reads a decimal as a number of units of 10^-digits.
func parseMinor(text string, digits int) (int64, error) {
	if !decimalPattern.MatchString(text) {
		return 0, fault.Newf(fault.Invalid, "%q is not an amount such as 39 or 39.50", text)
	}
	whole, fraction, _ := strings.Cut(text, ".")
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > digits {
		return 0, fault.Newf(fault.Invalid, "%s has more than %d decimals", text, digits)
	}
	fraction += strings.Repeat("0", digits-len(fraction))
	minor, err := strconv.ParseInt(whole+fraction, 10, 64)
	if err != nil {
		return 0, fault.Newf(fault.Invalid, "%s is too large an amount", text)
	}
	return minor, nil
}

// Minor returns the number of minor units.
func (a Amount) Minor() int64 { return a.minor }

// Currency returns the amount's currency.
func (a Amount) Currency() Currency {
	c, _ := ByCode(a.currency)
	return c
}

// IsExact reports whether the amount can be shown and paid without rounding: it has no more decimals
// than the currency shows and is a multiple of the currency's rounding step.
func (a Amount) IsExact() bool {
	c := a.Currency()
	return a.minor%pow10(c.MinorDigits-c.Digits) == 0 && a.minor%max(c.Rounding, 1) == 0
}

// Format returns the amount for display, rounded to the currency's digits and with commas between
// thousands: "39" and "1,068" when it is whole, "39.50" otherwise. The web app formats amounts alike.
func (a Amount) Format() string {
	c := a.Currency()
	rounded, _ := divide(a.minor, pow10(c.MinorDigits-c.Digits))
	digits := c.Digits
	if whole := pow10(digits); rounded%whole == 0 {
		rounded, digits = rounded/whole, 0
	}
	return groupThousands(formatDecimal(rounded, digits))
}

// FormatWithSymbol returns Format with the currency's native symbol in front and a minus sign (U+2212): "$39",
// "−$39".
func (a Amount) FormatWithSymbol() string {
	if text, isNegative := strings.CutPrefix(a.Format(), "-"); isNegative {
		return "−" + a.Currency().NativeSymbol + text
	}
	return a.Currency().NativeSymbol + a.Format()
}

// FormatWithSymbolAndCode is FormatWithSymbol with the currency code, because several currencies share a symbol: "$39 AUD".
func (a Amount) FormatWithSymbolAndCode() string {
	return strings.TrimSpace(a.FormatWithSymbol() + " " + a.Currency().Code)
}

// Formatter returns a function that formats amounts shown together, such as those of a table, like FormatWithSymbol. If
// one of the amounts is not whole, it writes all of them with decimals. The web app uses the same rule.
func Formatter(amounts ...Amount) func(Amount) string {
	isFractional := func(a Amount) bool { return strings.Contains(a.Format(), ".") }
	if slices.ContainsFunc(amounts, isFractional) {
		return Amount.FormatWithDecimals
	}
	return Amount.FormatWithSymbol
}

// FormatWithDecimals is like FormatWithSymbol, but writes the decimals of a whole amount, too: "$39.00".
func (a Amount) FormatWithDecimals() string {
	c := a.Currency()
	rounded, _ := divide(a.minor, pow10(c.MinorDigits-c.Digits))
	text, isNegative := strings.CutPrefix(groupThousands(formatDecimal(rounded, c.Digits)), "-")
	if isNegative {
		return "−" + c.NativeSymbol + text
	}
	return c.NativeSymbol + text
}

// FormatWithCode returns the exact amount for documents: "AUD 1,068.00".
func (a Amount) FormatWithCode() string {
	return a.currency + " " + groupThousands(formatDecimal(a.minor, a.Currency().MinorDigits))
}

// String returns the exact amount for logs and commands, without separators: "AUD 1068.00".
func (a Amount) String() string {
	return a.currency + " " + formatDecimal(a.minor, a.Currency().MinorDigits)
}

// groupThousands inserts commas between the thousands of a decimal.
func groupThousands(decimal string) string {
	const groupSize = 3
	whole, fraction, hasFraction := strings.Cut(decimal, ".")
	for i := len(whole) - groupSize; i > 0 && whole[i-1] != '-'; i -= groupSize {
		whole = whole[:i] + "," + whole[i:]
	}
	if hasFraction {
		return whole + "." + fraction
	}
	return whole
}

// formatDecimal writes n units of 10^-digits as a decimal with exactly that many digits.
func formatDecimal(n int64, digits int) string {
	sign, m := "", magnitude(n)
	if n < 0 {
		sign = "-"
	}
	if digits == 0 {
		return sign + strconv.FormatUint(m, 10)
	}
	unit := uint64(pow10(digits)) //nolint:gosec // a power of ten is positive
	return fmt.Sprintf("%s%d.%0*d", sign, m/unit, digits, m%unit)
}

// amountJSON is the JSON representation of an amount.
type amountJSON struct {
	Minor    int64  `json:"minor"`
	Currency string `json:"currency"`
}

// MarshalJSON writes the minor units and the currency code.
func (a Amount) MarshalJSON() ([]byte, error) {
	return json.Marshal(amountJSON{a.minor, a.currency})
}

// UnmarshalJSON reads the output of MarshalJSON. It returns Invalid for an unknown currency.
func (a *Amount) UnmarshalJSON(text []byte) error {
	var data amountJSON
	if err := json.Unmarshal(text, &data); err != nil {
		return err
	}
	if data == (amountJSON{}) {
		*a = Amount{}
		return nil
	}
	amount, err := New(data.Minor, data.Currency)
	if err == nil {
		*a = amount
	}
	return err
}
