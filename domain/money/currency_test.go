package money_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/money"
)

func TestByCode(t *testing.T) {
	tests := []struct {
		code, want string // "" when there is no such currency
	}{
		{"AUD", "AUD"},
		{"aud", "AUD"},
		{"AuD", "AUD"},
		{"AED", "AED"},
		{"zwl", "ZWL"},
		{"", ""},
		{"AU", ""},
		{"AUDX", ""},
		{" AUD", ""},
		{"ZZZ", ""},
		{"ıdr", ""}, // dotless i, whose upper case is I
		{"ſek", ""}, // long s, whose upper case is S
		{"\u212aRW", ""},
		{"\xff\xfe\xfd", ""},
	}
	for _, tt := range tests {
		t.Run(tt.code, func(t *testing.T) {
			got, found := money.ByCode(tt.code)
			assert.Equal(t, tt.want != "", found)
			assert.Equal(t, tt.want, got.Code)
		})
	}
}

func TestByCodeKnowsEveryField(t *testing.T) {
	got, found := money.ByCode("CHF")
	assert.True(t, found)
	assert.Equal(t, money.Currency{
		Code: "CHF", Name: "Swiss Franc", NamePlural: "Swiss francs", Symbol: "CHF", NativeSymbol: "CHF",
		Digits: 2, MinorDigits: 2, Rounding: 5,
	}, got)
}

func TestCurrenciesIsTheCallersOwn(t *testing.T) {
	mine := money.Currencies()
	assert.Len(t, mine, 119)
	mine[0] = money.Currency{Code: "ZZZ"}
	assert.Equal(t, "AED", money.Currencies()[0].Code)
}
