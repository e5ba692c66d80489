package billing

import (
	"regexp"
	"strings"
)

// PaidOutsideLabel is the label of the method of a payment that an operator recorded and the provider did not charge.
const PaidOutsideLabel = "Paid outside"

// BankTransferLabel is the label of a bank transfer.
const BankTransferLabel = "Bank transfer"

// brandNames contains the display names of card brands, by the name of the provider.
var brandNames = map[string]string{
	"amex":             "American Express",
	"cartes_bancaires": "Cartes Bancaires",
	"diners":           "Diners Club",
	"discover":         "Discover",
	"eftpos_au":        "eftpos",
	"girocard":         "girocard",
	"interac":          "Interac",
	"jcb":              "JCB",
	"link":             "Link",
	"mastercard":       "Mastercard",
	"unionpay":         "UnionPay",
	"visa":             "Visa",
	"unknown":          "Card",
}

// methodTypeNames contains the display names of the types of payment methods, by Stripe's name.
//
//nolint:gosec // names, not credentials
var methodTypeNames = map[string]string{
	"ach_credit_transfer":  "ACH credit transfer",
	"ach_debit":            "ACH Direct Debit",
	"acss_debit":           "Pre-authorised debit",
	"affirm":               "Affirm",
	"afterpay_clearpay":    "Afterpay",
	"alipay":               "Alipay",
	"alma":                 "Alma",
	"amazon_pay":           "Amazon Pay",
	"apple_pay":            "Apple Pay",
	"au_becs_debit":        "BECS Direct Debit",
	"bacs_debit":           "Bacs Direct Debit",
	"bancontact":           "Bancontact",
	"billie":               "Billie",
	"blik":                 "BLIK",
	"boleto":               "Boleto",
	"cashapp":              "Cash App Pay",
	"crypto":               "Cryptocurrency",
	"custom":               "Other payment method",
	"customer_balance":     BankTransferLabel,
	"eps":                  "EPS",
	"fpx":                  "FPX",
	"giropay":              "giropay",
	"google_pay":           "Google Pay",
	"grabpay":              "GrabPay",
	"ideal":                "iDEAL",
	"interac_present":      "Interac",
	"kakao_pay":            "Kakao Pay",
	"klarna":               "Klarna",
	"konbini":              "Konbini",
	"kr_card":              "Korean card",
	"link":                 "Link",
	"mb_way":               "MB WAY",
	"mobilepay":            "MobilePay",
	"multibanco":           "Multibanco",
	"naver_pay":            "Naver Pay",
	"nz_bank_account":      "New Zealand bank account",
	"oxxo":                 "OXXO",
	"p24":                  "Przelewy24",
	"pay_by_bank":          "Pay by bank",
	"payco":                "PAYCO",
	"paynow":               "PayNow",
	"paypal":               "PayPal",
	"payto":                "PayTo",
	"pix":                  "Pix",
	"promptpay":            "PromptPay",
	"revolut_pay":          "Revolut Pay",
	"samsung_pay":          "Samsung Pay",
	"satispay":             "Satispay",
	"sepa_credit_transfer": "SEPA credit transfer",
	"sepa_debit":           "SEPA Direct Debit",
	"sofort":               "Sofort",
	"stripe_account":       "Stripe balance",
	"swish":                "Swish",
	"twint":                "TWINT",
	"upi":                  "UPI",
	"us_bank_account":      "ACH Direct Debit",
	"wechat":               "WeChat Pay",
	"wechat_pay":           "WeChat Pay",
	"zip":                  "Zip",
}

// identifierPattern matches the names that providers give to brands and types, such as "kakao_pay".
var identifierPattern = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// BrandName returns the display name of a card brand. It capitalises a brand that is not in the list, and returns
// "Card" for a text that can't be the name of a brand.
func BrandName(brand string) string {
	if name, ok := brandNames[brand]; ok {
		return name
	}
	if identifierPattern.MatchString(brand) {
		return capitaliseIdentifier(brand)
	}
	return "Card"
}

// MethodTypeName returns the display name of a type of payment methods. It capitalises a type that is not in the list.
// It returns a text that can't be a type unchanged, because the text is a label for customers already.
func MethodTypeName(label string) string {
	if name, ok := methodTypeNames[label]; ok {
		return name
	}
	switch {
	case identifierPattern.MatchString(label):
		return capitaliseIdentifier(label)
	case strings.Trim(label, "_") == "" || strings.HasPrefix(label, "__"):
		return "Payment method"
	}
	return label
}

// capitaliseIdentifier returns "Kakao pay" for "kakao_pay".
func capitaliseIdentifier(id string) string {
	words := strings.TrimRight(strings.ReplaceAll(id, "_", " "), " ")
	return strings.ToUpper(words[:1]) + words[1:]
}
