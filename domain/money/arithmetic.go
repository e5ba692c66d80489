package money

import (
	"math"
	"math/bits"

	"github.com/vc-admin/diy/domain/fault"
)

// Mul is the amount n times. A product that does not fit is Invalid.
func (a Amount) Mul(n int64) (Amount, error) {
	product, ok := mul(a.minor, n)
	if !ok {
		return Amount{}, errTooLarge()
	}
	return Amount{minor: product, currency: a.currency}, nil
}

// Div is the n-th part of the amount, rounded to the nearest minor unit that the currency's
// rounding allows; a half goes away from zero. Nothing is left over on the side, so it is for
// figures that are shown ("per month"), not for splitting a charge.
func (a Amount) Div(n int64) (Amount, error) {
	if n == 0 {
		return Amount{}, fault.New(fault.Invalid, "an amount can't be divided by zero")
	}
	step := max(a.Currency().Rounding, 1)
	divisor, ok := mul(n, step)
	if !ok {
		return Amount{}, errTooLarge()
	}
	steps, ok := divide(a.minor, divisor)
	if !ok {
		return Amount{}, errTooLarge()
	}
	return Amount{minor: steps, currency: a.currency}.Mul(step)
}

func errTooLarge() error { return fault.New(fault.Invalid, "the amount is too large") }

// mul multiplies, and reports whether the product fits.
func mul(a, b int64) (int64, bool) {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	return signed(low, (a < 0) != (b < 0), high == 0)
}

// divide divides by a number other than zero, the half away from zero, and reports whether the
// quotient fits.
func divide(a, b int64) (int64, bool) {
	dividend, divisor := magnitude(a), magnitude(b)
	quotient, rest := dividend/divisor, dividend%divisor
	if rest >= divisor-rest {
		quotient++
	}
	return signed(quotient, (a < 0) != (b < 0), true)
}

// magnitude is the distance from zero; unlike -n it exists for every int64.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n) //nolint:gosec // wraps round to the magnitude, for the smallest int64 too
	}
	return uint64(n)
}

// signed puts a sign on a magnitude, and reports whether it fits.
func signed(m uint64, negative, fits bool) (int64, bool) {
	if negative {
		return int64(-m), fits && m <= 1<<63 //nolint:gosec // what does not fit is reported
	}
	return int64(m), fits && m <= math.MaxInt64 //nolint:gosec // what does not fit is reported
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}
