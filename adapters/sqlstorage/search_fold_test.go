package sqlstorage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestSearchWords_FoldsAndSplits(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        nil,
		"a 1 -":                   nil,
		"Harbour Physiotherapy":   {"harbour", "physiotherapy"},
		"Dr. O'Brien & O’Brien":   {"dr", "obrien"},
		"Clínica STRASSE/Straße":  {"clinica", "strasse"},
		"Łódź, Ærø Ðelta":         {"lodz", "aero", "delta"},
		"ﬁve Ⅳ":                   {"five", "iv"},
		"\xff\xfe":                nil,
		strings.Repeat("x", 1000): {strings.Repeat("x", maxTermLength)},
	} {
		assert.Equal(t, want, searchWords(text), "%q", text)
	}
}

func TestSearchToken_KeepsInnerPunctuation(t *testing.T) {
	for text, want := range map[string]string{
		"<Ann.Lee+x@Example.TEST>,": "ann.lee+x@example.test",
		"#K7Q2-0003-CN-01":          "k7q2-0003-cn-01",
		" cus_\x00Q1\n":             "cus_q1",
		"-x-":                       "-x-",
		"…":                         "",
		"()":                        "",
	} {
		assert.Equal(t, want, searchToken(text), "%q", text)
	}
}

func TestLastFour_ReadsCardsAndLabels(t *testing.T) {
	for want, method := range map[string]billing.PaymentMethod{
		"4242": {Kind: billing.CardMethod, Card: billing.Card{Last4: "4242"}},
		"3456": {Kind: billing.BankDebitMethod, Label: "BECS •••• 3456"},
		"":     {Label: "paypal"},
	} {
		assert.Equal(t, want, lastFour(method))
	}
	assert.Empty(t, lastFour(billing.PaymentMethod{}))
}
