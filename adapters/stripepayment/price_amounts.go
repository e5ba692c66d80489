package stripepayment

import (
	"fmt"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// wrongAmount says how the price differs from the amount, in the amount's currency; "" when it
// does not.
func wrongAmount(price *stripe.Price, amount money.Amount) string {
	want, err := unitsOf(amount)
	if err != nil {
		return fault.MessageOf(err)
	}
	have, priced := unitsIn(price, amount.Currency().Code)
	switch {
	case !priced:
		return "has no amount in " + amount.Currency().Code
	case have != want:
		return fmt.Sprintf("costs %s %d instead of %d, in the units stripe counts", amount.Currency().Code, have, want)
	}
	return ""
}

// unitsIn is what the price costs in a currency: its own, or one of its options.
func unitsIn(price *stripe.Price, currency string) (units int64, priced bool) {
	if code(price.Currency) == currency {
		return price.UnitAmount, true
	}
	option, found := price.CurrencyOptions[strings.ToLower(currency)]
	if !found || option == nil {
		return 0, false
	}
	return option.UnitAmount, true
}
