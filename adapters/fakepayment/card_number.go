package fakepayment

import "strings"

// brand is how a brand's cards are numbered.
type brand struct {
	name   string
	digits int
	cvc    int
}

// testCards is what each number stands for; the package comment has the list for people.
var testCards = map[string]behaviour{
	"4242424242424242": pays,
	"5555555555554444": pays,
	"378282246310005":  pays,
	"4000002500003155": authenticates,
	"4000000000000002": refusedWhenSaved,
	"4000000000000069": expired,
	"4000000000000341": refusedWhenPaid,
	"4000000000009995": insufficientFunds,
	"4000000000009987": lost,
	"4000000000009979": stolen,
}

var notATestCard = problem{
	Code: "card_declined", DeclineCode: "test_mode_live_card", Param: "number",
	Message: "Your card was declined. Your request was in test mode, but used a non test card.",
}

// brandOf tells the brand by the first digits, as far as they have been typed.
func brandOf(digits string) brand {
	switch {
	case strings.HasPrefix(digits, "34"), strings.HasPrefix(digits, "37"):
		return brand{name: "amex", digits: 15, cvc: 4}
	case digits >= "51" && digits < "56", digits >= "2221" && digits < "2721":
		return brand{name: "mastercard", digits: 16, cvc: 3}
	case strings.HasPrefix(digits, "4"):
		return brand{name: "visa", digits: 16, cvc: 3}
	}
	return brand{name: "unknown", digits: 16, cvc: 3}
}

func checkNumber(digits string, b brand) *problem {
	switch {
	case !onlyDigits(digits) || len(digits) > b.digits:
		return &problem{Code: "invalid_number", Param: "number", Message: "Your card number is invalid."}
	case len(digits) < b.digits:
		return &problem{Code: "incomplete_number", Param: "number", Message: "Your card number is incomplete."}
	case !luhn(digits):
		return &problem{Code: "invalid_number", Param: "number", Message: "Your card number is invalid."}
	}
	return nil
}

func checkCVC(code string, b brand) *problem {
	switch {
	case !onlyDigits(code) || len(code) > b.cvc:
		return &problem{Code: "invalid_cvc", Param: "cvc", Message: "Your card's security code is invalid."}
	case len(code) < b.cvc:
		return &problem{Code: "incomplete_cvc", Param: "cvc", Message: "Your card's security code is incomplete."}
	}
	return nil
}

func onlyDigits(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}

// luhn checks the last digit, which is there against slips of the finger.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return sum%10 == 0
}
