package stripeserver

import (
	"github.com/vc-admin/diy/adapters/fakepayment"
)

// debitType is the type of payment methods that are Australian bank accounts, the only ones of which the provider has
// test numbers.
const debitType = "au_becs_debit"

// testBSB is the bank and branch of test accounts.
const testBSB = "000000"

// accountEntry returns the given bank account.
func (c *call) accountEntry() (fakepayment.CardEntry, error) {
	if _, err := c.form.requiredText(debitType + "[bsb_number]"); err != nil {
		return fakepayment.CardEntry{}, err
	}
	number, err := c.form.requiredText(debitType + "[account_number]")
	return fakepayment.CardEntry{Number: number}, err
}

// methodType returns the type of the payment method.
func methodType(m fakepayment.CardRecord) string {
	if m.Account != "" {
		return debitType
	}
	return "card"
}

// accountFields returns the details of a bank account.
func accountFields(m fakepayment.CardRecord) object {
	return object{"bsb_number": testBSB, "last4": m.Account, "fingerprint": "account_" + m.Account}
}

// chargedMethod returns the details of the payment method as it was when it was charged; nil if they are not recorded.
func chargedMethod(m fakepayment.CardRecord) object {
	switch {
	case m.Account != "":
		return object{"type": debitType, debitType: accountFields(m)}
	case m.Card.Last4 != "":
		return object{"type": "card", "card": cardFields(m)}
	}
	return nil
}

// cardFields returns the details of a card.
func cardFields(m fakepayment.CardRecord) object {
	card := m.Card
	return object{
		"brand": card.Brand, "last4": card.Last4, "exp_month": card.ExpMonth, "exp_year": card.ExpYear,
		"fingerprint": card.Fingerprint,
		"funding":     "credit", "country": "US",
	}
}
