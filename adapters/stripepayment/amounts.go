package stripepayment

import (
	"fmt"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// digitExceptions contains the decimal digits of the currencies for which Stripe differs from ISO 4217. ISO 4217
// has no digits for ISK and UGX, and two for MGA. HUF and TWD differ for payouts only. See
// https://docs.stripe.com/currencies.
var digitExceptions = map[string]int{"ISK": 2, "UGX": 2, "MGA": 0}

// toStripeUnits converts an amount to Stripe's units. It returns Invalid for an amount that Stripe can't charge
// exactly. Stripe charges no fractions of MGA, and only multiples of ten units in currencies with three digits.
func toStripeUnits(a money.Amount) (int64, error) {
	c := a.Currency()
	units, err := rescale(a, stripeDigits(c)-c.MinorDigits)
	if err == nil && stripeDigits(c) == 3 && units%10 != 0 {
		err = errInexact(a)
	}
	return units, err
}

// stripeDigits returns the decimal digits of Stripe's units of a currency.
func stripeDigits(c money.Currency) int {
	if digits, ok := digitExceptions[c.Code]; ok {
		return digits
	}
	return c.MinorDigits
}

// fromStripeUnits converts an amount from Stripe's units. It returns the zero value for an unknown currency.
func fromStripeUnits(units int64, currency string) money.Amount {
	c, ok := money.ByCode(currency)
	if !ok {
		return money.Amount{}
	}
	if extraDigits := stripeDigits(c) - c.MinorDigits; extraDigits > 0 {
		units /= pow10(extraDigits)
	} else {
		units *= pow10(-extraDigits)
	}
	amount, err := money.New(units, currency)
	if err != nil {
		return money.Amount{}
	}
	return amount
}

// rescale returns the amount's minor units times ten to the power of exponent. exponent can be negative.
func rescale(a money.Amount, exponent int) (int64, error) {
	if exponent < 0 {
		divisor := pow10(-exponent)
		if a.Minor()%divisor != 0 {
			return 0, errInexact(a)
		}
		return a.Minor() / divisor, nil
	}
	scaledAmount, err := a.Mul(pow10(exponent))
	return scaledAmount.Minor(), err
}

func pow10(exponent int) int64 {
	p := int64(1)
	for range exponent {
		p *= 10
	}
	return p
}

func errInexact(a money.Amount) error {
	return fault.Newf(fault.Invalid, "%s can't be charged exactly.", a)
}

// amountProblem describes how the price differs from the amount in the amount's currency. It returns "" if they are
// equal.
func amountProblem(price *stripe.Price, amount money.Amount) string {
	want, err := toStripeUnits(amount)
	if err != nil {
		return fault.MessageOf(err)
	}
	got, ok := priceUnits(price, amount.Currency().Code)
	switch {
	case !ok:
		return "has no amount in " + amount.Currency().Code
	case got != want:
		return fmt.Sprintf("costs %s %d instead of %d, in the units stripe counts", amount.Currency().Code, got, want)
	}
	return ""
}

// priceUnits returns the price's amount in its own currency or in one of its currency_options, and false for other
// currencies.
func priceUnits(price *stripe.Price, currency string) (units int64, ok bool) {
	if currencyCode(price.Currency) == currency {
		return price.UnitAmount, true
	}
	option := price.CurrencyOptions[strings.ToLower(currency)]
	if option == nil {
		return 0, false
	}
	return option.UnitAmount, true
}
