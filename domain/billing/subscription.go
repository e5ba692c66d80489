package billing

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// Status is where a subscription stands in its life; see the package comment.
type Status string

// The statuses, in the words of the payment provider's world.
const (
	Incomplete        Status = "incomplete"
	IncompleteExpired Status = "incomplete_expired"
	Trialing          Status = "trialing"
	Active            Status = "active"
	PastDue           Status = "past_due"
	Unpaid            Status = "unpaid"
	Canceled          Status = "canceled"
)

// Live reports whether a subscription in this status is a license.
func (s Status) Live() bool { return slices.Contains([]Status{Trialing, Active, PastDue}, s) }

// Ended reports whether a subscription in this status is over and makes a past license.
func (s Status) Ended() bool {
	return slices.Contains([]Status{Canceled, Unpaid, IncompleteExpired}, s)
}

// Subscription is one subscription as the payment provider last reported it.
type Subscription struct {
	ID               string
	CustomerID       string
	Status           Status
	Price            catalogue.PriceRef
	CreatedAt        time.Time
	CurrentPeriodEnd time.Time
	TrialEnd         time.Time // zero when it never had a trial
	LatestInvoice    *Invoice
	PendingSetup     *Intent // the card's authentication that a trial still waits for; nil when none
	Next             NextAction
	Pending          *PendingChange // a plan change that is not paid yet; nil when none
	MadeBy           string         // the key of the operation that started it; "" when unknown
	ChangedBy        string         // the key of the last plan change that was begun; "" when none
}

// PendingChange is a plan change that takes effect when its invoice is paid. Until then the
// subscription keeps its price, its period and its trial. A pending change that is neither paid
// nor dropped by ExpiresAt is discarded, and its invoice with it.
type PendingChange struct {
	To        catalogue.PriceRef
	InvoiceID string
	Amount    money.Amount // what is due for the change
	ExpiresAt time.Time
}

// InvoiceStatus is the state of an invoice.
type InvoiceStatus string

// The states of an invoice.
const (
	InvoiceDraft         InvoiceStatus = "draft" // about to be charged
	InvoiceOpen          InvoiceStatus = "open"  // charged, but not paid yet
	InvoicePaid          InvoiceStatus = "paid"
	InvoiceVoid          InvoiceStatus = "void" // can't be paid any more
	InvoiceUncollectible InvoiceStatus = "uncollectible"
)

// Collecting reports whether money is still to be collected for an invoice in this state.
func (s InvoiceStatus) Collecting() bool { return s == InvoiceDraft || s == InvoiceOpen }

// Invoice is one bill of a subscription.
type Invoice struct {
	ID            string
	Status        InvoiceStatus
	AmountDue     money.Amount // what it asks for, after credit; unchanged when it is paid
	CreatedAt     time.Time
	NextAttemptAt time.Time // when the provider charges it again by itself; zero when it won't
	Payment       *Intent   // nil when the invoice takes no payment, as a trial's first one
}

// IntentStatus is how far a payment, or the authentication of a card, has come.
type IntentStatus string

// The statuses of payments and of card authentications.
const (
	RequiresPaymentMethod IntentStatus = "requires_payment_method"
	RequiresConfirmation  IntentStatus = "requires_confirmation"
	RequiresAction        IntentStatus = "requires_action"
	Processing            IntentStatus = "processing"
	Succeeded             IntentStatus = "succeeded"
	IntentCanceled        IntentStatus = "canceled"
)

// Intent is one payment, or one authentication of a card for later payments.
type Intent struct {
	ID           string
	Status       IntentStatus
	ClientSecret string // lets the customer's browser finish it; never stored, never logged
	// HardDecline says that the bank refused the card of the last attempt for good: it was lost, was
	// stolen, has expired, and so on. It is not stored.
	HardDecline bool
}
