package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/timezone"
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

func TestLastDispute_IsTheLatestDisputeSinceTheLastLiftedHold(t *testing.T) {
	invoiceWith := func(id string, kind billing.ReturnKind, days int, zone timezone.Zone) billing.Invoice {
		return billing.Invoice{ID: id, TimeZone: zone, Returns: []billing.Return{{Kind: kind, At: day0.AddDate(0, 0, days)}}}
	}
	invoices := []billing.Invoice{
		invoiceWith("in_3", billing.ReturnByDispute, 3, "Australia/Sydney"), invoiceWith("in_5", billing.ReturnByDispute, 5, "Europe/Paris"),
		invoiceWith("in_9", billing.ReturnRefund, 9, "UTC"), {},
	}
	reported := func(invoiceID, period string) billing.Notice {
		return billing.Notice{Kind: billing.PaymentReturned, SubjectID: invoiceID, Period: period}
	}
	first, second := reported("in_3", "2026-02-03T10:00:00Z"), reported("in_5", "2026-02-05T10:00:00Z")
	lift, unknown := billing.Notice{Kind: billing.HoldLifted, SubjectID: "cus_1", Period: "7"}, reported("cus_1", "1")
	for name, tt := range map[string]struct {
		queuedNotices []billing.Notice
		invoices      []billing.Invoice
		wantDay       int // after day0; 0 for no dispute
		wantZone      timezone.Zone
	}{
		"the latest dispute":                         {[]billing.Notice{first, second}, invoices, 5, "Europe/Paris"},
		"disputes without notices":                   {nil, invoices, 5, "Europe/Paris"},
		"a refund only":                              {nil, invoices[2:], 0, ""},
		"a dispute after a lifted hold":              {[]billing.Notice{first, lift, second}, invoices, 5, "Europe/Paris"},
		"an earlier dispute reported after the lift": {[]billing.Notice{second, lift, first}, invoices, 3, "Australia/Sydney"},
		"a later hold without a known dispute":       {[]billing.Notice{first, second, lift, unknown}, invoices, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			at, zone := billing.LastDispute(tt.invoices, tt.queuedNotices)

			var want time.Time
			if tt.wantDay > 0 {
				want = day0.AddDate(0, 0, tt.wantDay)
			}
			assert.Equal(t, want, at)
			assert.Equal(t, tt.wantZone, zone)
		})
	}
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
