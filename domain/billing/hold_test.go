package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// newSubOnHold returns a subscription that was reported with a hold.
func newSubOnHold(status billing.Status) billing.Subscription {
	s := newSub("a", status, 0)
	s.Hold = billing.HoldDisputed
	return s
}

func TestHold_RefusesChangeAndAllowsEnd(t *testing.T) {
	for name, a := range map[string]*billing.Account{
		"hold of the live subscription": newAccount(newSubOnHold(billing.Active)),
		"hold of a former subscription": newAccount(newSub("b", billing.Active, 1),
			newSubOnHold(billing.Canceled)),
		"hold of an expired order": newAccount(newSub("b", billing.Active, 1),
			newSubOnHold(billing.IncompleteExpired)),
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, billing.HoldDisputed, a.Hold())
			for _, timing := range []billing.ChangeTiming{billing.ChangeNow, billing.ChangeAtRenewal} {
				err := billing.CheckChange(a, billing.Change{To: standardAUD, Timing: timing})
				assertFault(t, err, fault.Conflict, "contact us")
				assert.ErrorIs(t, err, billing.ErrOnHold)
			}
			assert.NoError(t, billing.CheckEnd(a))
		})
	}
}

func TestHold_RefusesNewSubscription(t *testing.T) {
	a := newAccount(newSubOnHold(billing.Canceled))
	assertFault(t, billing.CheckSubscribe(a, standardAUD), fault.Conflict, "disputed")
}

func TestCheckPaymentHold_RefusesFirstAndPlanChangePaymentsOnly(t *testing.T) {
	a := newAccount(newSubOnHold(billing.Canceled))
	for kind, isRefused := range map[billing.OpenPaymentKind]bool{
		billing.FirstPayment: true, billing.PlanChangePayment: true,
		billing.OverduePayment: false, billing.OwedPayment: false, billing.Authentication: false,
	} {
		assert.Equal(t, isRefused, a.CheckPaymentHold(billing.OpenPayment{Kind: kind}) != nil, kind)
	}
}

func TestLastDisputeAt_IsTheTimeOfTheLatestDispute(t *testing.T) {
	invoiceWith := func(kind billing.ReturnKind, days int) billing.Invoice {
		return billing.Invoice{Returns: []billing.Return{{Kind: kind, At: day0.AddDate(0, 0, days)}}}
	}
	invoices := []billing.Invoice{
		invoiceWith(billing.ReturnByDispute, 3), invoiceWith(billing.ReturnByDispute, 5), invoiceWith(billing.ReturnRefund, 9), {},
	}
	assert.Equal(t, day0.AddDate(0, 0, 5), billing.LastDisputeAt(invoices))
	assert.Zero(t, billing.LastDisputeAt(invoices[2:]))
}

func TestLiftHoldsOfFormerCustomers_KeepsHoldsOfCurrentCustomer(t *testing.T) {
	formerSub, currentSub := newSubOnHold(billing.Canceled),
		newSubOnHold(billing.Active)
	formerSub.ID, formerSub.CustomerID = "b", "cus_former"
	a := newAccount(currentSub, formerSub)

	a.LiftHoldsOfFormerCustomers()

	assert.Equal(t, billing.HoldDisputed, a.Subscriptions[0].Hold)
	assert.Equal(t, billing.NoHold, a.Subscriptions[1].Hold)
	revision := a.Revision
	a.LiftHoldsOfFormerCustomers()
	assert.Equal(t, revision, a.Revision, "a second call changes nothing")
}
