package billing

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
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

// Subscription is one subscription as the payment provider last told it.
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
}

// Invoice is one bill of a subscription.
type Invoice struct {
	ID      string
	Payment *Intent // nil when the invoice takes no payment, as a trial's first one
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
}
