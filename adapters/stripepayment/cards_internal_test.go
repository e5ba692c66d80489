package stripepayment

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

func TestCardOf_NamesMethodsThatAreNoCards(t *testing.T) {
	becs := &stripe.PaymentMethod{ID: "pm_1", Type: "au_becs_debit",
		AUBECSDebit: &stripe.PaymentMethodAUBECSDebit{Last4: "3456"}}
	assert.Equal(t, billing.PaymentMethod{ID: "pm_1", Kind: billing.BankDebitMethod,
		Label: "BECS Direct Debit •••• 3456"}, cardOf(becs))
	link := &stripe.PaymentMethod{ID: "pm_2", Type: "link"}
	assert.Equal(t, billing.PaymentMethod{ID: "pm_2", Kind: billing.OtherMethod, Label: "link"}, cardOf(link))
}
