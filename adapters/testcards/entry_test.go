package testcards

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

var endOfMarch = time.Date(2026, 3, 31, 23, 59, 59, 0, time.UTC)

func TestEntry_AcceptsTestCards(t *testing.T) {
	for number, want := range map[string]Method{
		"4242424242424242":      {Behaviour: Succeeds, Card: billing.Card{Brand: "visa", Last4: "4242"}},
		" 4242 4242 4242 4242 ": {Behaviour: Succeeds, Card: billing.Card{Brand: "visa", Last4: "4242"}},
		"5555555555554444":      {Behaviour: Succeeds, Card: billing.Card{Brand: "mastercard", Last4: "4444"}},
		"4000002500003155":      {Behaviour: Authenticates, Card: billing.Card{Brand: "visa", Last4: "3155"}},
		"4000002760003184":      {Behaviour: AuthenticatesAlways, Card: billing.Card{Brand: "visa", Last4: "3184"}},
		"4000000000000002":      {Behaviour: DeclinedWhenSaved, Card: billing.Card{Brand: "visa", Last4: "0002"}},
		"4000000000000069":      {Behaviour: DeclinedAsExpired, Card: billing.Card{Brand: "visa", Last4: "0069"}},
		"4000000000000341":      {Behaviour: DeclinedWhenCharged, Card: billing.Card{Brand: "visa", Last4: "0341"}},
		"4000000000001000":      {Behaviour: SucceedsOnce, Card: billing.Card{Brand: "visa", Last4: "1000"}},
		"4000000000009995":      {Behaviour: InsufficientFunds, Card: billing.Card{Brand: "visa", Last4: "9995"}},
		"4000000000009987":      {Behaviour: DeclinedAsLost, Card: billing.Card{Brand: "visa", Last4: "9987"}},
		"4000000000009979":      {Behaviour: DeclinedAsStolen, Card: billing.Card{Brand: "visa", Last4: "9979"}},
	} {
		want.Card.ExpMonth, want.Card.ExpYear, want.Card.Fingerprint = 12, 2034, fingerprint(strings.ReplaceAll(number, " ", ""))
		pm, cardErr := Entry{Number: number, ExpMonth: 12, ExpYear: 2034, CVC: "123"}.Parse(endOfMarch)
		require.Nil(t, cardErr, number)
		assert.Equal(t, want, pm, number)
	}
	pm, cardErr := Entry{Number: "3782 822463 10005", ExpMonth: 3, ExpYear: 26, CVC: "1234"}.Parse(endOfMarch)
	require.Nil(t, cardErr, "a card is valid in its last month, and the year may have two digits")
	assert.Equal(t, billing.Card{
		Brand: "amex", Last4: "0005", ExpMonth: 3, ExpYear: 2026, Fingerprint: fingerprint("378282246310005"),
	}, pm.Card)
}

func TestEntry_ReturnsFirstError(t *testing.T) {
	const visa, amex = "4242424242424242", "378282246310005"
	tests := []struct {
		name    string
		entry   Entry
		code    string
		param   string
		message string
	}{
		{"empty entry", Entry{}, "incomplete_number", "number", "Your card number is incomplete."},
		{"incomplete number", Entry{visa[:8], 12, 2034, "123"}, "incomplete_number", "number", "Your card number is incomplete."},
		{"incomplete amex number", Entry{amex[:14], 12, 2034, "1234"}, "incomplete_number", "number", "Your card number is incomplete."},
		{"too many digits", Entry{visa + "0", 12, 2034, "123"}, "invalid_number", "number", "Your card number is invalid."},
		{"wrong check digit", Entry{"4242424242424241", 12, 2034, "123"}, "invalid_number", "number", "Your card number is invalid."},
		{"number with letters", Entry{"4242abcd42424242", 12, 2034, "123"}, "invalid_number", "number", "Your card number is invalid."},
		{"digits of another script", Entry{"٤٢٤٢٤٢٤٢", 12, 2034, "123"}, "invalid_number", "number", "Your card number is invalid."},
		{"no expiry", Entry{visa, 0, 0, "123"}, "incomplete_expiry", "exp_month", "Your card's expiration date is incomplete."},
		{"no year", Entry{visa, 12, 0, "123"}, "incomplete_expiry", "exp_month", "Your card's expiration date is incomplete."},
		{"month 13", Entry{visa, 13, 2034, "123"}, "invalid_expiry_month", "exp_month", "Your card's expiration month is invalid."},
		{"negative month", Entry{visa, -1, 2034, "123"}, "invalid_expiry_month", "exp_month", "Your card's expiration month is invalid."},
		{"expired last month", Entry{visa, 2, 2026, "123"}, "invalid_expiry_past", "exp_year", "Your card's expiration date is in the past."},
		{"expired years ago", Entry{visa, 12, 20, "123"}, "invalid_expiry_past", "exp_year", "Your card's expiration date is in the past."},
		{"year too far ahead", Entry{visa, 12, 2077, "123"}, "invalid_expiry_year", "exp_year", "Your card's expiration year is invalid."},
		{"year with three digits", Entry{visa, 12, 203, "123"}, "invalid_expiry_year", "exp_year", "Your card's expiration year is invalid."},
		{"negative year", Entry{visa, 12, -34, "123"}, "invalid_expiry_year", "exp_year", "Your card's expiration year is invalid."},
		{"no code", Entry{visa, 12, 2034, ""}, "incomplete_cvc", "cvc", "Your card's security code is incomplete."},
		{"amex code with three digits", Entry{amex, 12, 2034, "123"}, "incomplete_cvc", "cvc", "Your card's security code is incomplete."},
		{"code too long", Entry{visa, 12, 2034, "1234"}, "invalid_cvc", "cvc", "Your card's security code is invalid."},
		{"code with letters", Entry{visa, 12, 2034, "abc"}, "invalid_cvc", "cvc", "Your card's security code is invalid."},
		{"not a test card", Entry{"4111111111111111", 12, 2034, "123"}, "card_declined", "number",
			"Your card was declined. Your request was in test mode, but used a non test card."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, cardErr := tt.entry.Parse(endOfMarch)
			require.NotNil(t, cardErr)
			assert.Equal(t, tt.code, cardErr.Code)
			assert.Equal(t, tt.param, cardErr.Param)
			assert.Equal(t, tt.message, cardErr.Message)
		})
	}
}

func TestBrandOf_ReturnsTheBrandOfTheFirstDigits(t *testing.T) {
	for digits, want := range map[string]string{
		"4": "visa", "51": "mastercard", "55": "mastercard", "56": "unknown", "2221": "mastercard", "2720": "mastercard",
		"2721": "unknown", "34": "amex", "37": "amex", "36": "unknown", "": "unknown",
	} {
		assert.Equal(t, want, brandOf(digits).name, digits)
	}
}
