package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestOperation_CanChargeIfAnyActionCan(t *testing.T) {
	for _, tt := range []struct {
		op   billing.Operation
		want bool
	}{
		{billing.Operation{Actions: []billing.Action{{Kind: billing.SaveCardAction}, {Kind: billing.PayInvoiceAction}}}, true},
		{billing.Operation{Actions: []billing.Action{{Kind: billing.StartSubscriptionAction}}}, true},
		{billing.Operation{Actions: []billing.Action{{Kind: billing.ChangePlanAction}}}, true},
		{billing.Operation{Actions: []billing.Action{{Kind: "unknown"}}}, true},
		{billing.Operation{Actions: []billing.Action{{Kind: billing.SaveCardAction}, {Kind: billing.DeleteCardAction}}}, false},
		{billing.Operation{Actions: []billing.Action{{Kind: billing.EndUnpaidAction},
			{Kind: billing.SetDefaultCardAction}, {Kind: billing.CancelPendingChangeAction}}}, false},
		{billing.Operation{Actions: []billing.Action{{Kind: billing.CancelScheduledChangeAction},
			{Kind: billing.EndAtPeriodEndAction}, {Kind: billing.ResumeAction}}}, false},
		{billing.Operation{Actions: []billing.Action{{Kind: billing.ScheduleChangeAction}, {Kind: billing.EndNowAction}}}, false},
		{billing.Operation{Actions: []billing.Action{billing.CreateCustomer("ann@example.com")}}, false},
	} {
		assert.Equal(t, tt.want, tt.op.CanCharge(), "%v", tt.op.Actions)
	}
}

func TestFindResult_ReturnsSubscriptionOfOperation(t *testing.T) {
	start := billing.Operation{
		Key: "op_1", Actions: billing.AssignKeys("op_1", []billing.Action{{Kind: billing.StartSubscriptionAction}}),
	}
	pay := billing.Operation{Actions: []billing.Action{{Kind: billing.PayInvoiceAction, SubscriptionID: "a", Key: "op_1-1"}}}
	accountWithKey := func(key string, status billing.Status) *billing.Account {
		s := newSub("a", status, 0)
		s.StartKey = key
		return newAccount(s)
	}
	assert.Equal(t, "a", start.FindResult(accountWithKey("op_1-1", billing.Active)))
	assert.Equal(t, "a", start.FindResult(accountWithKey("op_1-1", billing.PastDue)))
	assert.Equal(t, "a", start.FindResult(accountWithKey("op_1-1", billing.Incomplete)), "the first payment is open")
	assert.Empty(t, pay.FindResult(accountWithKey("op_0-1", billing.Incomplete)), "the operation has not paid it")
	processingAccount := accountWithKey("op_1-1", billing.Incomplete)
	processingAccount.Subscriptions[0].Next = billing.NextAction{Kind: billing.Wait, InvoiceID: "in_1"}
	assert.Equal(t, "a", start.FindResult(processingAccount), "the first payment is processing")
	assert.Empty(t, start.FindResult(accountWithKey("op_2-1", billing.Active)), "another operation created it")
	assert.Empty(t, start.FindResult(accountWithKey("", billing.Active)), "an operator created it")
	assert.Equal(t, "a", pay.FindResult(accountWithKey("op_0-1", billing.Active)), "the operation paid an invoice of it")
	assert.Empty(t, pay.FindResult(newAccount()))
}

func TestIsDone_RequiresKeyAndResultOfAction(t *testing.T) {
	start := billing.Action{Kind: billing.StartSubscriptionAction, Key: "op_1-1"}
	change := billing.Action{Kind: billing.ChangePlanAction, Key: "op_1-1", Price: standardAUD}
	startedSub := newSub("a", billing.Incomplete, 0)
	startedSub.StartKey = "op_1-1"
	changedSub := newSub("a", billing.Active, 0)
	changedSub.StartKey, changedSub.ChangeKey = "op_0-1", "op_1-1"
	assert.True(t, start.IsDone(newAccount(startedSub)))
	assert.False(t, change.IsDone(newAccount(startedSub)))
	assert.False(t, start.IsDone(newAccount(changedSub)))
	assert.False(t, change.IsDone(newAccount(changedSub)), "the subscription has the key, but not the price")
	changedSub.Pending = &billing.PendingChange{To: standardAUD}
	assert.True(t, change.IsDone(newAccount(changedSub)), "the change is pending")
	changedSub.Pending, changedSub.Price = nil, standardAUD
	assert.True(t, change.IsDone(newAccount(changedSub)))
	pay := billing.Action{Kind: billing.PayInvoiceAction, InvoiceID: "in_1"}
	subWithInvoice := changedSub
	subWithInvoice.LatestInvoice = &billing.Invoice{ID: "in_1", Status: billing.InvoiceOpen}
	assert.False(t, pay.IsDone(newAccount(subWithInvoice)))
	subWithInvoice.LatestInvoice = &billing.Invoice{ID: "in_1", Status: billing.InvoicePaid}
	assert.True(t, pay.IsDone(newAccount(subWithInvoice)))
	changedSub.ChangeKey = "op_2-1"
	assert.False(t, change.IsDone(newAccount(changedSub)), "another operation changed it")
}

func TestAssignKeys_GivesEachActionItsOwnKey(t *testing.T) {
	actions := []billing.Action{{Kind: billing.SaveCardAction}, {Kind: billing.PayInvoiceAction}}
	keyedActions := billing.AssignKeys("op_1", actions)
	assert.Equal(t, "op_1-1", keyedActions[0].Key)
	assert.Equal(t, "op_1-2", keyedActions[1].Key)
	assert.Equal(t, billing.PayInvoiceAction, keyedActions[1].Kind)
	assert.Empty(t, actions[0].Key, "the input is unchanged")
}

func TestCheckMethodIDs_RefusesCardNumbers(t *testing.T) {
	for _, id := range []string{"4242424242424242", "4242 4242 4242 4242", "3782-822463-10005"} {
		err := billing.CheckMethodIDs([]billing.Action{{Kind: billing.PayInvoiceAction},
			{Kind: billing.DeleteCardAction, MethodID: id}})
		assertFault(t, err, fault.NotFound, "no such card")
	}
	for _, id := range []string{"", "pm_1NvdAb2eZvKYlo2C4242424242424242", "card_1234", "12345678901"} {
		assert.NoError(t, billing.CheckMethodIDs([]billing.Action{{Kind: billing.SaveCardAction, MethodID: id}}), id)
	}
}
