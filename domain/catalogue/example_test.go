package catalogue_test

import (
	"fmt"

	"github.com/vc-admin/diy/domain/catalogue"
)

func Example() {
	prices := catalogue.Default()
	standard := catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "AUD"}
	price, err := prices.Price(standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	perMonth, err := prices.PerMonth(standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(standard.PriceID(), price, perMonth.FormatWithSymbol())
	// Output: standard_yearly AUD 420.00 $35
}
