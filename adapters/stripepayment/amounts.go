package stripepayment

import (
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// oddDigits is how many decimals Stripe counts where that is not the exponent of ISO 4217, by
// which we count: the króna and the shilling lost their decimals after Stripe had begun to count
// them, and the ariary's are fifths, which nobody counts. (The forint and the Taiwan dollar, which
// are often named beside them, are odd in payouts only.)
var oddDigits = map[string]int{"ISK": 2, "UGX": 2, "MGA": 0}

// unitsOf is an amount in the units Stripe counts. An amount Stripe can't charge exactly is
// Invalid: fractions of an ariary, and thousandths that are no multiple of ten.
func unitsOf(a money.Amount) (int64, error) {
	c := a.Currency()
	units, err := rescale(a, stripeDigits(c)-c.MinorDigits)
	if err == nil && stripeDigits(c) == 3 && units%10 != 0 {
		err = inexact(a)
	}
	return units, err
}

func stripeDigits(c money.Currency) int {
	if digits, odd := oddDigits[c.Code]; odd {
		return digits
	}
	return c.MinorDigits
}

// amountOf is what Stripe's units come to, and the zero amount for a currency that is not known.
func amountOf(units int64, currency string) money.Amount {
	c, known := money.ByCode(currency)
	if !known {
		return money.Amount{}
	}
	if extra := stripeDigits(c) - c.MinorDigits; extra > 0 {
		units /= power(extra)
	} else {
		units *= power(-extra)
	}
	amount, err := money.New(units, currency)
	if err != nil {
		return money.Amount{}
	}
	return amount
}

// rescale moves the decimal point of what is counted by some digits to the right.
func rescale(a money.Amount, digits int) (int64, error) {
	if digits < 0 {
		step := power(-digits)
		if a.Minor()%step != 0 {
			return 0, inexact(a)
		}
		return a.Minor() / step, nil
	}
	scaled, err := a.Mul(power(digits))
	return scaled.Minor(), err
}

func power(digits int) int64 {
	p := int64(1)
	for range digits {
		p *= 10
	}
	return p
}

func inexact(a money.Amount) error {
	return fault.Newf(fault.Invalid, "%s can't be charged exactly.", a)
}
