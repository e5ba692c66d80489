package testcards

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// Entry is the content of a card form. The number and the code are validated, but not stored.
type Entry struct {
	Number   string // spaces are ignored
	ExpMonth int    // 1 to 12; 0 when empty
	ExpYear  int    // 2034, or 34; 0 when empty
	CVC      string
}

// maxExpiryYears is the latest expiry year of a card, in years from now.
const maxExpiryYears = 50

// Parse validates the entry field by field and returns the card without number and code. If the number is that
// of a bank account, it ignores the other fields.
func (entry Entry) Parse(now time.Time) (Method, *Error) {
	digits := strings.ReplaceAll(entry.Number, " ", "")
	if behaviour, isAccount := behaviourOf(accounts, digits); isAccount {
		return Method{Behaviour: behaviour, AccountLast4: digits[len(digits)-4:]}, nil
	}
	brand := brandOf(digits)
	for _, cardErr := range []*Error{
		checkNumber(digits, brand), entry.checkExpiry(now), checkCVC(entry.CVC, brand),
	} {
		if cardErr != nil {
			return Method{}, cardErr
		}
	}
	behaviour, ok := behaviourOf(cards, digits)
	if !ok {
		return Method{}, &Error{
			Code: "card_declined", DeclineCode: "test_mode_live_card", Param: "number",
			Message: "Your card was declined. Your request was in test mode, but used a non test card.",
		}
	}
	return Method{Behaviour: behaviour, Card: billing.Card{
		Brand: brand.name, Last4: digits[len(digits)-4:], ExpMonth: entry.ExpMonth, ExpYear: entry.year(now),
		Fingerprint: fingerprint(digits),
	}}, nil
}

// fingerprint returns a hash that is equal for equal numbers. It needs no secret, because only the numbers of public
// test cards are accepted.
func fingerprint(digits string) string {
	sum := sha256.Sum256([]byte("fakepayment " + digits))
	return hex.EncodeToString(sum[:8])
}

// year returns the expiry year with four digits, in the current century if it has two.
func (entry Entry) year(now time.Time) int {
	if entry.ExpYear >= 0 && entry.ExpYear < 100 {
		return now.Year()/100*100 + entry.ExpYear
	}
	return entry.ExpYear
}

func (entry Entry) checkExpiry(now time.Time) *Error {
	year := entry.year(now)
	switch {
	case entry.ExpMonth == 0 || entry.ExpYear == 0:
		return &Error{Code: "incomplete_expiry", Param: "exp_month", Message: "Your card's expiration date is incomplete."}
	case entry.ExpMonth < 1 || entry.ExpMonth > 12:
		return &Error{Code: "invalid_expiry_month", Param: "exp_month", Message: "Your card's expiration month is invalid."}
	case year < 1000 || year > now.Year()+maxExpiryYears:
		return &Error{Code: "invalid_expiry_year", Param: "exp_year", Message: "Your card's expiration year is invalid."}
	case IsExpired(billing.Card{ExpMonth: entry.ExpMonth, ExpYear: year}, now):
		return &Error{Code: "invalid_expiry_past", Param: "exp_year", Message: "Your card's expiration date is in the past."}
	}
	return nil
}

func checkNumber(digits string, b brand) *Error {
	switch {
	case !hasOnlyDigits(digits) || len(digits) > b.numberLength:
		return &Error{Code: "invalid_number", Param: "number", Message: "Your card number is invalid."}
	case len(digits) < b.numberLength:
		return &Error{Code: "incomplete_number", Param: "number", Message: "Your card number is incomplete."}
	case !hasValidCheckDigit(digits):
		return &Error{Code: "invalid_number", Param: "number", Message: "Your card number is invalid."}
	}
	return nil
}

func checkCVC(code string, b brand) *Error {
	switch {
	case !hasOnlyDigits(code) || len(code) > b.cvcLength:
		return &Error{Code: "invalid_cvc", Param: "cvc", Message: "Your card's security code is invalid."}
	case len(code) < b.cvcLength:
		return &Error{Code: "incomplete_cvc", Param: "cvc", Message: "Your card's security code is incomplete."}
	}
	return nil
}

// brand is a card brand with the length of its numbers and security codes.
type brand struct {
	name         string
	numberLength int
	cvcLength    int
}

// brandOf returns the brand for the first digits of a number.
func brandOf(digits string) brand {
	switch {
	case strings.HasPrefix(digits, "34"), strings.HasPrefix(digits, "37"):
		return brand{name: "amex", numberLength: 15, cvcLength: 4}
	case digits >= "51" && digits < "56", digits >= "2221" && digits < "2721":
		return brand{name: "mastercard", numberLength: 16, cvcLength: 3}
	case strings.HasPrefix(digits, "4"):
		return brand{name: "visa", numberLength: 16, cvcLength: 3}
	}
	return brand{name: "unknown", numberLength: 16, cvcLength: 3}
}

func hasOnlyDigits(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}

// hasValidCheckDigit verifies the check digit by the Luhn algorithm (ISO/IEC 7812-1).
func hasValidCheckDigit(digits string) bool {
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

// IsExpired reports whether the card's last month is over.
func IsExpired(c billing.Card, now time.Time) bool {
	return !now.Before(time.Date(c.ExpYear, time.Month(c.ExpMonth)+1, 1, 0, 0, 0, 0, time.UTC))
}
