package emails

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/billing/billingtest"
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

func TestMovementRows_MatchTestVectors(t *testing.T) {
	for _, c := range billingtest.LoadPaymentRows(t) {
		t.Run(c.Name, func(t *testing.T) {
			var want []string
			for _, row := range c.Rows {
				text := row.Label
				if row.Method != "" {
					text += ", " + row.Method
				}
				if row.CreditNote != "" {
					text += ", " + row.CreditNote
				}
				if row.At != nil {
					text += ", " + c.Invoice.TimeZone.Date(*row.At)
				}
				want = append(want, text+" "+strconv.FormatInt(row.Amount, 10))
			}
			if c.Remaining > 0 {
				want = append(want, "Amount due "+strconv.FormatInt(c.Remaining, 10))
			}
			var texts []string
			for _, row := range MovementRows(c.Invoice) {
				text := strings.Join(slices.DeleteFunc([]string{row.Label, row.Detail}, func(s string) bool { return s == "" }), ", ")
				texts = append(texts, text+" "+strconv.FormatInt(row.Amount.Minor(), 10))
			}
			assert.Equal(t, want, texts)
		})
	}
}
