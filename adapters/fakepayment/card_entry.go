package fakepayment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// CardEntry is the content of a card form. The number and the code are validated, but not stored.
type CardEntry struct {
	Number   string // spaces are ignored
	ExpMonth int    // 1 to 12; 0 when empty
	ExpYear  int    // 2034, or 34; 0 when empty
	CVC      string
}

// maxExpiryYears is the latest expiry year of a card, in years from now.
const maxExpiryYears = 50

// CreatePaymentMethod creates a payment method as the browser does; AddCard saves it to a customer.
// It returns Declined with a CardError for an invalid entry.
func (p *Provider) CreatePaymentMethod(ctx context.Context, entry CardEntry) (billing.PaymentMethod, error) {
	return run(ctx, p, func(t *tx) (billing.PaymentMethod, error) {
		pm, cardErr := entry.parse(t.now)
		if cardErr != nil {
			return billing.PaymentMethod{}, cardErr.asFault()
		}
		pm.ID, pm.Created = newID(cardPrefix), t.now
		t.cards.put(pm)
		return pm.paymentMethod(), nil
	})
}

// parse validates the entry field by field and returns the card without number and code. If the number is that
// of a bank account, it ignores the other fields.
func (entry CardEntry) parse(now time.Time) (card, *CardError) {
	digits := strings.ReplaceAll(entry.Number, " ", "")
	if behaviour, isAccount := testAccounts[digits]; isAccount {
		return card{Behaviour: behaviour, AccountLast4: digits[len(digits)-4:]}, nil
	}
	brand := brandOf(digits)
	for _, cardErr := range []*CardError{
		checkNumber(digits, brand), entry.checkExpiry(now), checkCVC(entry.CVC, brand),
	} {
		if cardErr != nil {
			return card{}, cardErr
		}
	}
	behaviour, ok := testCards[digits]
	if !ok {
		return card{}, &liveCardDecline
	}
	return card{Behaviour: behaviour, Card: billing.Card{
		Brand: brand.name, Last4: digits[len(digits)-4:], ExpMonth: entry.ExpMonth, ExpYear: entry.year(now),
		Fingerprint: cardFingerprint(digits),
	}}, nil
}

// cardFingerprint returns a hash that is equal for equal numbers. It needs no secret, because only the numbers of public
// test cards are accepted.
func cardFingerprint(digits string) string {
	sum := sha256.Sum256([]byte("fakepayment " + digits))
	return hex.EncodeToString(sum[:8])
}

// year returns the expiry year with four digits, in the current century if it has two.
func (entry CardEntry) year(now time.Time) int {
	if entry.ExpYear >= 0 && entry.ExpYear < 100 {
		return now.Year()/100*100 + entry.ExpYear
	}
	return entry.ExpYear
}

func (entry CardEntry) checkExpiry(now time.Time) *CardError {
	year := entry.year(now)
	switch {
	case entry.ExpMonth == 0 || entry.ExpYear == 0:
		return &CardError{Code: "incomplete_expiry", Param: "exp_month", Message: "Your card's expiration date is incomplete."}
	case entry.ExpMonth < 1 || entry.ExpMonth > 12:
		return &CardError{Code: "invalid_expiry_month", Param: "exp_month", Message: "Your card's expiration month is invalid."}
	case year < 1000 || year > now.Year()+maxExpiryYears:
		return &CardError{Code: "invalid_expiry_year", Param: "exp_year", Message: "Your card's expiration year is invalid."}
	case isExpired(billing.Card{ExpMonth: entry.ExpMonth, ExpYear: year}, now):
		return &CardError{Code: "invalid_expiry_past", Param: "exp_year", Message: "Your card's expiration date is in the past."}
	}
	return nil
}

func checkNumber(digits string, b brand) *CardError {
	switch {
	case !hasOnlyDigits(digits) || len(digits) > b.numberLength:
		return &CardError{Code: "invalid_number", Param: "number", Message: "Your card number is invalid."}
	case len(digits) < b.numberLength:
		return &CardError{Code: "incomplete_number", Param: "number", Message: "Your card number is incomplete."}
	case !hasValidCheckDigit(digits):
		return &CardError{Code: "invalid_number", Param: "number", Message: "Your card number is invalid."}
	}
	return nil
}

func checkCVC(code string, b brand) *CardError {
	switch {
	case !hasOnlyDigits(code) || len(code) > b.cvcLength:
		return &CardError{Code: "invalid_cvc", Param: "cvc", Message: "Your card's security code is invalid."}
	case len(code) < b.cvcLength:
		return &CardError{Code: "incomplete_cvc", Param: "cvc", Message: "Your card's security code is incomplete."}
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
