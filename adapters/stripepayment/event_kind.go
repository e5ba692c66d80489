package stripepayment

import (
	"strings"

	"github.com/vc-admin/diy/ports/payment"
)

// kindOf sorts Stripe's names of events. Invoices that are of no subscription are none of ours. A
// card that was authenticated ends what a trial waits for, so it is told as a change of the
// customer's cards.
func kindOf(name, subscriptionID string) payment.EventKind {
	switch {
	case name == "customer.deleted":
		return payment.CustomerDeleted
	case name == "customer.created", name == "customer.updated",
		strings.HasPrefix(name, "payment_method."), strings.HasPrefix(name, "setup_intent."):
		return payment.CustomerChanged
	case subscriptionID == "":
		return payment.Other
	case strings.HasPrefix(name, "customer.subscription."), strings.HasPrefix(name, "invoice."):
		return payment.SubscriptionChanged
	}
	return payment.Other
}
