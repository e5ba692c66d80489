package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestIdentity_IsEqualForSameCardNumberAndExpiry(t *testing.T) {
	card := billing.Card{Brand: "visa", Last4: "4242", ExpMonth: 12, ExpYear: 2030, Fingerprint: "f1"}
	renewedCard, otherCard := card, card
	renewedCard.ExpYear = 2034
	otherCard.Fingerprint = "f2"
	identity := func(id string, c billing.Card) string { return billing.PaymentMethod{ID: id, Card: c}.Identity() }

	assert.Equal(t, identity("pm_1", card), identity("pm_2", card))
	assert.NotEqual(t, identity("pm_1", card), identity("pm_1", renewedCard))
	assert.NotEqual(t, identity("pm_1", card), identity("pm_1", otherCard))
	card.Fingerprint = ""
	assert.NotEqual(t, identity("pm_1", card), identity("pm_2", card), "unknown fingerprints are not compared")
}

func TestIdentity_IsEqualForSameBankAccount(t *testing.T) {
	duplicate := bankAccount
	duplicate.ID = "pm_2"
	assert.Equal(t, bankAccount.Identity(), duplicate.Identity())
}

func TestUniqueMethods_ReturnsTheDefaultOrElseTheNewestOfIdenticalMethods(t *testing.T) {
	method := func(id string) billing.PaymentMethod { // identical to others with the same first letter
		return billing.PaymentMethod{ID: id, Card: billing.Card{Fingerprint: id[:1]}}
	}
	methods := []billing.PaymentMethod{method("a2"), method("b"), method("a1")}
	assert.Equal(t, []billing.PaymentMethod{method("a2"), method("b")}, billing.UniqueMethods(methods, ""))
	assert.Equal(t, []billing.PaymentMethod{method("a2"), method("b")}, billing.UniqueMethods(methods, "b"))
	assert.Equal(t, []billing.PaymentMethod{method("b"), method("a1")}, billing.UniqueMethods(methods, "a1"))
	assert.Equal(t, []billing.PaymentMethod{method("a2")}, billing.DuplicatesOf("a1", methods))
	assert.Empty(t, billing.DuplicatesOf("b", methods))
	assert.Empty(t, billing.DuplicatesOf("unknown", methods))
}
