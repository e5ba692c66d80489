package gateway

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// Gateway charges customers, refunds payments and saves payment methods at a payment provider. See the package comment
// for the obligations of every method.
type Gateway interface {
	// Capabilities returns the features and limits of the gateway, which never change.
	Capabilities() Capabilities
	// SaveCustomer updates the customer with the Ref, or creates a customer if Ref is "", and returns its reference. An
	// update returns Ref. For at least an hour, a repeated creation with the same ID returns the same reference, even if
	// the first response was lost. After that hour it may create another customer. If the provider has no customer
	// objects, ref is c.ID.
	SaveCustomer(ctx context.Context, c Customer) (ref string, err error)
	// Start begins a payment, or only saves a payment method if the order's amount is 0. Within
	// Capabilities.KeyRetention, a repeated order with the same key charges nothing and returns the payment in its
	// current state. Start returns Conflict for a different order with the same key, and may return Unavailable for a
	// repeat while the first request is running. It returns NotFound for a customer, token or method that the provider
	// does not know or that has ended, and Invalid for an amount below Capabilities.Minimum.
	Start(ctx context.Context, o Order) (Payment, error)
	// Find returns the current state of a payment, with its refunds. It accepts every reference that the payment has
	// had. NotFound means that the provider does not know the payment now. Until Capabilities.LongestRequest has passed,
	// a request that is still in transit may create the payment.
	Find(ctx context.Context, r Reference) (Payment, error)
	// Cancel stops an open or processing payment and returns its final state, which is Paid or Failed if that happened
	// first. After Cancel has returned, the customer can't pay the payment any more. Cancel returns Conflict for a
	// processing payment that can't be stopped, and for an open payment whose page can't be closed; the latter has an
	// ExpiresAt. It returns an ended payment unchanged, and returns NotFound for an unknown payment.
	Cancel(ctx context.Context, r Reference) (Payment, error)
	// Refund returns a part of a paid payment to the customer; the payment stays paid. Within Capabilities.KeyRetention,
	// a repeat with the same key returns the same refund in its current state. Refund returns Conflict for a different
	// refund with the same key, for a payment that is not paid, and for an amount that exceeds the part that was neither
	// refunded nor disputed.
	Refund(ctx context.Context, o RefundOrder) (Refund, error)
	// Forget deletes a saved method at the provider, so that the method can't be charged any more. It also returns nil
	// for an unknown method.
	Forget(ctx context.Context, methodRef string) error
	// ParseEvents verifies a webhook delivery without calling the API. It returns the payments that the delivery
	// concerns, possibly none. It returns Forbidden for a missing or wrong signature, and Invalid for a body that
	// contains anything but events. The provider delivers each change of a payment or its refunds, including changes
	// that an operator makes by hand and disputes. Each Reference has the order's key, or a Ref that an earlier call returned.
	ParseEvents(ctx context.Context, delivery payment.Delivery) ([]Reference, error)
	// ListChanges returns the payments that have changed since the cursor, and the cursor for the next call. The cursor
	// "" selects all changes. A payment may be returned several times. An empty list means that there are no more
	// changes. The list contains the same changes as webhook deliveries, with the same references as ParseEvents.
	ListChanges(ctx context.Context, cursor string) (changes []Reference, next string, err error)
}

// Customer identifies an organisation to the provider.
type Customer struct {
	ID      string // assigned by the application
	Ref     string // assigned by the provider; "" before the first SaveCustomer
	Name    string
	Email   string
	Address account.Address
}

