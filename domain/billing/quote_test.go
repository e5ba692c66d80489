package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// trialWithInvoice returns a trial with a latest invoice in the status.
func trialWithInvoice(status billing.InvoiceStatus) billing.Subscription {
	s := withTrial("a", billing.Trialing, 0)
	s.LatestInvoice = &billing.Invoice{ID: "in_1", Status: status, AmountDue: aud(81600)}
	return s
}

// pausedSubscription returns a subscription whose charges are paused until the given time. A zero time means a pause
// without an end.
func pausedSubscription(until time.Time) billing.Subscription {
	s := subscription("a", billing.Active, 0)
	s.Pause = &billing.Pause{Until: until}
	return s
}

func TestNextCharge_ReturnsRenewalLessCreditOrNil(t *testing.T) {
	renewal := day0.AddDate(1, 0, 0)
	charge := func(minor int64) *billing.Charge { return &billing.Charge{Amount: aud(minor), At: renewal} }
	unknownRenewal := subscription("a", billing.Active, 0)
	unknownRenewal.Renewal = money.Amount{}
	for name, tt := range map[string]struct {
		sub    billing.Subscription
		credit int64
		want   *billing.Charge
	}{
		"active":                     {subscription("a", billing.Active, 0), 0, charge(81600)},
		"trialing":                   {withTrial("a", billing.Trialing, 0), 0, charge(81600)},
		"change scheduled":           {withScheduledChange(), 0, charge(3900)},
		"with credit":                {subscription("a", billing.Active, 0), 80000, charge(1600)},
		"with negative credit":       {subscription("a", billing.Active, 0), -20, charge(81620)},
		"credit exceeds the renewal": {subscription("a", billing.Active, 0), 90000, charge(0)},
		"below the minimum":          {subscription("a", billing.Active, 0), 81551, charge(0)},
		"unknown amount":             {unknownRenewal, 0, nil},
		"ending":                     {endingSubscription(), 0, nil},
		"paused":                     {pausedSubscription(time.Time{}), 0, nil},
		"paused beyond the renewal":  {pausedSubscription(renewal.Add(time.Second)), 0, nil},
		"paused until the renewal":   {pausedSubscription(renewal), 0, charge(81600)},
		"past due":                   {subscription("a", billing.PastDue, 0), 0, nil},
		"first payment":              {subscription("a", billing.Incomplete, 0), 0, nil},
		"trial with an open invoice": {trialWithInvoice(billing.InvoiceOpen), 0, nil},
		"trial with a paid invoice":  {trialWithInvoice(billing.InvoicePaid), 0, nil},
		"trial with a void invoice":  {trialWithInvoice(billing.InvoiceVoid), 0, charge(81600)},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, tt.sub.NextCharge(aud(tt.credit), 50))
		})
	}
}

func TestDueTransfer_ReturnsOpenTransferInvoiceThatIsNotOverdue(t *testing.T) {
	dueAt := day0.AddDate(0, 0, 14)
	newTransferSubscription := func(change func(*billing.Subscription)) billing.Subscription {
		s := trialWithInvoice(billing.InvoiceOpen)
		s.Next = billing.NextAction{
			Kind: billing.Wait, InvoiceID: "in_1", Until: dueAt,
			Instructions: []billing.Instruction{{Label: "Account", Value: "1"}},
		}
		change(&s)
		return s
	}
	charge := &billing.Charge{Amount: aud(81600), At: dueAt}
	for name, tt := range map[string]struct {
		change func(*billing.Subscription)
		want   *billing.Charge
	}{
		"in a trial":      {func(*billing.Subscription) {}, charge},
		"after a renewal": {func(s *billing.Subscription) { s.Status = billing.Active }, charge},
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
