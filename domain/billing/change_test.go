package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// checkChangeNow calls CheckChange for an immediate change to the price.
func checkChangeNow(a *billing.Account, ref catalogue.PriceRef) error {
	return billing.CheckChange(a, billing.Change{To: ref})
}

func TestCheckChange_AllowsChangeOrReturnsReason(t *testing.T) {
	managedSub := newSub("a", billing.Active, 0)
	managedSub.Managed = true
	tests := []struct {
		name    string
		account *billing.Account
		ref     catalogue.PriceRef
		code    fault.Code
		message string
	}{
		{"allows another plan", newAccount(newSub("a", billing.Active, 0)), standardAUD, "", ""},
		{"allows another interval", newAccount(newSub("a", billing.Active, 0)),
			price("professional", catalogue.Monthly, "AUD"), "", ""},
		{"allows another plan during a trial", newAccount(newTrialSub("a", billing.Trialing, 0)), standardAUD, "", ""},
		{"refuses a developer license", newDeveloperAccount(), standardAUD, fault.Forbidden, "developer licence"},
		{"refuses without a subscription", newAccount(), standardAUD, fault.Conflict, "no subscription to change"},
		{"refuses with a past license only", newAccount(newSub("a", billing.Canceled, 0)), standardAUD, fault.Conflict,
			"no subscription to change"},
		{"refuses with an incomplete subscription only", newAccount(newSub("a", billing.Incomplete, 0)), standardAUD,
			fault.Conflict, "no subscription to change"},
		{"refuses the current price", newAccount(newSub("a", billing.Active, 0)), professionalAUD, fault.Conflict,
			"current plan already"},
		{"refuses the current price during a trial", newAccount(newTrialSub("a", billing.Trialing, 0)), professionalAUD,
			fault.Conflict, "current plan already"},
		{"refuses the current price of an overdue plan", newAccount(newSub("a", billing.PastDue, 0)), professionalAUD,
			fault.Conflict, "current plan already"},
		{"refuses a plan that an operator has agreed", newAccount(managedSub), standardAUD, fault.Conflict, "contact us"},
		{"refuses another currency", newAccount(newSub("a", billing.Active, 0)), professionalUSD, fault.Conflict,
			"pays in AUD, and the currency can't be changed"},
		{"refuses while a payment waits for the customer's approval", newAccount(newUnapprovedSub()), standardAUD,
			fault.Conflict, "Approve it on the payment page"},
		{"refuses while a payment is overdue", newAccount(newSub("a", billing.PastDue, 0)), standardAUD, fault.Conflict,
			"Pay the invoice"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assertFault(t, checkChangeNow(tt.account, tt.ref), tt.code, tt.message)
		})
	}
}

func TestCheckChange_WithPendingChangeAllowsSameTargetOnly(t *testing.T) {
	for _, status := range []billing.Status{billing.Active, billing.Trialing} {
		a := newAccount(newSubWithPendingChange(status))
		assert.NoError(t, checkChangeNow(a, standardAUD), "the same target pays the invoice")
		assertFault(t, checkChangeNow(a, price("standard", catalogue.Yearly, "AUD")), fault.Conflict, "waiting for its payment")
		assertFault(t, checkChangeNow(a, professionalAUD), fault.Conflict, "waiting for its payment")
	}
}

func TestCheckChange_RefusesWhileAnInvoiceIsCollected(t *testing.T) {
	for status, isRefused := range map[billing.InvoiceStatus]bool{
		billing.InvoiceDraft: true, billing.InvoiceOpen: true, billing.InvoicePaid: false, billing.InvoiceVoid: false,
	} {
		s := newDeclinedSub(billing.Active)
		s.LatestInvoice.Status = status
		err := checkChangeNow(newAccount(s), standardAUD)
		if isRefused {
			assertFault(t, err, fault.Conflict, "invoice is being collected")
		} else {
			assert.NoError(t, err, status)
		}
	}
}

// During a pause the provider would make the change without charging for it.
func TestCheckChange_RefusesWhilePaymentsArePaused(t *testing.T) {
	s := newSub("a", billing.Active, 0)
	s.Pause = &billing.Pause{}
	for _, timing := range []billing.ChangeTiming{billing.ChangeNow, billing.ChangeAtRenewal} {
		err := billing.CheckChange(newAccount(s), billing.Change{To: standardAUD, Timing: timing})
		assertFault(t, err, fault.Conflict, "payments are paused")
	}
	assert.NoError(t, billing.CheckEnd(newAccount(s)), "ending is allowed")
}

