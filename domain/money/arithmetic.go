package money

import (
	"math"
	"math/bits"

	"github.com/vc-admin/diy/domain/fault"
)

// Mul returns the amount times n, or Invalid if the product overflows.
func (a Amount) Mul(n int64) (Amount, error) {
	product, ok := multiply(a.minor, n)
	if !ok {
		return Amount{}, errTooLarge()
	}
	return Amount{minor: product, currency: a.currency}, nil
}

// Div returns the amount divided by n, rounded half away from zero to the currency's rounding step.
// The remainder is lost, so use Div for displayed figures ("per month"), not to split a charge.
func (a Amount) Div(n int64) (Amount, error) {
	if n == 0 {
		return Amount{}, fault.New(fault.Invalid, "an amount can't be divided by zero")
	}
	step := max(a.Currency().Rounding, 1)
	divisor, ok := multiply(n, step)
	if !ok {
		return Amount{}, errTooLarge()
	}
	steps, ok := divide(a.minor, divisor)
	if !ok {
		return Amount{}, errTooLarge()
	}
	return Amount{minor: steps, currency: a.currency}.Mul(step)
}

// Scale returns the amount times numerator/denominator, rounded half away from zero to the minor unit.
// Numerator and denominator must not be negative. It ignores the currency's rounding step, because it
// is for parts of an amount that are not paid separately, such as the tax in a price. It returns
// Invalid for a denominator of zero, and for a result that overflows.
func (a Amount) Scale(numerator, denominator int64) (Amount, error) {
	if numerator < 0 || denominator <= 0 {
		return Amount{}, fault.New(fault.Invalid, "an amount can only be scaled by a positive fraction")
	}
	n, d := uint64(numerator), uint64(denominator)
	high, low := bits.Mul64(magnitude(a.minor), n)
	if high >= d { // the quotient does not fit into 64 bits
		return Amount{}, errTooLarge()
	}
	quotient, rest := bits.Div64(high, low, d)
	fits := true
	if rest >= d-rest {
		quotient++
		fits = quotient != 0
	}
	minor, ok := applySign(quotient, a.minor < 0, fits)
	if !ok {
		return Amount{}, errTooLarge()
	}
	return Amount{minor: minor, currency: a.currency}, nil
}

func errTooLarge() error { return fault.New(fault.Invalid, "the amount is too large") }

// multiply returns a*b and whether it fits into an int64.
func multiply(a, b int64) (int64, bool) {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	return applySign(low, (a < 0) != (b < 0), high == 0)
}

// divide returns a/b, rounded half away from zero, and whether it fits into an int64. b is not zero.
func divide(a, b int64) (int64, bool) {
	dividend, divisor := magnitude(a), magnitude(b)
	quotient, rest := dividend/divisor, dividend%divisor
	if rest >= divisor-rest {
		quotient++
	}
	return applySign(quotient, (a < 0) != (b < 0), true)
}

// magnitude returns the absolute value; unlike -n it is defined for math.MinInt64.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n) //nolint:gosec // wraps around to the magnitude, also for math.MinInt64
	}
	return uint64(n)
}

// applySign returns the magnitude with a sign, and whether it fits into an int64.
func applySign(m uint64, isNegative, fits bool) (int64, bool) {
	if isNegative {
		return int64(-m), fits && m <= 1<<63 //nolint:gosec // overflow is reported
	}
	return int64(m), fits && m <= math.MaxInt64 //nolint:gosec // overflow is reported
}

// pow10 returns the power of ten with a non-negative exponent.
func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}
