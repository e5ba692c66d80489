package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// Quote describes the cost of a new subscription or a plan change. The same request for the same instant charges
// exactly DueNow.
type Quote struct {
	At           time.Time // the proration date of a change now; the time of a change at renewal
	Lines        []Line    // the lines of the invoice that is due now or at the renewal
	Tax          money.Amount
	Total        money.Amount // the sum of Lines
	DueNow       money.Amount // Total after credit, never negative; zero for a change at renewal
	CreditBefore money.Amount // the customer's credit before the request
	CreditAfter  money.Amount // the credit after the request; a negative Total increases the credit
	EndsTrial    bool         // the request ends the running trial
	Next         Charge       // the first automatic charge afterwards
	// DueAt is the due date of an invoice that the customer pays by transfer. It is zero if DueNow is charged now or the
	// date is unknown. A plan change is made when the transfer arrives.
	DueAt time.Time
	// ApprovalDueDays is the payment term of an order, in days. The invoice of an order is issued when the order is approved.
	// ApprovalDueDays is 0 if the request needs no approval. All dates of an order are estimates that assume its approval now.
	ApprovalDueDays int
	Renewal         money.Amount // the total of each later renewal's invoice, before credit; zero when unknown
}

// QuotedAmounts contains the amounts of a quote that the customer has accepted. The zero value accepts any amounts.
type QuotedAmounts struct {
	DueNow, CreditAfter money.Amount
}

// Check returns ErrQuoteOutdated if the request would now cost other amounts.
func (q QuotedAmounts) Check(current Quote) error {
	if q == (QuotedAmounts{}) ||
		q.DueNow.Minor() == current.DueNow.Minor() && q.CreditAfter.Minor() == current.CreditAfter.Minor() {
		return nil
	}
	return ErrQuoteOutdated()
}

// ErrQuoteOutdated returns the Conflict for a request that would cost other amounts than its quote.
func ErrQuoteOutdated() error {
	return fault.New(fault.Conflict, "The amount may have changed, and nothing was charged. Please look at it again.")
}

// QuoteDifference describes a charge that differs from its quote. Only a provider that can't check QuotedAmounts and
// charge in one step can make such a charge.
type QuoteDifference struct {
	Quoted, Charged money.Amount
}

// Charge is a future automatic charge, or a future invoice that the provider sends by email.
type Charge struct {
	Amount money.Amount // the amount after credit was used
	At     time.Time    // when it is charged, or the invoice is issued
	DueAt  time.Time    // when an invoice that is sent by email is due; zero for an automatic charge
}

// Transfer is an issued invoice that the customer pays outside of the browser, for example by bank transfer.
type Transfer struct {
	Remaining money.Amount
	DueAt     time.Time
}

// NextCharge returns the next charge of the subscription after credit was used. It returns nil if the amount is unknown or no
// charge follows, see NextChargeAt. The minimum is in minor units; the Amount of a smaller charge is 0.
func (s *Subscription) NextCharge(credit money.Amount, minimum int64) *Charge {
	at := s.NextChargeAt()
	if at.IsZero() || s.Renewal == (money.Amount{}) {
		return nil
	}
	minor := s.Renewal.Minor() - credit.Minor()
	if minor < minimum {
		minor = 0
	}
	amount, err := money.New(max(minor, 0), s.Renewal.Currency().Code)
	if err != nil {
		return nil
	}
	return &Charge{Amount: amount, At: at, DueAt: s.NextInvoiceDueAt()}
}

// NextInvoiceDueAt returns the due date of the next invoice that the provider sends by email. It returns the zero time if
// there is none or the customer is charged automatically.
func (s *Subscription) NextInvoiceDueAt() time.Time {
	at := s.NextChargeAt()
	if s.Invoicing == nil || at.IsZero() {
		return time.Time{}
	}
	return at.AddDate(0, 0, s.Invoicing.DaysUntilDue)
}

// RenewalChange returns the plan change that is made when the period or the trial ends, unless a pending change
// replaces it. It returns nil if no change is scheduled.
func (s *Subscription) RenewalChange() *ScheduledChange {
	if s.Pending != nil {
		return s.Pending.Replaces
	}
	return s.Scheduled
}

// NextChargeAt returns when the next automatic charge is made or the next invoice is issued. It returns the zero time if no
// charge follows: the subscription ends first, a payment is open or overdue, charges are paused at that time, or the period
// after the trial is invoiced already.
func (s *Subscription) NextChargeAt() time.Time {
	at := s.CurrentPeriodEnd
	if s.Status != Active && s.Status != Trialing || s.endsBy(at) || s.isPrepaid() || s.Pause.includes(at) {
		return time.Time{}
	}
	return at
}

// endsBy reports whether the subscription ends at or before the time. An operator can set an end after the next renewal.
func (s *Subscription) endsBy(at time.Time) bool { return !s.EndsAt.IsZero() && !s.EndsAt.After(at) }

// DueTransfer returns the latest invoice if the customer pays it outside of the browser and it is not overdue. It returns nil
// otherwise, and while a plan change is pending, because the pending change has the invoice.
func (s *Subscription) DueTransfer() *Transfer {
	inv := s.LatestInvoice
	isRunning := s.Status == Active || s.Status == Trialing
	if !isRunning || s.Pending != nil || inv == nil || inv.Status != InvoiceOpen || s.Next.InvoiceID != inv.ID ||
		!s.Next.isOutsideBrowser() {
		return nil
	}
	return &Transfer{Remaining: inv.AmountRemaining(), DueAt: s.Next.Until}
}

// isPrepaid reports whether the subscription is in a trial and its invoice is for the period after the trial. This is the case
// if the customer pays by invoice instead of being charged automatically.
func (s *Subscription) isPrepaid() bool {
	inv := s.LatestInvoice
	return s.Status == Trialing && s.Pending == nil && inv != nil && inv.AmountDue.Minor() > 0 &&
		(inv.Status.IsCollectible() || inv.Status == InvoicePaid)
}
