package fakepayment

import "crypto/rand"

// The prefixes by which people tell Stripe's ids apart.
const (
	customerPrefix     = "cus_"
	cardPrefix         = "pm_"
	subscriptionPrefix = "sub_"
	invoicePrefix      = "in_"
	paymentPrefix      = "pi_"
	setupPrefix        = "seti_"
	eventPrefix        = "evt_"

	secretInfix = "_secret_"
)

// newID makes an id that nobody can guess.
func newID(prefix string) string { return prefix + rand.Text() }
