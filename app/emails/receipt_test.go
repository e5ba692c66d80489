package emails

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestDayAndMonth_IsEmptyForAZeroTime(t *testing.T) {
	assert.Empty(t, (&notice{}).dayAndMonth(time.Time{}))
}

func TestPaymentNote_OmitsAnUnknownDate(t *testing.T) {
	method := &billing.PaymentMethod{Kind: billing.OtherMethod, Label: "Bank transfer"}
	assert.Equal(t, "by bank transfer",
		Payment{ReceivedPayments: []billing.ReceivedPayment{{Method: method}}}.paymentNote())
}

func TestPaymentSource_NamesTheMethod(t *testing.T) {
	other := func(label string) *billing.PaymentMethod {
		return &billing.PaymentMethod{Kind: billing.OtherMethod, Label: label}
	}
	for want, method := range map[string]*billing.PaymentMethod{
		"":                                 nil,
		", from Visa •••• 4242":            {Card: billing.Card{Brand: "visa", Last4: "4242"}},
		", from bank account":              {Kind: billing.BankDebitMethod, Label: "Bank account"},
		", by bank transfer":               other("Bank transfer"),
		", with PayPal":                    other("paypal"),
		", outside of our online payments": other("Paid outside"),
		", with iDEAL":                     other("ideal"),
		", from eftpos •••• 4242":          {Card: billing.Card{Brand: "eftpos_au", Last4: "4242"}},
		", from Cartes Bancaires •••• 4242": {Card: billing.Card{Brand: "cartes_bancaires", Last4: "4242"}},
	} {
		assert.Equal(t, want, paymentSource(method))
	}
}
