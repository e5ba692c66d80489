package stripepayment

import (
	"fmt"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// stripeExponents are the decimals of the currencies for which Stripe differs from ISO 4217: it
// kept two decimals for ISK and UGX after they were abolished, and counts whole MGA. HUF and TWD
// are exceptions for payouts only. See https://docs.stripe.com/currencies.
var stripeExponents = map[string]int{"ISK": 2, "UGX": 2, "MGA": 0}

// toStripeUnits converts an amount to Stripe's units. It returns Invalid for an amount that Stripe
// can't charge exactly: fractions of MGA, and amounts in three-decimal currencies that are not a
// multiple of ten.
func toStripeUnits(a money.Amount) (int64, error) {
	c := a.Currency()
	units, err := rescale(a, stripeDigits(c)-c.MinorDigits)
	if err == nil && stripeDigits(c) == 3 && units%10 != 0 {
		err = errInexact(a)
	}
	return units, err
}

func stripeDigits(c money.Currency) int {
	if digits, odd := stripeExponents[c.Code]; odd {
		return digits
	}
	return c.MinorDigits
}

// fromStripeUnits converts an amount from Stripe's units. It returns the zero amount for an unknown
// currency.
func fromStripeUnits(units int64, currency string) money.Amount {
	c, ok := money.ByCode(currency)
	if !ok {
		return money.Amount{}
	}
	if extra := stripeDigits(c) - c.MinorDigits; extra > 0 {
		units /= pow10(extra)
	} else {
		units *= pow10(-extra)
	}
	amount, err := money.New(units, currency)
	if err != nil {
		return money.Amount{}
	}
	return amount
}

// rescale multiplies the minor units by ten to the power of digits.
func rescale(a money.Amount, digits int) (int64, error) {
	if digits < 0 {
		divisor := pow10(-digits)
		if a.Minor()%divisor != 0 {
			return 0, errInexact(a)
		}
		return a.Minor() / divisor, nil
	}
	scaled, err := a.Mul(pow10(digits))
	return scaled.Minor(), err
}

func pow10(digits int) int64 {
	p := int64(1)
	for range digits {
		p *= 10
	}
	return p
}

func errInexact(a money.Amount) error {
	return fault.Newf(fault.Invalid, "%s can't be charged exactly.", a)
}

// amountProblem describes how the price differs from the amount, in the amount's currency, or
// returns "".
func amountProblem(price *stripe.Price, amount money.Amount) string {
	want, err := toStripeUnits(amount)
	if err != nil {
		return fault.MessageOf(err)
	}
	have, priced := priceUnits(price, amount.Currency().Code)
	switch {
	case !priced:
		return "has no amount in " + amount.Currency().Code
	case have != want:
		return fmt.Sprintf("costs %s %d instead of %d, in the units stripe counts", amount.Currency().Code, have, want)
	}
	return ""
}

// priceUnits returns the price's amount in a currency: its own or one of its currency_options.
func priceUnits(price *stripe.Price, currency string) (units int64, priced bool) {
	if currencyCode(price.Currency) == currency {
		return price.UnitAmount, true
	}
	option, found := price.CurrencyOptions[strings.ToLower(currency)]
	if !found || option == nil {
		return 0, false
	}
	return option.UnitAmount, true
}