func TestAccount_RefusesPurchaseAndChangeWithTwoLiveSubscriptions(t *testing.T) {
	a := newAccount(newSub("b", billing.Active, 2), newSub("a", billing.Active, 1))
	assertFault(t, checkChangeNow(a, standardAUD), fault.Conflict, "more than one")
	assertFault(t, billing.CheckSubscribe(a, standardAUD), fault.Conflict, "already has a subscription")
}

func TestDecideChange_ReturnsActionForStateOfSubscription(t *testing.T) {
	pendingSub := newSub("a", billing.Active, 0)
	pendingSub.Pending = &billing.PendingChange{To: standardAUD, InvoiceID: "in_2", Amount: aud(300)}
	change := billing.Action{
		Kind: billing.ChangePlanAction, CustomerID: "cus_1", SubscriptionID: "a", From: professionalAUD, Price: standardAUD,
	}
	changeInTrial := change
	changeInTrial.EndTrial = true
	for name, tt := range map[string]struct {
		account *billing.Account
		want    billing.Action
	}{
		"paid plan": {newAccount(newSub("a", billing.Active, 0)), change},
		"trial":     {newAccount(newTrialSub("a", billing.Trialing, 0)), changeInTrial},
		"pending change": {newAccount(pendingSub), billing.Action{
			Kind: billing.PayInvoiceAction, CustomerID: "cus_1", SubscriptionID: "a", InvoiceID: "in_2", Amount: aud(300),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			actions, err := billing.DecideChange(tt.account, billing.Change{To: standardAUD})
			require.NoError(t, err)
			assert.Equal(t, []billing.Action{tt.want}, actions)
		})
	}

	_, err := billing.DecideChange(newAccount(), billing.Change{To: standardAUD})
	assertFault(t, err, fault.Conflict, "no subscription to change")
}

func TestDecideChange_AtRenewalSchedulesChangeOnce(t *testing.T) {
	change := billing.Change{To: standardAUD, Timing: billing.ChangeAtRenewal}

	actions, err := billing.DecideChange(newAccount(newSub("a", billing.Active, 0)), change)
	require.NoError(t, err)
	assert.Equal(t, []billing.Action{{
		Kind: billing.ScheduleChangeAction, CustomerID: "cus_1", SubscriptionID: "a", From: professionalAUD, Price: standardAUD,
	}}, actions)

	actions, err = billing.DecideChange(newAccount(newSubWithScheduledChange()), change)
	require.NoError(t, err)
	assert.Empty(t, actions, "the change is scheduled already")
}

func TestDecideRestoreScheduledChange_RestoresOnlyLapsedChange(t *testing.T) {
	s := newSubWithScheduledChange()
	actions, err := billing.DecideRestoreScheduledChange(newAccount(s))
	require.NoError(t, err)
	assert.Empty(t, actions)

	s.Scheduled.Lapsed = true
	a := newAccount(s)
	assert.False(t, a.LiveSubscription().Scheduled.Lapsed, "Lapsed is not stored")
	actions, err = billing.DecideRestoreScheduledChange(a)
	require.NoError(t, err)
	assert.Equal(t, []billing.Action{{
		Kind: billing.ScheduleChangeAction, CustomerID: "cus_1", SubscriptionID: "a", From: professionalAUD, Price: standardAUD,
	}}, actions)
	assert.WithinDuration(t, day0, a.NextCheck(day0), time.Minute, "the next check restores the change soon")

	s.Hold = billing.HoldDisputed
	actions, err = billing.DecideRestoreScheduledChange(newAccount(s))
	require.NoError(t, err)
	assert.Empty(t, actions, "a subscription on hold is not changed")
	_, err = billing.DecideRestoreScheduledChange(newAccount())
	assertFault(t, err, fault.Conflict, "no subscription")
}

// newAccountWithOpenTransfer returns an account with an open invoice that the customer pays by bank transfer.
func newAccountWithOpenTransfer(status billing.Status) *billing.Account {
	a := newAccount(newSub("a", status, 0))
	a.Subscriptions[0].Next = billing.NextAction{
		Kind: billing.Wait, InvoiceID: "in_1", Instructions: []billing.Instruction{{Label: "Reference", Value: "INV-1"}},
	}
	return a
}

func TestCheckChange_RefusesWhileBankTransferIsOpen(t *testing.T) {
	assertFault(t, checkChangeNow(newAccountWithOpenTransfer(billing.Active), standardAUD), fault.Conflict,
		"pay your open invoice first")
	assertFault(t, checkChangeNow(newAccountWithOpenTransfer(billing.PastDue), standardAUD), fault.Conflict,
		"pay your open invoice first")
	a := newAccountWithOpenTransfer(billing.Active)
	a.Subscriptions[0].Pending = &billing.PendingChange{To: standardAUD, InvoiceID: "in_1"}
	assertFault(t, checkChangeNow(a, standardAUD), fault.Conflict, "when its invoice is paid")
}
