package emails

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/billing"
)

// MethodName returns the name of a payment method within a sentence: "Visa •••• 4242", "bank account •••• 6819".
func MethodName(m billing.PaymentMethod) string {
	name := oneLine(m.DisplayName())
	if m.Kind == billing.BankDebitMethod && strings.HasPrefix(name, "Bank ") {
		return lowerFirst(name)
	}
	return name
}

// oneLine replaces all white space by single spaces, so that a value can't add a header or a line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func lowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[size:]
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
