package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestOperationIsPendingUntilSettled(t *testing.T) {
	op := billing.Operation{Key: "k", CreatedAt: day0}
	assert.True(t, op.Pending())
	op.SettledAt = day0
	assert.False(t, op.Pending())
}

func TestOperation_ChargesWhenOneOfItsStepsDoes(t *testing.T) {
	for _, tt := range []struct {
		op   billing.Operation
		want bool
	}{
		{billing.Operation{Steps: []billing.Step{{Kind: billing.SaveCardStep}, {Kind: billing.PayInvoiceStep}}}, true},
		{billing.Operation{Steps: []billing.Step{{Kind: billing.StartSubscriptionStep}}}, true},
		{billing.Operation{Steps: []billing.Step{{Kind: billing.ChangePlanStep}}}, true},
		{billing.Operation{Steps: []billing.Step{{Kind: "unknown"}}}, true},
		{billing.Operation{Steps: []billing.Step{{Kind: billing.SaveCardStep}, {Kind: billing.DeleteCardStep}}}, false},
		{billing.Operation{Steps: []billing.Step{{Kind: billing.EndUnpaidStep}, {Kind: billing.SetDefaultCardStep}, {Kind: billing.DropChangeStep}}}, false},
		{billing.Operation{Kind: billing.CustomerOperation}, false},
		{billing.Operation{Kind: billing.SubscriptionOperation}, true}, // begun by an earlier version
	} {
		assert.Equal(t, tt.want, tt.op.Charges(), "%v", tt.op.Steps)
	}
}

func TestOperation_OutcomeIsRecognisedByItsKeyWhateverTheClocksSay(t *testing.T) {
	started := billing.Operation{Key: "op_1", Steps: billing.Keyed("op_1", []billing.Step{{Kind: billing.StartSubscriptionStep}})}
	paid := billing.Operation{Steps: []billing.Step{{Kind: billing.PayInvoiceStep, SubscriptionID: "a", Key: "op_1-1"}}}
	by := func(key string, status billing.Status) *billing.Account {
		s := subscription("a", status, 0)
		s.MadeBy = key
		return customer(s)
	}
	assert.Equal(t, "a", started.Outcome(by("op_1-1", billing.Active)))
	assert.Equal(t, "a", started.Outcome(by("op_1-1", billing.PastDue)))
	assert.Empty(t, started.Outcome(by("op_1-1", billing.Incomplete)), "it is not live")
	assert.Empty(t, started.Outcome(by("op_2-1", billing.Active)), "another operation made it")
	assert.Empty(t, started.Outcome(by("", billing.Active)), "it was made at the provider")
	assert.Equal(t, "a", paid.Outcome(by("op_0-1", billing.Active)), "it was paid")
	assert.Empty(t, paid.Outcome(customer()))
}

func TestStep_DoneIsRecognisedByItsKey(t *testing.T) {
	start := billing.Step{Kind: billing.StartSubscriptionStep, Key: "op_1-1"}
	change := billing.Step{Kind: billing.ChangePlanStep, Key: "op_1-1", Price: standardAUD}
	made := subscription("a", billing.Incomplete, 0)
	made.MadeBy = "op_1-1"
	changed := subscription("a", billing.Active, 0)
	changed.MadeBy, changed.ChangedBy = "op_0-1", "op_1-1"
	assert.True(t, start.Done(customer(made)))
	assert.False(t, change.Done(customer(made)))
	assert.False(t, start.Done(customer(changed)))
	assert.False(t, change.Done(customer(changed)), "marked, but not changed yet")
	changed.Pending = &billing.PendingChange{To: standardAUD}
	assert.True(t, change.Done(customer(changed)), "it is pending")
	changed.Pending, changed.Price = nil, standardAUD
	assert.True(t, change.Done(customer(changed)))
	pay := billing.Step{Kind: billing.PayInvoiceStep, InvoiceID: "in_1"}
	billed := changed
	billed.LatestInvoice = &billing.Invoice{ID: "in_1", Status: billing.InvoiceOpen}
	assert.False(t, pay.Done(customer(billed)))
	billed.LatestInvoice = &billing.Invoice{ID: "in_1", Status: billing.InvoicePaid}
	assert.True(t, pay.Done(customer(billed)))
	changed.ChangedBy = "op_2-1"
	assert.False(t, change.Done(customer(changed)), "another operation changed it")
}
