package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// newTrialSubWithInvoice returns a trial with a latest invoice in the status.
func newTrialSubWithInvoice(status billing.InvoiceStatus) billing.Subscription {
	s := newTrialSub("a", billing.Trialing, 0)
	s.LatestInvoice = &billing.Invoice{ID: "in_1", Status: status, AmountDue: aud(81600)}
	return s
}

// newPausedSub returns a subscription whose charges are paused until the given time. A zero time means a pause
// without an end.
func newPausedSub(until time.Time) billing.Subscription {
	s := newSub("a", billing.Active, 0)
	s.Pause = &billing.Pause{Until: until}
	return s
}

func TestNextCharge_ReturnsRenewalLessCreditOrNil(t *testing.T) {
	renewal := day0.AddDate(1, 0, 0)
	charge := func(minor int64) *billing.Charge { return &billing.Charge{Amount: aud(minor), At: renewal} }
	unknownRenewal := newSub("a", billing.Active, 0)
	unknownRenewal.Renewal = money.Amount{}
	endingLaterSub, invoicedSub := newSub("a", billing.Active, 0), newSub("a", billing.Active, 0)
	endingLaterSub.EndsAt = renewal.AddDate(0, 1, 0)
	invoicedSub.Invoicing = &billing.Invoicing{DaysUntilDue: 30}
	invoice := charge(81600)
	invoice.DueAt = renewal.AddDate(0, 0, 30)
	for name, tt := range map[string]struct {
		sub    billing.Subscription
		credit int64
		want   *billing.Charge
	}{
		"ending after the renewal":   {endingLaterSub, 0, charge(81600)},
		"invoiced by email":          {invoicedSub, 0, invoice},
		"active":                     {newSub("a", billing.Active, 0), 0, charge(81600)},
		"trialing":                   {newTrialSub("a", billing.Trialing, 0), 0, charge(81600)},
		"change scheduled":           {newSubWithScheduledChange(), 0, charge(3900)},
		"with credit":                {newSub("a", billing.Active, 0), 80000, charge(1600)},
		"with negative credit":       {newSub("a", billing.Active, 0), -20, charge(81620)},
		"credit exceeds the renewal": {newSub("a", billing.Active, 0), 90000, charge(0)},
		"below the minimum":          {newSub("a", billing.Active, 0), 81551, charge(0)},
		"unknown amount":             {unknownRenewal, 0, nil},
		"ending":                     {newEndingSub(), 0, nil},
		"paused":                     {newPausedSub(time.Time{}), 0, nil},
		"paused beyond the renewal":  {newPausedSub(renewal.Add(time.Second)), 0, nil},
		"paused until the renewal":   {newPausedSub(renewal), 0, charge(81600)},
		"past due":                   {newSub("a", billing.PastDue, 0), 0, nil},
		"first payment":              {newSub("a", billing.Incomplete, 0), 0, nil},
		"trial with an open invoice": {newTrialSubWithInvoice(billing.InvoiceOpen), 0, nil},
		"trial with a paid invoice":  {newTrialSubWithInvoice(billing.InvoicePaid), 0, nil},
		"trial with a void invoice":  {newTrialSubWithInvoice(billing.InvoiceVoid), 0, charge(81600)},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, tt.sub.NextCharge(aud(tt.credit), 50))
		})
	}
}

func TestDueTransfer_ReturnsOpenTransferInvoiceThatIsNotOverdue(t *testing.T) {
	dueAt := day0.AddDate(0, 0, 14)
	newTransferSubscription := func(change func(*billing.Subscription)) billing.Subscription {
		s := newTrialSubWithInvoice(billing.InvoiceOpen)
		s.Next = billing.NextAction{
			Kind: billing.Wait, InvoiceID: "in_1", Until: dueAt,
			Instructions: []billing.Instruction{{Label: "Account", Value: "1"}},
		}
		change(&s)
		return s
	}
	transfer := &billing.Transfer{Remaining: aud(81600), DueAt: dueAt}
	for name, tt := range map[string]struct {
		change func(*billing.Subscription)
		want   *billing.Transfer
	}{
		"in a trial":      {func(*billing.Subscription) {}, transfer},
		"after a renewal": {func(s *billing.Subscription) { s.Status = billing.Active }, transfer},
		"paid": {func(s *billing.Subscription) {
			s.LatestInvoice.Status, s.Next = billing.InvoicePaid, billing.NextAction{}
		}, nil},
		"overdue":           {func(s *billing.Subscription) { s.Status = billing.PastDue }, nil},
		"plan change open":  {func(s *billing.Subscription) { s.Pending = &billing.PendingChange{InvoiceID: "in_2"} }, nil},
		"collected by card": {func(s *billing.Subscription) { s.Next = billing.NextAction{} }, nil},
	} {
		s := newTransferSubscription(tt.change)
		assert.Equal(t, tt.want, s.DueTransfer(), name)
	}
}