// Order is a request to charge a customer, or to save a payment method.
type Order struct {
	Key         string
	CustomerRef string
	Amount      money.Amount // 0, with its currency, only saves the method, or authenticates a saved one
	Description string       // for the customer's statement and the provider's page
	// MethodRef is the saved method to charge. Token identifies a new method that the browser has created
	// (payment.EntryCardField); a provider may accept it only once. If both are "", the customer enters a method on the
	// provider's page at Payment.URL, which redirects to ReturnTo (payment.EntryRedirect). New methods are saved.
	MethodRef, Token string
	ReturnTo         string
	// CustomerPresent is set if the customer can authenticate the payment. If a payment needs authentication, Start returns
	// it open, with a Secret or URL. Without CustomerPresent such a payment fails with CustomerNeeded. A Token with the
	// amount 0 and without CustomerPresent is saved unauthenticated if the provider allows it. Otherwise Start may also
	// return the payment open, because the customer has just entered the Token and can authenticate it.
	CustomerPresent bool
}

// Reference identifies a payment. In a request, Key or Ref is set. Each Payment that a method returns has both, also a
// refused one.
type Reference struct {
	Key string // of the order
	// Ref is the provider's reference, or one that the adapter makes for a payment of which the provider has no object. It
	// may change when the customer completes the page, for example from the ID of a checkout session to the ID of a payment.
	Ref string
	// CustomerRef is the order's CustomerRef, if the caller knows it. To find a payment by Key, some adapters list the payments
	// of the customer, because their provider can't search for a key.
	CustomerRef string
}

// State is the state of a payment.
type State string

// The states of a payment, see the package comment.
const (
	Open       State = "open"
	Processing State = "processing"
	Paid       State = "paid" // if the amount is 0: the method is saved
	Failed     State = "failed"
	Canceled   State = "canceled"
	Returned   State = "returned" // the whole amount went back after it was paid
)

// Payment is the state of a payment at the provider.
type Payment struct {
	Reference
	State      State
	Amount     money.Amount
	Refunds    []Refund
	Disputes   []Dispute // oldest first, see the package comment
	Method     *Method   // the charged or saved method; nil while unknown
	URL        string    // the page of an open payment, the same in each response; never stored, because it is a credential
	Secret     string    // authenticates an open payment in the browser, the same in each response; never stored
	ExpiresAt  time.Time // when an open payment expires; zero if it does not
	ExpectedBy time.Time // when the money of a processing payment arrives; zero if unknown
	Decline    Decline   // how a failed payment was declined
	// Reason is a sentence for the customer, or "". It explains why a payment has failed or was returned, or why the
	// page of an open payment has refused the last card or bank account.
	Reason string
}

// Decline states what can be done after a failed payment.
type Decline string

// The kinds of declines.
const (
	SoftDecline    Decline = ""                // the same method may be charged later
	HardDecline    Decline = "hard"            // the method must not be charged again
	MethodGone     Decline = "method_gone"     // the method has ended at the provider, such as a canceled mandate
	CustomerNeeded Decline = "customer_needed" // the customer has to act, for example authenticate the payment
)

// Method is a saved payment method.
type Method struct {
	Ref string // for Order.MethodRef and Forget
	// Details are shown to the customer, such as the brand and the last digits. Equal cards and accounts have equal
	// fingerprints. ID is empty.
	Details billing.PaymentMethod
	Pending bool // the method can't be charged until its bank has confirmed the mandate
}

// RefundOrder is a request to return money.
type RefundOrder struct {
	Key        string
	PaymentRef string // a Ref that the payment has had
	Amount     money.Amount
}

// Dispute is a dispute of a payment that can be won or lost, see the package comment.
type Dispute struct {
	Ref    string // identifies the dispute
	Amount money.Amount
	Status billing.DisputeStatus // billing.DisputeOpen, DisputeWon or DisputeLost
	// Reason is the bank's reason for operators, such as "fraudulent", or "".
	Reason string
	// OpenedAt and DecidedAt are zero if the provider does not report them. The billing then uses the time of the report.
	OpenedAt, DecidedAt time.Time
}

// Refund is the state of a refund at the provider. State is Processing, Paid or Failed.
type Refund struct {
	Key string // of the order; "" for a refund that an operator has made by hand
	// Ref identifies the refund. The Amount of a Ref never changes: a second refund has a Ref of its own.
	Ref    string
	Amount money.Amount
	State  State
}
