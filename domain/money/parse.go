package money

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/vc-admin/diy/domain/fault"
)

// decimal is how an amount is written: no plus, no exponent, no separators, no bare point.
var decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

// Parse reads a decimal in whole units, such as "39" or "39.50", exactly. What the currency can't
// count (a third decimal of a dollar that is not zero) is Invalid, never rounded.
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

// parseMinor reads a decimal as a count of the units that are 10^-digits of a whole.
func parseMinor(text string, digits int) (int64, error) {
	if !decimal.MatchString(text) {
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
