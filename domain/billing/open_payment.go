package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// OpenPaymentKind says what an open payment is for.
type OpenPaymentKind string

// The kinds of open payment.
const (
	FirstPayment      OpenPaymentKind = "first_payment"  // of an incomplete subscription
	OverduePayment    OpenPaymentKind = "overdue"        // of a subscription that is past due
	PlanChangePayment OpenPaymentKind = "plan_change"    // of a pending plan change
	Authentication    OpenPaymentKind = "authentication" // of a trial's card; there is nothing to pay yet
)

// OpenPayment is what an organisation still has to pay or to approve.
type OpenPayment struct {
	Kind           OpenPaymentKind
	SubscriptionID string
	InvoiceID      string             // "" for Authentication
	Amount         money.Amount       // zero for Authentication
	Since          time.Time          // when the invoice was made
	NextAttemptAt  time.Time          // when the provider tries again by itself; zero when it won't
	ExpiresAt      time.Time          // when it can't be paid any more; zero when that isn't known
	Price          catalogue.PriceRef // what is paid for: for PlanChangePayment the new price
	Reason         string             // why the last attempt failed
}

// OpenPayment returns what the organisation has to pay or to approve next, or nil. There is at most
// one at a time: a change is refused while anything else is open.
func (a *Account) OpenPayment() *OpenPayment {
	if open := a.Open(); open != nil {
		return open.openInvoice(FirstPayment)
	}
	live := a.Live()
	switch {
	case live == nil:
		return nil
	case live.Pending != nil:
		return live.openChange()
	case live.Status == PastDue:
		return live.openInvoice(OverduePayment)
	case live.PendingSetup != nil:
		return &OpenPayment{
			Kind: Authentication, SubscriptionID: live.ID, Price: live.Price, ExpiresAt: live.TrialEnd, Reason: live.Next.Reason,
		}
	}
	return nil
}

func (s *Subscription) openInvoice(kind OpenPaymentKind) *OpenPayment {
	if s.LatestInvoice == nil {
		return nil
	}
	return &OpenPayment{
		Kind: kind, SubscriptionID: s.ID, InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountDue,
		Since: s.LatestInvoice.CreatedAt, NextAttemptAt: s.LatestInvoice.NextAttemptAt, Price: s.Price, Reason: s.Next.Reason,
	}
}

func (s *Subscription) openChange() *OpenPayment {
	open := &OpenPayment{
		Kind: PlanChangePayment, SubscriptionID: s.ID, InvoiceID: s.Pending.InvoiceID, Amount: s.Pending.Amount,
		ExpiresAt: s.Pending.ExpiresAt, Price: s.Pending.To, Reason: s.Next.Reason,
	}
	if s.LatestInvoice != nil && s.LatestInvoice.ID == s.Pending.InvoiceID {
		open.Since = s.LatestInvoice.CreatedAt
	}
	return open
}
