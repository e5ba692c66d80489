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

// checkChange checks a change now.
func checkChange(a *billing.Account, ref catalogue.PriceRef) error {
	return billing.CheckChange(a, billing.Change{To: ref})
}

func TestCheckChange_ReturnsTheReasonOfARefusal(t *testing.T) {
	developer := newAccount(subscription("a", billing.Active, 0))
	developer.DevLicense = &billing.License{IsDev: true}
	tests := []struct {
		name    string
		account *billing.Account
		ref     catalogue.PriceRef
		code    fault.Code
		message string
	}{
		{"to another plan", newAccount(subscription("a", billing.Active, 0)), standardAUD, "", ""},
		{"to another interval", newAccount(subscription("a", billing.Active, 0)),
			price("professional", catalogue.Monthly, "AUD"), "", ""},
		{"on a trial", newAccount(withTrial("a", billing.Trialing, 0)), standardAUD, "", ""},
		{"developer license", developer, standardAUD, fault.Forbidden, "developer licence"},
		{"no subscription", newAccount(), standardAUD, fault.Conflict, "no subscription to change"},
		{"only a past license", newAccount(subscription("a", billing.Canceled, 0)), standardAUD, fault.Conflict,
			"no subscription to change"},
		{"only an incomplete subscription", newAccount(subscription("a", billing.Incomplete, 0)), standardAUD, fault.Conflict,
			"no subscription to change"},
		{"to the current price", newAccount(subscription("a", billing.Active, 0)), professionalAUD, fault.Conflict,
			"current plan already"},
		{"to the current price on trial", newAccount(withTrial("a", billing.Trialing, 0)), professionalAUD,
			fault.Conflict, "current plan already"},
		{"to the current price, overdue", newAccount(subscription("a", billing.PastDue, 0)), professionalAUD,
			fault.Conflict, "current plan already"},
		{"to another currency", newAccount(subscription("a", billing.Active, 0)), professionalUSD, fault.Conflict,
			"pays in AUD, and the currency can't be changed"},
		{"while a payment waits for the bank's approval", newAccount(withUnapprovedInvoice()), standardAUD,
			fault.Conflict, "Approve it on the payment page"},
		{"while a payment is overdue", newAccount(subscription("a", billing.PastDue, 0)), standardAUD, fault.Conflict,
			"Pay the bill"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assertFault(t, checkChange(tt.account, tt.ref), tt.code, tt.message)
		})
	}
}

func TestCheckChange_AllowsOnlyThePendingChange(t *testing.T) {
	for _, status := range []billing.Status{billing.Active, billing.Trialing} {
		a := newAccount(withPendingChange(status))
		assert.NoError(t, checkChange(a, standardAUD), "the same target pays the invoice")
		assertFault(t, checkChange(a, price("standard", catalogue.Yearly, "AUD")), fault.Conflict, "waiting for its payment")
		assertFault(t, checkChange(a, professionalAUD), fault.Conflict, "waiting for its payment")
	}
}

func TestCheckChange_RefusesWhileAnInvoiceIsCollected(t *testing.T) {
	for status, refused := range map[billing.InvoiceStatus]bool{
		billing.InvoiceDraft: true, billing.InvoiceOpen: true, billing.InvoicePaid: false, billing.InvoiceVoid: false,
	} {
		s := withDeclinedInvoice(billing.Active)
		s.LatestInvoice.Status = status
		err := checkChange(newAccount(s), standardAUD)
		if refused {
			assertFault(t, err, fault.Conflict, "bill is being collected")
		} else {
			assert.NoError(t, err, status)
		}
	}
}

// The provider makes a change during a pause without charging for it.
func TestCheckChange_RefusesWhilePaymentsArePaused(t *testing.T) {
	s := subscription("a", billing.Active, 0)
	s.Pause = &billing.Pause{}
	for _, when := range []billing.ChangeTiming{billing.ChangeNow, billing.ChangeAtRenewal} {
		err := billing.CheckChange(newAccount(s), billing.Change{To: standardAUD, When: when})
		assertFault(t, err, fault.Conflict, "payments are paused")
	}
	assert.NoError(t, billing.CheckEnd(newAccount(s)), "ending is allowed")
}

func TestAccount_RefusesPurchaseAndChangeWithTwoLiveSubscriptions(t *testing.T) {
	a := newAccount(subscription("b", billing.Active, 2), subscription("a", billing.Active, 1))
	assertFault(t, checkChange(a, standardAUD), fault.Conflict, "more than one")
	assertFault(t, billing.CheckSubscribe(a, standardAUD), fault.Conflict, "already has a subscription")
}

