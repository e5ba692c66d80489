package money

import (
	"fmt"
	"strconv"
)

// Format writes the amount the way people are shown it: rounded to the decimals the currency
// shows, without decimals when none is needed ("39"), with all of them otherwise ("39.50").
// There is no separator between thousands, because the specification's figures have none.
func (a Amount) Format() string {
	c := a.Currency()
	shown, _ := divide(a.minor, pow10(c.MinorDigits-c.Digits))
	digits := c.Digits
	if whole := pow10(digits); shown%whole == 0 {
		shown, digits = shown/whole, 0
	}
	return sign(shown) + point(magnitude(shown), digits)
}

// FormatWithSymbol is Format with the currency's native symbol directly before the number:
// "$39". A minus stands before the symbol.
func (a Amount) FormatWithSymbol() string {
	text := a.Format()
	if text[0] == '-' {
		return "-" + a.Currency().NativeSymbol + text[1:]
	}
	return a.Currency().NativeSymbol + text
}

// String is the exact amount, for logs: "AUD 39.50".
func (a Amount) String() string {
	return a.currency + " " + sign(a.minor) + point(magnitude(a.minor), a.Currency().MinorDigits)
}

func sign(n int64) string {
	if n < 0 {
		return "-"
	}
	return ""
}

// point writes a count of 10^-digits as a decimal with exactly that many digits behind the point.
func point(n uint64, digits int) string {
	if digits == 0 {
		return strconv.FormatUint(n, 10)
	}
	unit := uint64(pow10(digits)) //nolint:gosec // a power of ten is positive
	return fmt.Sprintf("%d.%0*d", n/unit, digits, n%unit)
}
