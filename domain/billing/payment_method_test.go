package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestPaymentMethod_IdentityIsNumberAndExpiry(t *testing.T) {
	card := billing.Card{Brand: "visa", Last4: "4242", ExpMonth: 12, ExpYear: 2030, Fingerprint: "f1"}
	renewed, other := card, card
	renewed.ExpYear = 2034
	other.Fingerprint = "f2"
	identity := func(id string, c billing.Card) string { return billing.PaymentMethod{ID: id, Card: c}.Identity() }

	assert.Equal(t, identity("pm_1", card), identity("pm_2", card))
	assert.NotEqual(t, identity("pm_1", card), identity("pm_1", renewed))
	assert.NotEqual(t, identity("pm_1", card), identity("pm_1", other))
	card.Fingerprint = ""
	assert.NotEqual(t, identity("pm_1", card), identity("pm_2", card), "unknown fingerprints are not compared")
}