func TestDecideChange_ChangesSchedulesOrPays(t *testing.T) {
	pending := subscription("a", billing.Active, 0)
	pending.Pending = &billing.PendingChange{To: standardAUD, InvoiceID: "in_2", Amount: aud(300)}
	change := billing.Action{
		Kind: billing.ChangePlanAction, CustomerID: "cus_1", SubscriptionID: "a", From: professionalAUD, Price: standardAUD,
	}
	endsTrial := change
	endsTrial.EndTrial = true
	for name, tt := range map[string]struct {
		account *billing.Account
		want    billing.Action
	}{
		"a paid plan": {newAccount(subscription("a", billing.Active, 0)), change},
		"in a trial":  {newAccount(withTrial("a", billing.Trialing, 0)), endsTrial},
		"a pending change": {newAccount(pending), billing.Action{
			Kind: billing.PayInvoiceAction, CustomerID: "cus_1", SubscriptionID: "a", InvoiceID: "in_2", Amount: aud(300),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			actions, err := billing.DecideChange(tt.account, billing.Change{To: standardAUD})
			require.NoError(t, err)
			assert.Equal(t, []billing.Action{tt.want}, actions)
		})
	}
	renewal := billing.Change{To: standardAUD, When: billing.ChangeAtRenewal}
	actions, err := billing.DecideChange(newAccount(subscription("a", billing.Active, 0)), renewal)
	require.NoError(t, err)
	scheduled := change
	scheduled.Kind = billing.ScheduleChangeAction
	assert.Equal(t, []billing.Action{scheduled}, actions)
	actions, err = billing.DecideChange(newAccount(withScheduledChange()), renewal)
	require.NoError(t, err)
	assert.Empty(t, actions, "it is scheduled already")

	_, err = billing.DecideChange(newAccount(), billing.Change{To: standardAUD})
	assertFault(t, err, fault.Conflict, "no subscription to change")
}

func TestDecideRestoreScheduledChange_RestoresOnlyALapsedChange(t *testing.T) {
	s := withScheduledChange()
	actions, err := billing.DecideRestoreScheduledChange(newAccount(s))
	require.NoError(t, err)
	assert.Empty(t, actions)

	s.Scheduled.Lapsed = true
	a := newAccount(s)
	assert.False(t, a.Live().Scheduled.Lapsed, "Lapsed is not stored")
	actions, err = billing.DecideRestoreScheduledChange(a)
	require.NoError(t, err)
	assert.Equal(t, []billing.Action{{
		Kind: billing.ScheduleChangeAction, CustomerID: "cus_1", SubscriptionID: "a", From: professionalAUD, Price: standardAUD,
	}}, actions)
	assert.WithinDuration(t, day0, a.NextCheck(day0), time.Minute)

	s.Hold = billing.HoldDisputed
	actions, err = billing.DecideRestoreScheduledChange(newAccount(s))
	require.NoError(t, err)
	assert.Empty(t, actions, "a subscription on hold is not changed")
	_, err = billing.DecideRestoreScheduledChange(newAccount())
	assertFault(t, err, fault.Conflict, "no subscription")
}

// accountWithOpenTransfer returns an account with a subscription whose customer pays an open invoice by bank transfer.
func accountWithOpenTransfer(status billing.Status) *billing.Account {
	a := newAccount(subscription("a", status, 0))
	a.Subscriptions[0].Next = billing.NextAction{
		Kind: billing.Wait, InvoiceID: "in_1", Instructions: []billing.Instruction{{Label: "Reference", Value: "INV-1"}},
	}
	return a
}

func TestCheckChange_RefusesWhileATransferIsOpen(t *testing.T) {
	assertFault(t, checkChange(accountWithOpenTransfer(billing.Active), standardAUD), fault.Conflict,
		"pay your open invoice first")
	assertFault(t, checkChange(accountWithOpenTransfer(billing.PastDue), standardAUD), fault.Conflict,
		"pay your open invoice first")
	a := accountWithOpenTransfer(billing.Active)
	a.Subscriptions[0].Pending = &billing.PendingChange{To: standardAUD, InvoiceID: "in_1"}
	assertFault(t, checkChange(a, standardAUD), fault.Conflict, "when its invoice is paid")
}
