package storagetest

import (
	"testing"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func customerIsUnique(t *testing.T, h Harness) {
	requireRefused(t, h, fault.Conflict, func(o *account.Organisation) { o.Billing.CustomerID = "customer of first" })
}

func oneLiveSubscription(t *testing.T, h Harness) {
	for _, status := range []billing.Status{billing.Trialing, billing.Active, billing.PastDue} {
		t.Run(string(status), func(t *testing.T) {
			requireRefused(t, h, fault.Conflict, func(o *account.Organisation) {
				another := subscription("another", status, noon.Add(time.Hour)) // Record would leave it out
				o.Billing.Subscriptions = append([]billing.Subscription{another}, o.Billing.Subscriptions...)
			})
		})
	}
}

func subscriptionIsUnique(t *testing.T, h Harness) {
	requireRefused(t, h, fault.Conflict, func(o *account.Organisation) {
		o.Billing.Record(subscription("sub of first", billing.Canceled, noon))
	})
}

func updateRefusesTakenName(t *testing.T, h Harness) {
	requireRefused(t, h, fault.Duplicate, func(o *account.Organisation) { o.Name = "  PRACTICE of first" })
}

// requireRefused has two organisations with a customer and a live subscription each, and wants
// the change to the second one refused whole: the phone it changes besides stays as well.
func requireRefused(t *testing.T, h Harness, code fault.Code, change func(*account.Organisation)) {
	t.Helper()
	s := h.Open(t)
	first, second := subscribed(t, s, "first"), subscribed(t, s, "second")
	_, err := s.UpdateOrganisation(t.Context(), second.ID, func(o *account.Organisation) error {
		o.Phone = "changed"
		change(o)
		return nil
	})
	requireFault(t, code, err)
	if code == fault.Duplicate {
		requireDuplicate(t, err, "org")
	}
	requireOrganisation(t, s, first)
	requireOrganisation(t, s, second)
}
