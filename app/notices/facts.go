package notices

import (
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// Facts contains the data about the organisation that the emails about a notice need.
type Facts struct {
	Org account.Organisation
	Now time.Time // when the emails are written
	// Customer has the credit and the payment method. It is nil if no email needs them, or if they are unknown.
	Customer         *billing.Customer
	ReturnedPayments []billing.ReturnedPayment // read only if NeedsReturnedPayments
	Invoices         []billing.Invoice         // all known invoices of the organisation
}

// credit returns the customer's credit; the zero Amount when it is unknown.
func (f Facts) credit() money.Amount {
	if f.Customer == nil {
		return money.Amount{}
	}
	return f.Customer.Credit
}

// NeedsCustomer reports whether the email about the notice contains the customer's credit or payment method.
func NeedsCustomer(kind billing.NoticeKind) bool {
	switch kind {
	case billing.TrialStarted, billing.TrialEndsSoon, billing.PlanRenewsSoon, billing.PaymentReceived, billing.PaidByCredit, billing.PaymentFailed,
		billing.PaymentRefunded, billing.RefundFailed, billing.PaymentReturned, billing.DisputeDecided, billing.HoldLifted, billing.PlanChanged,
		billing.ChangeScheduled, billing.ChangeDropped, billing.PlanResumed:
		return true
	}
	return false
}

// NeedsReturnedPayments reports whether the email about the notice contains the customer's returned payments.
func NeedsReturnedPayments(kind billing.NoticeKind) bool {
	return kind == billing.PaymentRefunded || kind == billing.PaymentReturned || kind == billing.HoldLifted
}

// IsNeeded reports whether the email about a due notice is still needed with the customer's credit; see
// billing.DueNotice.IsNeeded.
func (w Writer) IsNeeded(facts Facts, notice billing.DueNotice) bool {
	return notice.IsNeeded(facts.credit(), w.capabilities.MinimumCharge(notice.Subscription.Price.Currency))
}
