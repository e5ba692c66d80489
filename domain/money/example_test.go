package money_test

import (
	"fmt"

	"github.com/vc-admin/diy/domain/money"
)

func Example() {
	yearly, err := money.Parse("420.50", "AUD")
	if err != nil {
		fmt.Println(err)
		return
	}
	monthly, err := yearly.Div(12)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(yearly, yearly.Minor(), yearly.FormatWithSymbol())
	fmt.Println(monthly.FormatWithSymbol(), "per month")
	// Output:
	// AUD 420.50 42050 $420.50
	// $35.04 per month
}

func ExampleCurrencies() {
	for _, c := range money.Currencies() {
		if c.MinorDigits > 2 && c.Digits < c.MinorDigits {
			fmt.Println(c.Code, c.MinorDigits, c.Digits)
		}
	}
	// Output:
	// IQD 3 0
}
