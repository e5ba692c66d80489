package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/money"
)

// Quote describes the cost of a new subscription or a plan change. The same request for the same instant charges
// exactly DueNow.
type Quote struct {
	At           time.Time // the proration date of a change now; the time of a change at renewal
	Lines        []Line    // of the invoice that is due now, or of the one at the renewal
	Tax          money.Amount
	Total        money.Amount // the sum of Lines
	DueNow       money.Amount // Total after credit, never negative; zero for a change at renewal
	CreditBefore money.Amount // the customer's credit before the request
	CreditAfter  money.Amount // the credit after it; a negative Total increases it
	EndsTrial    bool         // a running trial ends
	Next         Charge       // the first automatic charge afterwards
}

// QuoteDifference is a charge of another amount than was quoted. Providers without conditional requests
// can't refuse it.
type QuoteDifference struct {
	Quoted, Charged money.Amount
}

// Charge is an automatic charge in the future.
type Charge struct {
	Amount money.Amount // the amount after credit was used
	At     time.Time
}

// NextCharge returns the next automatic charge of the subscription, nil when there is none: it is ending, its
// payment is overdue or open, its charges are paused then, or the period after its trial is invoiced already. It
// also returns nil when the amount is unknown. An amount below the minimum, in minor units, is not charged.
func (s *Subscription) NextCharge(credit money.Amount, minimum int64) *Charge {
	at := s.NextChargeAt()
	if at.IsZero() || s.Renewal == (money.Amount{}) {
		return nil
	}
	rest := s.Renewal.Minor() - credit.Minor()
	if rest < minimum {
		rest = 0
	}
	due, err := money.New(max(rest, 0), s.Renewal.Currency().Code)
	if err != nil {
		return nil
	}
	return &Charge{Amount: due, At: at}
}

// RenewalChange returns the plan change that is made when the period or the trial ends, also if a pending change would
// replace it; nil when the plan stays.
func (s *Subscription) RenewalChange() *ScheduledChange {
	if s.Pending != nil {
		return s.Pending.Replaces
	}
	return s.Scheduled
}

// NextChargeAt returns when the next automatic charge is made or invoice is issued, the zero time when none is.
func (s *Subscription) NextChargeAt() time.Time {
	at := s.CurrentPeriodEnd
	if s.Status != Active && s.Status != Trialing || !s.EndsAt.IsZero() || s.isPrepaid() || s.Pause.includes(at) {
		return time.Time{}
	}
	return at
}

// DueInvoice returns the remaining amount and the due date of the latest invoice while the customer can pay it
// outside of the browser without being overdue, otherwise nil. The invoice of a pending change is reported with
// the change.
func (s *Subscription) DueInvoice() *Charge {
	inv := s.LatestInvoice
	running := s.Status == Active || s.Status == Trialing
	if !running || s.Pending != nil || inv == nil || inv.Status != InvoiceOpen || s.Next.InvoiceID != inv.ID ||
		!s.Next.isOutsideBrowser() {
		return nil
	}
	return &Charge{Amount: inv.Remaining(), At: s.Next.Until}
}

// isPrepaid reports whether the invoice of a trial is for the period after it, as with collection by invoice.
func (s *Subscription) isPrepaid() bool {
	inv := s.LatestInvoice
	return s.Status == Trialing && s.Pending == nil && inv != nil && inv.AmountDue.Minor() > 0 &&
		(inv.Status.Collecting() || inv.Status == InvoicePaid)
}
